/** From what the API server or the network says to a Failure that names verb and resource. */
import { Failure } from '../errors.ts';
import type { Operation } from './operation.ts';
import { operationText } from './operation.ts';

/** Where a request went, for its sentence. */
export interface Place {
  /** `https://192.0.2.10:6443` */
  readonly server: string;
  /** Whose credentials they are: `context "lab"`, `bootstrap token abcdef`, `nobody` (anonymous). */
  readonly who: string;
  /** `proxy.example.com:3128`, without credentials. */
  readonly proxy: string | undefined;
}

/** The Status object of a refusal, as far as it is needed (apimachinery metav1.Status). */
export interface StatusBody {
  readonly reason: string;
  readonly message: string;
}

/** An answer that is not 2xx. `status` is undefined when its body is no Status object: somebody else answered. */
export function refusal(operation: Operation, code: number, status: StatusBody | undefined, place: Place): Failure {
  const what = (reason: string) => `could not ${operationText(operation)}: ${reason}`;
  const server = `${place.server}${place.proxy === undefined ? '' : ` (through proxy ${place.proxy})`}`;
  const causes = quoted(operation, status);
  if (code === 401) {
    return new Failure('ClusterUnauthorized', what(`${server} does not accept the credentials of ${place.who} (401)`));
  }
  if (code === 429) return new Failure('ClusterBusy', what(`${server} asks to slow down (429)`));
  if (code >= 500) return new Failure('ClusterServerError', what(`${server} failed (${code})`), { causes });
  if (!status) {
    return new Failure(
      'ClusterAnswerInvalid',
      what(`${server} answers ${code} with something that is no Kubernetes answer`),
    );
  }
  if (code === 403 && / cannot /.test(status.message)) {
    return new Failure('ClusterForbidden', what(`${place.who} lacks the right to do so (403)`), {
      causes: [`missing: ${rightText(operation)}`, ...causes],
    });
  }
  if (code === 404) return new Failure('ClusterNotFound', what(missingText(operation)), { causes });
  if (code === 409) return new Failure('ClusterConflict', what(`${conflictText(status.reason)} (409)`));
  return new Failure('ClusterRejected', what(`${server} refuses the request as it stands (${code})`), { causes });
}

/** `verb "get", resource "configmaps", name "kubeadm-config", namespace "kube-system"`: a rule of RBAC. */
function rightText({ verb, group, resource, name, namespace }: Operation): string {
  const parts = { verb, group: group || undefined, resource, name, namespace };
  return Object.entries(parts)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key} "${value}"`]))
    .join(', ');
}

const missingText = ({ name }: Operation) =>
  name === undefined ? 'the API server serves nothing of that name (404)' : 'there is none (404)';

const conflictText = (reason: string) =>
  reason === 'AlreadyExists' ? 'it exists already' : 'somebody else changed it at the same time';

/** The server's own words, never about a Secret: a refusal may echo what was sent (facts/toolchain.md). */
const quoted = (operation: Operation, status: StatusBody | undefined): string[] =>
  !status?.message || operation.resource === 'secrets' ? [] : [status.message.slice(0, 300)];

const untrusted: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends in a CA that is not trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its signer is not known',
  UNABLE_TO_GET_ISSUER_CERT: 'its signer is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its signer is not known',
  CERT_SIGNATURE_FAILURE: 'its signature is not one of the CA that is trusted',
  INVALID_CA: 'the CA that signed it is none',
};
const outOfTime: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
};
const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ENOTFOUND: 'the name does not resolve',
  EAI_AGAIN: 'the name cannot be resolved at the moment',
  EHOSTUNREACH: 'there is no way to this host',
  ENETUNREACH: 'there is no way to this network',
  ETIMEDOUT: 'the connection is not answered',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
};

/** No answer came, or only a part of one. */
export function networkFailure(operation: Operation, error: unknown, place: Place): Failure {
  const code = errorCode(error);
  const what = (reason: string) => {
    const way = place.proxy === undefined ? '' : ` through proxy ${place.proxy}`;
    return `could not ${operationText(operation)} at ${place.server}${way}: ${reason}`;
  };
  if (code in untrusted) {
    const next = [
      'Put the CA that signed it into certificate-authority-data of this cluster in the kubeconfig (base64 of its PEM).',
    ];
    return new Failure(
      'ClusterCertificateUntrusted',
      what(`the server's certificate is not trusted, ${untrusted[code]}`),
      {
        next,
        causes: [code],
      },
    );
  }
  if (code in outOfTime) {
    return new Failure('ClusterCertificateExpired', what(`the server's certificate ${outOfTime[code]}`), {
      causes: [code],
    });
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new Failure(
      'ClusterCertificateUntrusted',
      what("the server's certificate is for other names than this one"),
      {
        next: ['Use a name that the certificate has, or set tls-server-name of this cluster in the kubeconfig.'],
      },
    );
  }
  if (code in unreachable) {
    return new Failure('ClusterUnreachable', what(unreachable[code]!), { causes: [code] });
  }
  if (/^(EPROTO|ERR_SSL|HPE_)/.test(code)) {
    return new Failure(
      'ClusterAnswerInvalid',
      what('what answers there does not speak TLS and HTTP as an API server does'),
      {
        causes: [code],
      },
    );
  }
  return new Failure('ClusterUnreachable', what(proxyRefusal(error) ?? 'the connection failed'), { cause: error });
}

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** hpagent tells the answer to CONNECT in its message only. */
function proxyRefusal(error: unknown): string | undefined {
  const status = error instanceof Error ? /^Bad response: (\d+)$/.exec(error.message)?.[1] : undefined;
  if (status === undefined) return undefined;
  return status === '407' ? 'the proxy wants credentials (407)' : `the proxy refuses to connect (${status})`;
}
