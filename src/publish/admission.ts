/** Does a cluster that was installed from binaries let new nodes in? Looked at before anything is written. */
import { reviewBootstrapRoles } from '../cluster/bootstrap-roles.ts';
import type { Cluster } from '../cluster/connect.ts';
import { readToken } from '../cluster/token.ts';
import { type Entrance, proveBootstrapUser } from '../cluster/token-proof.ts';
import type { TokenProof } from '../cluster/types.ts';
import { Failure, type Finding } from '../errors.ts';
import type { Answers } from '../questions.ts';
import { note, warning } from '../script/findings.ts';
import type { BinaryInput, DecidedInput } from '../script/types.ts';
import type { Own } from './own-credential.ts';
import type { Surroundings } from './types.ts';

export interface Admission {
  readonly findings: readonly Finding[];
  /** Of the user's own bootstrap kubeconfig; a token of ours is proven once it is there. */
  readonly proof: TokenProof | undefined;
}

/** The API server as nodes reach it. */
export const entranceOf = ({ endpoint, caPem }: Pick<BinaryInput, 'endpoint' | 'caPem'>): Entrance => ({
  server: `https://${endpoint}`,
  caPem,
});

/** @throws Failure BootstrapRolesMissing, BootstrapKubeconfigRefuted */
export async function readAdmission(
  cluster: Cluster,
  input: DecidedInput,
  own: Own | undefined,
  { tokenGroup }: Answers,
  { now }: Pick<Surroundings, 'now'>,
): Promise<Admission> {
  if (input.style !== 'binary') return { findings: [], proof: undefined };
  const bootstrap = own?.bootstrap;
  const [review, proof, expiry] = await Promise.all([
    // What the user's own credential may do, its proof says, whichever groups it belongs to.
    reviewBootstrapRoles(cluster, bootstrap ? undefined : tokenGroup),
    bootstrap && proveBootstrapUser(cluster, entranceOf(input), bootstrap.user),
    bootstrap && readExpiry(cluster, bootstrap.expiry),
  ]);
  if (review.result === 'missing') {
    throw new Failure('BootstrapRolesMissing', 'the cluster does not grant new nodes what they need', {
      causes: review.missing,
      manifest: review.manifest,
    });
  }
  const refuse = (causes: readonly string[]) => {
    throw new Failure('BootstrapKubeconfigRefuted', 'a node could not join with --bootstrap-kubeconfig', { causes });
  };
  if (expiry?.at !== undefined && Date.parse(expiry.at) <= now().getTime()) refuse([`it has expired at ${expiry.at}`]);
  if (proof?.result === 'refuted') refuse(proof.missing);
  return {
    proof,
    findings: [
      ...(review.result === 'unknown' ? [unasked(review.why, bootstrap !== undefined)] : []),
      ...(proof?.result === 'unreachable' ? [unproven(proof.why)] : []),
      ...(expiry ? expiryFindings(expiry) : []),
    ],
  };
}

/** `at`: RFC 3339, undefined for never. */
type Expiry = { readonly known: boolean; readonly at?: string | undefined };

/** Of a bootstrap token its Secret says it, where we may read that. */
async function readExpiry(cluster: Cluster, expiry: NonNullable<Own['bootstrap']>['expiry']): Promise<Expiry> {
  if (expiry.known || expiry.tokenId === undefined) return expiry.known ? expiry : { known: false };
  const found = await readToken(cluster, expiry.tokenId, 'binary').catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'ClusterForbidden') return undefined;
    throw error;
  });
  return found ? { known: true, at: found.expiration } : { known: false };
}

const renewed = 'Before that, publish again with another --bootstrap-kubeconfig.';

function expiryFindings({ known, at }: Expiry): readonly Finding[] {
  if (!known) {
    return [
      note('BootstrapExpiryUnknown', 'when the credential of --bootstrap-kubeconfig expires is not known', renewed),
    ];
  }
  if (at === undefined) return [];
  const what = `the credential of --bootstrap-kubeconfig stops working at ${at}; no node can join after that`;
  return [warning('BootstrapExpires', what, renewed)];
}

const unasked = (why: string, onlyRenewal: boolean) =>
  note(
    'BootstrapRolesUnknown',
    onlyRenewal
      ? `whether certificates of nodes are renewed could not be asked: ${why}`
      : `whether new nodes are granted what they need could not be asked: ${why}; the token is proven by use, but the renewal of certificates is not`,
  );

const unproven = (why: string) =>
  warning('BootstrapUnproven', `whether a node can join with --bootstrap-kubeconfig is not known: ${why}`);
