/** What the wizard asks of the other rooms: thin calls, each of which a signal ends. Nothing is decided here. */
import { isDeepStrictEqual } from 'node:util';
import { readAnswerFiles } from '../answer-files.ts';
import type { Cluster } from '../cluster/connect.ts';
import { loginCommand } from '../cluster/contexts.ts';
import { drawToken } from '../cluster/token.ts';
import type { BootstrapToken, ClusterFacts } from '../cluster/types.ts';
import { Failure } from '../errors.ts';
import { withoutSecrets } from '../masking.ts';
import { type BucketName, listBuckets } from '../oss/bucket.ts';
import { loadCredentials } from '../oss/credentials.ts';
import type { Known } from '../oss/types.ts';
import { checkWritable, writeSecretFile } from '../output/file.ts';
import { type AccessChoices, accessChoices } from '../publish/access-choices.ts';
import type { Publication } from '../publish/apply.ts';
import { type BucketView, bucketOf, openBucket } from '../publish/bucket-view.ts';
import { orAbort } from '../publish/interrupt.ts';
import { publicationAt } from '../publish/ledger.ts';
import { hasOwnCredential, ownCredential } from '../publish/own-credential.ts';
import { prepare, publish, type Start } from '../publish/publish.ts';
import { type ClusterView, connectFor, decideWith, readCluster } from '../publish/survey.ts';
import type { Plan, Progress, Surroundings } from '../publish/types.ts';
import type { Answers } from '../questions.ts';
import type { Decision } from '../script/types.ts';

/** A cluster, and what the answers so far make of it. */
export interface Found {
  readonly facts: ClusterFacts;
  readonly decision: Decision;
  /** What addNodeScriptPath holds, and whether ackone-join put it there. */
  readonly live: { readonly url: string | undefined; readonly ours: boolean };
  /** Where the live script is, when it is ours. */
  readonly lastBucket: string | undefined;
}

/** The plan, and the texts that it is about; bootstrap tokens in them are masked. */
export interface Review {
  readonly plan: Plan;
  readonly script: string;
  /** Undefined when there is none, or none that can be read from here. */
  readonly live: string | undefined;
}

export type Published =
  | { readonly kind: 'published'; readonly plan: Plan; readonly publication: Publication | undefined }
  /** Something has changed since the review: nothing was done, and this is the plan now. */
  | { readonly kind: 'changed'; readonly review: Review };

export interface Engine {
  /**
   * @param mayAsk Whether a command that gives credentials may ask somebody.
   * @throws Failure CredentialPluginNeedsTerminal when it might, and must not
   */
  found(answers: Answers, mayAsk: boolean, signal: AbortSignal): Promise<Found>;
  buckets(answers: Answers, signal: AbortSignal): Promise<Known<readonly BucketName[]>>;
  access(answers: Answers, signal: AbortSignal): Promise<AccessChoices>;
  review(answers: Answers, signal: AbortSignal): Promise<Review>;
  /** What was read is read anew when it is needed again; logins stay. */
  forget(): void;
  publish(
    review: Review,
    answers: Answers,
    confirmed: string | undefined,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<Published>;
}

export interface EngineOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly toolVersion: string;
  readonly now: () => Date;
  /** Takes the frame off the screen while somebody else may ask at the terminal. */
  readonly lend: <T>(work: () => Promise<T>) => Promise<T>;
  /** Shows what a credential plugin says. */
  readonly onPluginOutput: (text: string) => void;
}

/** Thrown by the look at the plan right before the effects. */
class PlanChanged extends Error {}

