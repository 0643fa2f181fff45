/** What a request is about, by its method and path alone. */
import { decoded, type Request } from '../http.ts';

/** Where an object is; each part undefined when the request names none. */
export interface Place {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** What the path of a resource says, whether there is such a resource or not. */
export interface Target extends Place {
  readonly group: string;
  readonly resource: string;
}

/** @returns undefined for a path that is no resource's. */
export function targetOf(path: string): Target | undefined {
  const segments = path.split('/').filter(Boolean).map(decoded);
  const core = segments[0] === 'api';
  if (!core && segments[0] !== 'apis') return undefined;
  const rest = segments.slice(core ? 2 : 3);
  const scoped = rest[0] === 'namespaces' && rest.length > 2 && !['status', 'finalize'].includes(rest[2] ?? '');
  const [resource, name, subresource] = scoped ? rest.slice(2) : rest;
  if (resource === undefined) return undefined;
  const namespace = scoped ? rest[1] : resource === 'namespaces' ? name : undefined;
  return { group: core ? '' : (segments[1] ?? ''), resource, namespace, name, subresource };
}

/** The verb as authorization names it; empty for a method that is none. */
export function verbOf({ method, query }: Request, { name }: Target): string {
  const reading = query.get('watch') === 'true' ? 'watch' : name === undefined ? 'list' : 'get';
  const verbs: Readonly<Record<string, string>> = {
    GET: reading,
    HEAD: reading,
    // On a collection only; on a name it is refused as a method.
    POST: 'create',
    PUT: 'update',
    PATCH: 'patch',
    DELETE: name === undefined ? 'deletecollection' : 'delete',
  };
  return verbs[method] ?? '';
}
