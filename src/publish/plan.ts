/** From what was read to what will be done: writes nothing, exact to the byte, the same object for every reader. */
import type { HistoryEntry } from '../cluster/history.ts';
import type { FoundToken } from '../cluster/token.ts';
import type { BootstrapToken } from '../cluster/types.ts';
import { durationText } from '../durations.ts';
import type { Finding } from '../errors.ts';
import { Failure, failures } from '../errors.ts';
import { checkObjectKey, checkScriptUrl, objectUrl } from '../oss/address.ts';
import { type SignedUntil, signedUntil } from '../oss/signed-url.ts';
import type { SignedUrl } from '../oss/store.ts';
import type { PolicyDocument, Readability } from '../oss/types.ts';
import type { Answers } from '../questions.ts';
import { compose } from '../script/compose.ts';
import { joinTarget } from '../script/join-command.ts';
import type { Script } from '../script/types.ts';
import type { ObjectPlace } from './access.ts';
import { decideAccess, openFindings, refuseUnreadable } from './access.ts';
import { type BucketView, isThere, keyOf } from './bucket-view.ts';
import { runUnderWay, unfinished } from './ledger.ts';
import type { Survey } from './survey.ts';
import type { DecidedValue, Plan, Step, Surroundings } from './types.ts';

/** A plan together with what must not be printed. */
export interface Prepared {
  readonly plan: Plan;
  readonly script: Script;
  /** The token that the script carries, unless it is the user's own. */
  readonly token: BootstrapToken | undefined;
  /** The policy that the bucket will have; undefined when it stays as it is. */
  readonly policy: PolicyDocument | undefined;
}

type Around = Pick<Surroundings, 'now' | 'confirmed' | 'consented'>;

/** Above this, a script may not fit into what an instance's user data takes (cases.md F7). */
const largeScriptBytes = 16 * 1024;
const maxScriptBytes = 32 * 1024;
/** V4 signatures last a week at most (facts/oss.md). */
const presignedSeconds = 604_800;

/**
 * @param candidate Drawn before the plan, so that the plan is exact; used only when no live token can be.
 * @throws Failure for everything that must not be published
 */
export async function makePlan(
  survey: Survey,
  answers: Answers,
  candidate: BootstrapToken,
  around: Around,
): Promise<Prepared> {
  const reused = survey.reusable;
  const token = survey.join ? undefined : (reused?.token ?? candidate);
  const script = composeFor(survey, token);
  const place = await destinationOf(survey, answers, script, around);
  const { destination, live } = survey;
  const changes = !isLive(survey, script, place, answers) || unfinished(survey.history, destination);
  const url = changes ? place.url : live.url!;
  const object = changes ? place.object : liveObject(survey);
  const isUploaded =
    changes && object !== undefined && destination.kind === 'oss'
      ? await isThere(destination.store, object.key, Buffer.from(script.text))
      : !changes;
  const tokenIsNew = token !== undefined && reused === undefined;

  const plan: Plan = {
    context: survey.facts.context,
    clusterName: survey.facts.clusterName,
    values: decidedValues(survey, place.readability),
    script: changes
      ? { digest: script.digest, size: script.size }
      : { digest: live.entry?.digest ?? script.digest, size: Buffer.byteLength(live.text ?? script.text) },
    url,
    object,
    served: place.served,
    tokenId: token?.id,
    live: { url: survey.live.url, ours: survey.live.entry !== undefined },
    readability: place.readability,
    steps: steps(survey, answers, { ...place, object, tokenId: token?.id, tokenIsNew, isUploaded, changes, url }),
    changes,
    findings: [
      ...survey.decision.findings,
      ...place.findings,
      ...(place.signed ? [presignedDies(changes ? place.signed : (signedUntil(url) ?? place.signed))] : []),
      ...(token ? expiryFindings(reused, answers, around.now()) : []),
      ...foreignFindings(survey, answers, around.consented),
      ...otherRunFindings(survey, around),
      ...sizeFindings(script.size),
      ...survey.facts.unread.map(({ why: what }): Finding => ({ severity: 'note', code: 'NotRead', what, next: [] })),
    ],
    imageRequirements: survey.decision.imageRequirements,
  };
  return { plan, script, token, policy: changes ? place.policy : undefined };
}

function composeFor(survey: Survey, token: BootstrapToken | undefined): Script {
  const { decision, facts, join } = survey;
  if (!decision.input) throw new Failure('Bug', 'the checks passed, but left nothing to compose');
  if (join) return compose({ ...decision.input, join });
  if (!facts.discovery || !token) throw new Failure('Bug', 'the checks passed, but cluster-info was not read');
  return compose({ ...decision.input, join: joinTarget(facts.discovery.value, token) });
}

/** Where the live script is, whose name may come from another version of this program. */
function liveObject({ destination, live }: Survey): Plan['object'] {
  if (destination.kind !== 'oss' || live.url === undefined) return undefined;
  const key = keyOf(live.url, destination.target);
  return key === undefined ? undefined : { bucket: destination.target.bucket, key };
}

