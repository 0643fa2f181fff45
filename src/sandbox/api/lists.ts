/** GET on a collection: selectors, and the pages of limit and continue. */
import type { Request } from '../http.ts';
import type { KubeObject, Objects } from './objects.ts';
import { apiVersion, type Resource } from './resources.ts';
import { badRequest } from './status.ts';

export function list(request: Request, resource: Resource, objects: Objects, namespace: string | undefined) {
  const bySelector = labelSelector(request.query.get('labelSelector') ?? '');
  const byField = fieldSelector(request.query.get('fieldSelector') ?? '', resource);
  const found = objects.list(resource, namespace).filter((object) => bySelector(object) && byField(object));

  const limit = limitOf(request.query.get('limit') ?? '0');
  const start = startOf(request.query.get('continue') ?? '');
  const rest = found.filter((object) => placeOf(object) > start);
  const items = limit > 0 ? rest.slice(0, limit) : rest;
  const last = items.at(-1);
  const remaining = rest.length - items.length;
  return {
    kind: `${resource.kind}List`,
    apiVersion: apiVersion(resource),
    metadata: {
      resourceVersion: objects.resourceVersion,
      ...(last && remaining > 0 && { continue: continuation(last), remainingItemCount: remaining }),
    },
    // As on the real server, the items of a list do not repeat what they are.
    items: items.map(({ apiVersion: _version, kind: _kind, ...item }) => item),
  };
}

type Filter = (object: KubeObject) => boolean;

/** Equality and set forms, as in k8s.io/apimachinery/pkg/labels. */
function labelSelector(text: string): Filter {
  const requirements = text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(requirement);
  return ({ metadata: { labels = {} } }) => requirements.every((holds) => holds(labels));
}

function requirement(text: string): (labels: Readonly<Record<string, string>>) => boolean {
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(text);
  if (set) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    const within = (value: string | undefined) => value !== undefined && values.includes(value);
    return (labels) => within(labels[key]) === (operator === 'in');
  }
  const equality = /^([^\s=!]+)\s*(==?|!=)\s*([^\s=!]*)$/.exec(text);
  if (equality) {
    const [, key = '', operator, value] = equality;
    return (labels) => (labels[key] === value) === (operator !== '!=');
  }
  const existence = /^(!?)\s*([^\s=!()]+)$/.exec(text);
  if (!existence) throw badRequest(`unable to parse requirement: found '${text}'`);
  const [, not, key = ''] = existence;
  return (labels) => key in labels === (not === '');
}

function fieldSelector(text: string, resource: Resource): Filter {
  const fields: Readonly<Record<string, (object: KubeObject) => unknown>> = {
    'metadata.name': ({ metadata }) => metadata.name,
    'metadata.namespace': ({ metadata }) => metadata.namespace,
    ...(resource.kind === 'Secret' && { type: (object: KubeObject) => object.type }),
  };
  const parts = text === '' ? [] : text.split(',');
  const tests = parts.map((part) => {
    const [, field = '', operator, value = ''] = /^([^=!]+)(==?|!=)(.*)$/.exec(part) ?? [];
    const read = fields[field];
    if (!read) {
      const known = Object.keys(fields).map((name) => `"${name}"`);
      throw badRequest(`"${field}" is not a known field selector: only ${known.join(', ')}`);
    }
    return (object: KubeObject) => (read(object) === value) === (operator !== '!=');
  });
  return (object) => tests.every((test) => test(object));
}

function limitOf(text: string): number {
  if (!/^-?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

const placeOf = ({ metadata: { namespace = '', name } }: KubeObject) => `${namespace}/${name}`;
const continuation = (last: KubeObject) =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', start: placeOf(last) })).toString('base64url');

function startOf(token: string): string {
  if (token === '') return '';
  try {
    const { start } = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as { start: unknown };
    if (typeof start === 'string') return start;
  } catch {
    // falls through to the refusal
  }
  throw badRequest('invalid continue token: continue key is not valid');
}
