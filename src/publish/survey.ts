/** Everything that a plan rests on, read from the cluster and from OSS. Nothing is written here. */
import { isDeepStrictEqual } from 'node:util';
import type { AnswerFiles } from '../answer-files.ts';
import { readAnswerFiles } from '../answer-files.ts';
import type { Cluster, ConnectOptions } from '../cluster/connect.ts';
import { connect } from '../cluster/connect.ts';
import { readFacts } from '../cluster/facts.ts';
import type { History, HistoryEntry } from '../cluster/history.ts';
import { readHistory } from '../cluster/history.ts';
import type { Permission } from '../cluster/permissions.ts';
import { missingPermissions } from '../cluster/permissions.ts';
import { type FoundToken, readToken } from '../cluster/token.ts';
import type { ClusterFacts } from '../cluster/types.ts';
import { Failure } from '../errors.ts';
import { checkScriptUrl } from '../oss/address.ts';
import { fetchUrl } from '../oss/fetch.ts';
import type { Answers } from '../questions.ts';
import { decide } from '../script/decide.ts';
import { refuseStops } from '../script/findings.ts';
import { parseHostPort, serverFindings } from '../script/server.ts';
import type { Decision, ScriptInput } from '../script/types.ts';
import { type Admission, readAdmission } from './admission.ts';
import { type BucketView, keyOf, openBucket } from './bucket-view.ts';
import { publicationAt } from './ledger.ts';
import { hasOwnCredential, type Own, ownCredential } from './own-credential.ts';
import type { Surroundings } from './types.ts';

/** What addNodeScriptPath points to now. */
export interface Live {
  readonly url: string | undefined;
  /** Our own publication of it; undefined when it is somebody else's or none. */
  readonly entry: HistoryEntry | undefined;
  /** Its bytes as text, where they can be read from here. */
  readonly text: string | undefined;
  /** Whether the object's own ACL lets everybody read it; undefined when that is not known, or it is no object of this bucket. */
  readonly isPublic: boolean | undefined;
}

/** Where the script will be served from. */
export type Destination =
  | ({ readonly kind: 'oss' } & BucketView)
  /** --script-url: served by somebody else; `text` is what it gives now, undefined when it gives nothing yet. */
  | { readonly kind: 'url'; readonly url: string; readonly text: string | undefined };

export interface Survey {
  readonly cluster: Cluster;
  readonly facts: ClusterFacts;
  readonly decision: Decision;
  readonly history: History;
  readonly historyVersion: string | undefined;
  readonly live: Live;
  /** The token of the live script, or of one that waits to be served, if it works and is what the answers ask for. */
  readonly reusable: FoundToken | undefined;
  /** The user's own join command or bootstrap kubeconfig. */
  readonly own: Own | undefined;
  /** What the cluster grants to nodes that join without kubeadm. */
  readonly admission: Admission;
  readonly destination: Destination;
}

/** kubeadm's default (kubernetes cmd/kubeadm/app/constants). */
const kubeadmPort = 6443;
/** A script is 32 KiB at most; what answers with more than this is none. */
const maxFetchedBytes = 256 * 1024;

/** What the cluster alone says. */
export type ClusterView = Pick<Survey, 'cluster' | 'facts' | 'history' | 'historyVersion'>;

/**
 * @param connected To the cluster that the answers name, where that has been done already.
 * @throws Failure of every kind that cluster, OSS and the pure checks know.
 */
export async function survey(answers: Answers, around: Surroundings, connected?: Cluster): Promise<Survey> {
  const files = await readAnswerFiles(answers);
  const own = await ownCredential(answers, files);
  const cluster = connected ?? (await connectFor(answers, { ...around, readOnly: !around.mayWrite }));
  const view = await readCluster(cluster, answers);
  const { facts, history } = view;
  const decision = decideWith(facts, own, answers, around.toolVersion, files);
  refuseStops(decision.findings);
  const admission = await readAdmission(cluster, decision.input!, own, answers, around);
  const destination = await openDestination(answers, facts, around);
  const live = await readLive(facts.agentConfig?.addNodeScriptPath, history, destination, answers, around);
  const reusable = own
    ? undefined
    : await reusableToken(cluster, decision.input!.style, history, live, destination, answers);
  return { ...view, decision, live, reusable, own, admission, destination };
}

/** @throws Failure ClusterForbidden with every right that is missing, AgentConfigMissing, and those of reading */
export async function readCluster(cluster: Cluster, answers: Answers): Promise<ClusterView> {
  const reading = Promise.all([readFacts(cluster, answers), readHistory(cluster)]);
  // A right that is missing makes reading fail as well; all of them at once say more than the first 403.
  reading.catch(() => {});
  refuseMissing(needed(await missingPermissions(cluster), answers), cluster.context);
  const [facts, { history, resourceVersion: historyVersion }] = await reading;
  if (!facts.agentConfig) {
    throw new Failure('AgentConfigMissing', 'ConfigMap kube-system/ack-agent-config does not exist');
  }
  return { cluster, facts, history, historyVersion };
}