interface Place {
  readonly url: string;
  readonly object: Plan['object'];
  readonly served: boolean;
  readonly readability: Readability;
  readonly policy: PolicyDocument | undefined;
  readonly findings: readonly Finding[];
  /** With --access presigned: the URL as signed now. */
  readonly signed: SignedUrl | undefined;
  /** Whether a publication is where this one would go. */
  readonly holds: (live: HistoryEntry) => boolean;
}

async function destinationOf(survey: Survey, answers: Answers, script: Script, around: Around): Promise<Place> {
  const { destination, facts } = survey;
  if (destination.kind === 'url') {
    const served =
      destination.text !== undefined && withoutFirstComment(destination.text) === withoutFirstComment(script.text);
    if (!served && answers.outputFile === undefined) {
      throw new Failure('ScriptUrlDiffers', `${destination.url} does not give the script that was composed`, {
        next: ['Give --output-file to get the script, put it there, then run the same command again.'],
      });
    }
    return {
      url: destination.url,
      object: undefined,
      served,
      readability: served
        ? { answer: 'yes', why: 'it is read from here without credentials' }
        : { answer: 'unknown', why: 'the URL does not give this script yet' },
      policy: undefined,
      findings: [],
      signed: undefined,
      holds: (live) => live.url === destination.url && served,
    };
  }
  const prefix =
    answers.objectKey ?? (answers.objectPrefix ?? `ackone-join/${facts.clusterName}/`).replace(/\/?$/, '/');
  const key = answers.objectKey ?? `${prefix}join-${script.digest.slice(0, 12)}.sh`;
  checkObjectKey(key);
  return bucketPlace(destination, { key, prefix }, answers, around);
}

async function bucketPlace(view: BucketView, place: ObjectPlace, answers: Answers, around: Around): Promise<Place> {
  const { target, store } = view;
  const signed = answers.access === 'presigned' ? await store.signedUrl(place.key, presignedSeconds) : undefined;
  const url = checkScriptUrl(signed?.url ?? objectUrl(target, place.key));
  const access = decideAccess(target, view.bucket, place, answers);
  const unread = refuseUnreadable(access.readability, url, answers, around.confirmed);
  return {
    url,
    object: { bucket: target.bucket, key: place.key },
    served: true,
    ...access,
    findings: [...unread, ...openFindings(access)],
    signed,
    holds: (live) =>
      isIn(place, keyOf(live.url, target)) &&
      live.url.includes('?') === (signed !== undefined) &&
      (signed === undefined || !dying(live.url, around.now())),
  };
}

/** In the very folder that the prefix names, or of the very key. */
const isIn = ({ prefix }: ObjectPlace, key: string | undefined): boolean =>
  key !== undefined && (prefix.endsWith('/') ? key.replace(/[^/]*$/, '') : key) === prefix;

const presignedDies = ({ expires, temporary }: SignedUntil): Finding => ({
  severity: 'warning',
  code: 'PresignedUrlDies',
  what: `the signed URL stops working at ${expires}${temporary ? ', or earlier with the temporary credentials that signed it' : ''}; no node can join after that`,
  next: ['Use --access vpc for a pool that is to scale out at any time.'],
});

/** Less than a day before its end, a signed URL is published anew; one of temporary credentials always. */
function dying(url: string, now: Date): boolean {
  const until = signedUntil(url);
  return !until || until.temporary || Date.parse(until.expires) - 86_400_000 < now.getTime();
}

/** @param reused The token there is; undefined when another is made. */
function expiryFindings(reused: FoundToken | undefined, { tokenTtl }: Answers, now: Date): readonly Finding[] {
  if (tokenTtl === 0) return [];
  const expires = reused?.expiration ?? new Date(now.getTime() + tokenTtl * 1000).toISOString();
  const what = `the token stops working at ${expires}; no node can join after that`;
  return [
    { severity: 'warning', code: 'TokenExpires', what, next: ['Before that, publish another one by --new-token.'] },
  ];
}

/** Nothing to do: the script composed now, with the live token, is what is live, but for its first comment. */
function isLive(survey: Survey, script: Script, place: Place, { access }: Answers): boolean {
  const { live } = survey;
  if (live.isPublic !== undefined && live.isPublic !== (access === 'public-read')) return false;
  if (live.entry?.state !== 'live' || live.text === undefined || place.policy) return false;
  return place.holds(live.entry) && withoutFirstComment(live.text) === withoutFirstComment(script.text);
}

/** A script without the comment block at its top, which names the tool's version: a newer version alone never publishes. */
export function withoutFirstComment(text: string): string {
  const lines = text.split('\n');
  const start = lines[0]?.startsWith('#!') ? 1 : 0;
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith('#'));
  return lines.slice(end < 0 ? lines.length : end).join('\n');
}