export function openEngine({ env, toolVersion, now, lend, onPluginOutput }: EngineOptions): Engine {
  const logins = new Memory<Cluster>();
  const views = new Memory<ClusterView>();
  const buckets = new Memory<BucketView>();
  let candidate: BootstrapToken | undefined;

  const around = (signal: AbortSignal): Surroundings => ({
    env,
    signal,
    now,
    toolVersion,
    consented: false,
    mayWrite: false,
    confirmed: undefined,
    onPluginOutput,
  });

  const login = (answers: Answers, mayAsk: boolean): Promise<Cluster> =>
    logins.get([answers.kubeconfig, answers.context, answers.timeout], async () => {
      const { kubeconfig, context } = answers;
      const command = await loginCommand({ env, ...(kubeconfig !== undefined && { kubeconfig }) }, context);
      const connect = () =>
        connectFor(answers, { env, readOnly: true, onPluginOutput, interactive: command !== undefined });
      if (command === undefined) return connect();
      if (mayAsk) return lend(connect);
      const what = `the credentials of context ${context} come from the command ${command}, which may ask something`;
      throw new Failure('CredentialPluginNeedsTerminal', what, { next: ['Choose this context: then it is run.'] });
    });

  const view = async (answers: Answers, mayAsk: boolean) => {
    const cluster = await login(answers, mayAsk);
    const { kubeconfig, context, timeout, style, server, caFile, kubeletConfig, kubeProxy } = answers;
    const binary = [style, server, caFile, kubeletConfig, kubeProxy];
    const asked = [kubeconfig, context, timeout, ...binary, hasOwnCredential(answers)];
    return views.get(asked, () => readCluster(cluster, answers));
  };

  const start = async (answers: Answers): Promise<Required<Start>> => {
    candidate ??= drawToken();
    return { connected: await login(answers, true), candidate };
  };

  const reviewNow = async (answers: Answers, signal: AbortSignal): Promise<Review> => {
    const { seen, prepared } = await prepare(answers, around(signal), await start(answers));
    const { text } = seen.live;
    return {
      plan: prepared.plan,
      script: withoutSecrets(prepared.script.text),
      live: text === undefined ? undefined : withoutSecrets(text),
    };
  };

  return {
    found: (answers, mayAsk, signal) =>
      orAbort(
        (async () => {
          const { facts, history } = await view(answers, mayAsk);
          const files = await readAnswerFiles(answers);
          const url = facts.agentConfig?.addNodeScriptPath;
          const ours = url === undefined ? undefined : publicationAt(url, history);
          return {
            facts,
            decision: decideWith(facts, await ownCredential(answers, files), answers, toolVersion, files),
            live: { url, ours: ours !== undefined },
            lastBucket: ours && bucketOf(ours.url),
          };
        })(),
        signal,
      ),

    buckets: (answers, signal) =>
      orAbort(
        loadCredentials(env).then((credentials) =>
          listBuckets(credentials, { timeoutMs: answers.timeout * 1000, mayWrite: false }, answers.ossEndpoint),
        ),
        signal,
      ),

    access: (answers, signal) =>
      orAbort(
        (async () => {
          const { facts } = await view(answers, true);
          const { bucket, region, nodeRegion, ossEndpoint, ossCname, nodeEndpoint, timeout } = answers;
          const place = [bucket, region, nodeRegion, ossEndpoint, ossCname, nodeEndpoint, timeout, facts.nodeRegions];
          return accessChoices(
            await buckets.get(place, () => openBucket(answers, facts, around(signal))),
            facts,
            answers,
          );
        })(),
        signal,
      ),

    review: (answers, signal) => orAbort(reviewNow(answers, signal), signal),

    forget() {
      views.clear();
      buckets.clear();
    },

    async publish(review, answers, confirmed, progress, signal) {
      const { outputFile } = answers;
      if (outputFile !== undefined) await checkWritable(outputFile);
      const { connected, ...begun } = await start(answers);
      const agreed = {
        ...around(signal),
        consented: true,
        mayWrite: true,
        confirmed,
        ...(outputFile !== undefined && { saveScript: (text: string) => writeSecretFile(outputFile, text) }),
      };
      const look = (plan: Plan) => {
        if (!isDeepStrictEqual(essence(plan), essence(review.plan))) throw new PlanChanged();
      };
      try {
        const outcome = await publish(answers, agreed, progress, look, { connected: connected.writable(), ...begun });
        return { kind: 'published', ...outcome };
      } catch (error) {
        if (!(error instanceof PlanChanged)) throw error;
        return { kind: 'changed', review: await reviewNow(answers, signal) };
      }
    },
  };
}

/** What was agreed to: without what a clock, a signature or the consent itself changes. */
const essence = ({ url, script, tokenId, live, steps }: Plan) => ({
  url: url.split('?')[0],
  digest: script.digest,
  tokenId,
  live,
  steps: steps.map((step) => ({ ...step, what: step.what.split('?')[0] })),
});

/** Makes each thing once; what failed is made again when it is asked for again. */
class Memory<T> {
  readonly #made = new Map<string, Promise<T>>();

  get(parts: readonly unknown[], make: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(parts);
    const there = this.#made.get(key);
    if (there !== undefined) return there;
    const promise = make();
    this.#made.set(key, promise);
    promise.catch(() => this.#made.delete(key));
    return promise;
  }

  clear(): void {
    this.#made.clear();
  }
}
