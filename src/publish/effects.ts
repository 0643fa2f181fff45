/** The single effects of a publication, each with the check that follows it. */
import { isDeepStrictEqual } from 'node:util';
import { readAgentConfig } from '../cluster/agent-config.ts';
import { manifestFor } from '../cluster/bootstrap-roles.ts';
import type { HistoryEntry } from '../cluster/history.ts';
import { awaitSignature, proveBootstrapToken, proveToken, tokenSecret } from '../cluster/token.ts';
import type { BootstrapToken, TokenProof } from '../cluster/types.ts';
import { switchScript } from '../cluster/write/agent-config.ts';
import { createToken, deleteToken } from '../cluster/write/token.ts';
import { Failure } from '../errors.ts';
import { masked } from '../masking.ts';
import { readPolicy } from '../oss/bucket.ts';
import type { Store } from '../oss/store.ts';
import type { PolicyDocument } from '../oss/types.ts';
import { deleteObject, putObject, setAcl } from '../oss/write/object.ts';
import { putPolicy } from '../oss/write/policy.ts';
import type { Answers } from '../questions.ts';
import { entranceOf } from './admission.ts';
import { isThere } from './bucket-view.ts';
import { deleteIfOurs, tokenName, type Undo } from './clean-up.ts';
import { orAbort } from './interrupt.ts';
import type { Survey } from './survey.ts';
import type { Surroundings } from './types.ts';

/** How long the bootstrapsigner may take (DESIGN.md section 7). */
const signatureTimeoutMs = 30_000;

/** @throws Failure TokenIdTaken: then the whole plan is made again with another */
export async function makeToken(
  { cluster, decision }: Survey,
  token: BootstrapToken,
  answers: Answers,
  around: Surroundings,
  undo: Undo[],
): Promise<void> {
  const taken: Undo = { what: tokenName(token.id), run: () => deleteToken(cluster, token.id) };
  undo.push(taken);
  try {
    await createToken(
      cluster,
      tokenSecret(token, {
        style: decision.input!.style,
        ttlSeconds: answers.tokenTtl,
        groups: answers.tokenGroup,
        now: around.now(),
      }),
    );
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'ClusterConflict')) throw error;
    // The Secret of that id is somebody else's: it is not ours to take back.
    undo.splice(undo.indexOf(taken), 1);
    throw new Failure('TokenIdTaken', `there is a bootstrap token ${token.id} already`);
  }
}

/** Uses the token as a joining node would, for kubeadm once it is signed. @throws Failure TokenNotSigned, TokenRefuted */
export async function proveUse(survey: Survey, token: BootstrapToken, around: Surroundings): Promise<TokenProof> {
  const proof = await orAbort(proofOf(survey, token), around.signal);
  if (proof.result !== 'refuted') return proof;
  const manifest = manifestFor(proof.missing);
  const binary = survey.decision.input!.style === 'binary';
  throw new Failure('TokenRefuted', `a node could not join with token ${masked(token.id)}`, {
    causes: proof.missing,
    ...(binary && { next: binaryRemedies(manifest !== undefined), manifest }),
  });
}

const binaryRemedies = (canGrant: boolean): readonly string[] => [
  canGrant
    ? 'Apply the manifest that is printed with `kubectl apply -f -`, as a user who may grant roles, then try again.'
    : 'Start kube-apiserver with --enable-bootstrap-token-auth, then try again.',
  'Or give --bootstrap-kubeconfig with a kubeconfig that nodes can ask for a certificate with.',
];

async function proofOf({ cluster, decision, facts }: Survey, token: BootstrapToken): Promise<TokenProof> {
  const input = decision.input!;
  if (input.style === 'binary') return proveBootstrapToken(cluster, entranceOf(input), token);
  await awaitSignature(cluster, token.id, { timeoutMs: signatureTimeoutMs });
  return proveToken(cluster, facts.discovery!.value, token, input.kubeVersion.minor);
}

export async function writePolicy(store: Store, policy: PolicyDocument): Promise<void> {
  await putPolicy(store, policy);
  const back = await readPolicy(store);
  if (!back.known || !isDeepStrictEqual(back.value, policy)) {
    throw new Failure('ReadBackDiffers', `the policy of bucket ${store.target.bucket} is not the one that was written`);
  }
}

/** Never overwrites: an object that holds these bytes already is kept. @throws Failure ObjectExists, ReadBackDiffers */
export async function upload(
  store: Store,
  key: string,
  body: Buffer,
  entry: HistoryEntry,
  answers: Answers,
  undo: Undo[],
): Promise<void> {
  const acl = answers.access === 'public-read' ? 'public-read' : undefined;
  if (await isThere(store, key, body)) {
    // It may have been published with another --access; who may not ask for its ACL has not set one.
    const present = await store.acl(key).catch(() => undefined);
    const isPublic = present?.startsWith('public-read') ?? false;
    if (isPublic !== (acl !== undefined)) await setAcl(store, key, acl ?? 'default');
    return;
  }
  const name = `oss://${store.target.bucket}/${key}`;
  let sent = false;
  undo.push({ what: name, run: () => (sent ? deleteObject(store, key) : deleteIfOurs(store, key, entry.digest)) });
  await putObject(store, key, body, {
    metadata: { 'ackone-join-version': entry.toolVersion, 'ackone-join-digest': entry.digest ?? '' },
    overwrite: false,
    ...(acl ? { acl } : {}),
  });
  sent = true;
  const back = await store.get(key);
  if (!back?.equals(body)) throw new Failure('ReadBackDiffers', `what ${name} gives back is not what was sent`);
}

/**
 * When the answer to the switch is lost, only reading tells what happened; when that fails too, nothing may be taken back.
 * @throws Failure LiveScriptChanged, SwitchedButUnverified
 */
export async function switchOver({ cluster, facts }: Survey, url: string): Promise<void> {
  try {
    await switchScript(cluster, facts.agentConfig!, url);
  } catch (error) {
    const now = await readAgentConfig(cluster).catch((cause: unknown) => {
      throw new Failure('SwitchedButUnverified', `whether addNodeScriptPath is ${url} now could not be read`, {
        cause,
      });
    });
    if (now?.addNodeScriptPath !== url) throw error;
  }
}