function decidedValues(survey: Survey, readability: Readability): readonly DecidedValue[] {
  const { decision, facts, join } = survey;
  const input = decision.input!;
  const source = (name: string) => decision.sources[name] ?? 'computed';
  const server = join?.endpoint ?? facts.discovery?.value.server ?? '';
  return [
    {
      name: 'Kubernetes',
      value: `${input.kubeVersion.base} (${input.kubeVersion.raw})`,
      source: source('kubeVersion'),
    },
    {
      name: 'Runtime',
      value: `${input.runtime} ${input.runtimeVersion.base} (${input.runtimeVersion.raw})`,
      source: source('runtime'),
    },
    { name: 'Runtime packages', value: input.runtimePackages.join(' '), source: 'computed' },
    { name: 'cgroup driver', value: input.cgroupDriver, source: source('cgroupDriver') },
    { name: 'CRI socket', value: input.criSocket, source: source('criSocket') },
    { name: 'Pause image', value: input.sandboxImage, source: source('sandboxImage') },
    { name: 'API server', value: server, source: join ? 'join command' : (facts.discovery?.source ?? '') },
    {
      name: 'CA pins',
      value: String((join?.pins ?? facts.discovery?.value.pins ?? []).length),
      source: join ? 'join command' : (facts.discovery?.source ?? ''),
    },
    { name: 'Readable by nodes', value: readability.answer, source: readability.why },
  ];
}

function foreignFindings({ live }: Survey, answers: Answers, consented: boolean): readonly Finding[] {
  if (live.url === undefined || live.entry || answers.replaceForeign) return [];
  const what = `addNodeScriptPath holds ${live.url}, which ackone-join did not publish`;
  if (consented) throw new Failure('ForeignScript', what);
  return [{ severity: 'warning', code: 'ForeignScript', what, next: ['To replace it, give --replace-foreign.'] }];
}

function otherRunFindings({ history }: Survey, around: Around): readonly Finding[] {
  const other = runUnderWay(history, around.now());
  if (!other) return [];
  const what = `${other.user} has been publishing since ${other.time}, and has not ended`;
  if (around.consented) throw new Failure('AnotherRun', what);
  return [{ severity: 'warning', code: 'AnotherRun', what, next: failures.AnotherRun.next }];
}

function sizeFindings(size: number): readonly Finding[] {
  if (size > maxScriptBytes)
    throw new Failure('ScriptTooLarge', `the script has ${size} bytes, more than ${maxScriptBytes}`);
  if (size <= largeScriptBytes) return [];
  const what = `the script has ${size} bytes: fetched by its URL that does not matter, pasted as user data it may be too long`;
  return [{ severity: 'note', code: 'ScriptLarge', what, next: [] }];
}

interface StepNames extends Place {
  readonly tokenId: string | undefined;
  readonly tokenIsNew: boolean;
  /** The object holds this very script already. */
  readonly isUploaded: boolean;
  readonly changes: boolean;
}

function steps(survey: Survey, answers: Answers, names: StepNames): readonly Step[] {
  const { changes, object } = names;
  const act = (action: Step['action']) => (changes ? action : 'keep');
  const ttl = answers.tokenTtl === 0 ? 'never expires' : `expires after ${durationText(answers.tokenTtl)}`;
  const list: Step[] = [
    {
      id: 'history',
      action: act(survey.historyVersion === undefined ? 'create' : 'update'),
      what: 'ConfigMap kube-system/ackone-join: a pending entry',
      verifies: 'no other run is publishing',
      undo: 'the entry is marked as failed',
    },
  ];
  if (names.tokenId !== undefined) {
    list.push({
      id: 'token',
      action: names.tokenIsNew ? act('create') : 'keep',
      what: `Secret kube-system/bootstrap-token-${names.tokenId}${names.tokenIsNew ? `, ${ttl}` : ''}`,
      verifies: 'cluster-info is signed for it, and a node could join with it',
      undo: names.tokenIsNew ? 'the Secret is deleted' : 'none needed',
    });
  }
  if (answers.access === 'vpc') {
    list.push({
      id: 'policy',
      action: names.policy ? act('update') : 'keep',
      what: `bucket policy of ${object?.bucket}: read from ${answers.vpcId}`,
      verifies: 'nodes can read the object',
      undo: 'none: the statement stays, it opens nothing that is not published',
    });
  }
  if (object) {
    list.push({
      id: 'upload',
      action: names.isUploaded ? 'keep' : 'create',
      what: `oss://${object.bucket}/${object.key}`,
      verifies: 'what is read back is what was sent, byte for byte',
      undo: names.isUploaded ? 'none needed' : 'the object is deleted',
    });
  }
  list.push(
    {
      id: 'switch',
      action: act('update'),
      what: `ConfigMap kube-system/ack-agent-config: addNodeScriptPath = ${names.url}`,
      verifies: 'what is read back is that URL',
      undo: 'a failed switch leaves the old URL',
    },
    {
      id: 'complete',
      action: act('update'),
      what: 'ConfigMap kube-system/ackone-join: the entry is live',
      verifies: 'written on the version that was read',
      undo: 'none needed',
    },
  );
  return list;
}
