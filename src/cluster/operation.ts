/** What a request to the API server does, in the words of RBAC. */
export interface Operation {
  /** `get`, `list`, `create`, `patch`, `update`, `delete`. */
  readonly verb: string;
  /** `certificates.k8s.io`; empty for the core group. */
  readonly group: string;
  /** `nodes`, `configmaps`, `nodes/proxy`; the path itself where it names no resource, such as `/version`. */
  readonly resource: string;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

const collectionVerbs: Readonly<Record<string, string>> = {
  GET: 'list',
  HEAD: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
};
const objectVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  PATCH: 'patch',
  PUT: 'update',
  DELETE: 'delete',
};

/**
 * Reads a request as the API server's own authorizer does (apiserver pkg/endpoints/request/requestinfo.go), for the
 * paths `/api/v1/…` and `/apis/GROUP/VERSION/…`. A server may have a path of its own in front (a proxy).
 */
export function operationOf(method: string, path: string): Operation {
  const found =
    /\/(?:api\/v1|apis\/([^/]+)\/[^/]+)\/(?:namespaces\/([^/]+)\/)?([^/]+)(?:\/([^/]+)(?:\/([^/]+)(?:\/.*)?)?)?$/.exec(
      path,
    );
  const verbs = found?.[4] === undefined ? collectionVerbs : objectVerbs;
  const decoded = (part: string | undefined) => (part === undefined ? undefined : decodeURIComponent(part));
  if (!found) {
    return { verb: objectVerbs[method] ?? method, group: '', resource: path, name: undefined, namespace: undefined };
  }
  return {
    verb: verbs[method] ?? method,
    group: found[1] ?? '',
    resource: [found[3], found[5]].filter((part) => part !== undefined).join('/'),
    name: decoded(found[4]),
    namespace: decoded(found[2]),
  };
}

/** `list nodes`, `get configmaps kube-system/kubeadm-config`, `create secrets in kube-system`. */
export function operationText({ verb, resource, name, namespace }: Omit<Operation, 'group'>): string {
  if (name !== undefined) return `${verb} ${resource} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  return namespace === undefined ? `${verb} ${resource}` : `${verb} ${resource} in ${namespace}`;
}