/** Who brings a credential needs no token of ours, and so no right to Secrets. */
const needed = (missing: readonly Permission[], answers: Answers) =>
  hasOwnCredential(answers) ? missing.filter(({ resource }) => resource !== 'secrets') : missing;

/** decide(), and what a user's own join command adds to it. */
export const decideWith = (
  facts: ClusterFacts,
  own: Own | undefined,
  answers: Answers,
  toolVersion: string,
  files: AnswerFiles,
): Decision => withJoin(decide(facts, answers, toolVersion, files), own, answers);

/** The cluster that the answers name. */
export function connectFor(
  { kubeconfig, context, timeout }: Answers,
  {
    env,
    readOnly,
    onPluginOutput,
    interactive,
  }: Pick<Surroundings, 'env' | 'onPluginOutput'> & Pick<ConnectOptions, 'readOnly' | 'interactive'>,
): Promise<Cluster> {
  return connect({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    timeoutMs: timeout * 1000,
    env,
    readOnly,
    onPluginOutput,
    ...(interactive !== undefined && { interactive }),
  });
}

/** @throws Failure ClusterForbidden */
function refuseMissing(missing: readonly Permission[], context: string): void {
  if (missing.length === 0) return;
  throw new Failure(
    'ClusterForbidden',
    `the user of context ${context} lacks ${missing.length} of the rights that publishing needs`,
    {
      causes: missing.map(({ text }) => `not allowed: ${text}`),
    },
  );
}

/** A user's own join command may name another server than cluster-info does, and nodes must reach both. */
function withJoin(decision: Decision, own: Own | undefined, answers: Answers): Decision {
  const server = own && 'join' in own.credential ? parseHostPort(own.credential.join.endpoint, kubeadmPort) : undefined;
  if (!server) return decision;
  const known = new Set(decision.findings.map(({ what }) => what));
  const more = serverFindings(server, answers.apiServerIp).filter(({ what }) => !known.has(what));
  return { ...decision, findings: [...decision.findings, ...more] };
}

async function openDestination(answers: Answers, facts: ClusterFacts, around: Surroundings): Promise<Destination> {
  if (answers.scriptUrl === undefined) return { kind: 'oss', ...(await openBucket(answers, facts, around)) };
  const url = checkScriptUrl(answers.scriptUrl);
  const bytes = await fetchScript(url, answers, around).catch(() => undefined);
  return { kind: 'url', url, text: bytes?.toString('utf8') };
}

const fetchScript = (url: string, answers: Answers, around: Surroundings) =>
  fetchUrl(url, { timeoutMs: answers.timeout * 1000, maxBytes: maxFetchedBytes, signal: around.signal });

async function readLive(
  url: string | undefined,
  history: History,
  destination: Destination,
  answers: Answers,
  around: Surroundings,
): Promise<Live> {
  if (url === undefined) return { url, entry: undefined, text: undefined, isPublic: undefined };
  const entry = publicationAt(url, history);
  const key = destination.kind === 'oss' ? keyOf(url, destination.target) : undefined;
  const store = destination.kind === 'oss' && key !== undefined ? destination.store : undefined;
  // What was live before us may well not be readable from here: then there is nothing to keep a copy of.
  const [bytes, acl] = await Promise.all(
    store
      ? [store.get(key!).catch(() => undefined), store.acl(key!).catch(() => undefined)]
      : [fetchScript(url, answers, around).catch(() => undefined), undefined],
  );
  return { url, entry, text: bytes?.toString('utf8'), isPublic: acl?.startsWith('public-read') };
}

async function reusableToken(
  cluster: Cluster,
  style: ScriptInput['style'],
  history: History,
  live: Live,
  destination: Destination,
  answers: Answers,
): Promise<FoundToken | undefined> {
  const waiting =
    destination.kind === 'url'
      ? history.entries.findLast(({ state, url }) => state === 'prepared' && url === destination.url)
      : undefined;
  // One that waits to be served is new, so --new-token needs no other.
  const tokenId = (waiting ?? (answers.newToken ? undefined : live.entry))?.tokenId;
  const found = tokenId === undefined ? undefined : await readToken(cluster, tokenId, style);
  return found?.usable && hasTerms(found, answers) ? found : undefined;
}

/** Whether it is a token as --token-ttl and --token-group describe it. */
const hasTerms = ({ expiration, groups }: FoundToken, { tokenTtl, tokenGroup }: Answers): boolean =>
  (expiration !== undefined) === tokenTtl > 0 && isDeepStrictEqual(new Set(groups), new Set(tokenGroup));
