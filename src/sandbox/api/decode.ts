/** From the bytes of a request to an object, with the refusals of k8s.io/apiserver/pkg/endpoints/handlers. */
import type { Request } from '../http.ts';
import type { KubeObject, Metadata, Precondition } from './objects.ts';
import { apiVersion, type Resource } from './resources.ts';
import { badRequest, internal, invalid, invalidValue, Refusal, unsupportedMediaType } from './status.ts';
import type { Place } from './target.ts';

type Json = Readonly<Record<string, unknown>>;

const mediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const contentType = ({ headers }: Request) => headers['content-type']?.split(';')[0]?.trim() ?? '';

/** The object in the body of a POST or PUT. */
export function decodeObject(request: Request, resource: Resource, namespace: string | undefined): KubeObject {
  const value = decodeJson(request, resource);
  const { kind = resource.kind, apiVersion: given = apiVersion(resource) } = value;
  if (kind !== resource.kind || given !== apiVersion(resource)) {
    const problem = 'unknown conversion';
    throw badRequest(`${kind} in version "${given}" cannot be handled as a ${resource.kind}: ${problem}`);
  }
  const problem = fieldProblem(resource, value);
  if (problem !== undefined) {
    throw badRequest(`${resource.kind} in version "v1" cannot be handled as a ${resource.kind}: ${problem}`);
  }
  return placed(resource, value, namespace);
}

function decodeJson(request: Request, resource: Resource): Json {
  // The real server reads these two as well; what is not JSON is refused here.
  if (contentType(request) !== 'application/json') throw unsupportedMediaType(mediaTypes);
  const text = request.body.toString('utf8');
  const value = parse(text);
  if (isObject(value)) return value;
  const why = value === undefined ? 'unexpected end of JSON input' : 'json: cannot unmarshal into an object';
  throw badRequest(
    `the object provided is unrecognized (must be of type ${resource.kind}): couldn't get version/kind; json parse error: ${why}`,
  );
}

/** What a PATCH makes of the standing object. */
export function decodePatch(request: Request, resource: Resource): (standing: KubeObject) => KubeObject {
  const value = parse(request.body.toString('utf8'));
  switch (contentType(request)) {
    case 'application/merge-patch+json':
      break;
    case 'application/strategic-merge-patch+json':
      // For these two it says the same as a merge patch: they hold no lists.
      if (resource.kind === 'ConfigMap' || resource.kind === 'Secret') break;
      throw notTaken('the sandbox takes strategic merge patches for ConfigMaps and Secrets only');
    case 'application/json-patch+json': {
      if (Array.isArray(value)) throw notTaken('the sandbox takes no JSON patch');
      const why = 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp';
      throw badRequest(`error decoding patch: ${why}`);
    }
    default:
      throw notTaken('415: Unsupported Media Type');
  }
  if (!isObject(value)) throw badRequest('error decoding patch: unexpected end of JSON input');
  return (standing) => {
    const patched = mergePatch(standing, value) as Json;
    const otherKind = patched.kind === standing.kind ? undefined : `kind ${String(patched.kind)}`;
    const problem = otherKind ?? fieldProblem(resource, patched);
    if (problem !== undefined) throw invalid('', '', '', [invalidValue('patch', '', problem)]);
    return placed(resource, patched, standing.metadata.namespace, standing.metadata.name);
  };
}

const notTaken = (message: string) => new Refusal(415, 'UnsupportedMediaType', message, {});

/** RFC 7396. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** A PUT: the name in the body must be the one in the URL. */
export function decodeReplacement(request: Request, resource: Resource, { namespace, name }: Place): () => KubeObject {
  const scope = resource.namespaced ? namespace : undefined;
  const object = placed(resource, decodeObject(request, resource, scope), scope, name);
  return () => object;
}

/** DeleteOptions: what must hold, and whether it is only a rehearsal. */
export function decodeDeleteOptions(request: Request): { only: Precondition; dryRun: boolean } {
  if (request.body.length === 0) return { only: {}, dryRun: false };
  if (contentType(request) !== 'application/json') throw unsupportedMediaType(mediaTypes);
  const value = parse(request.body.toString('utf8'));
  if (!isObject(value)) throw internal("couldn't get version/kind; json parse error: unexpected end of JSON input");
  const only = isObject(value.preconditions) ? (value.preconditions as Precondition) : {};
  return { only, dryRun: Array.isArray(value.dryRun) && value.dryRun.includes('All') };
}

function placed(resource: Resource, value: Json, namespace: string | undefined, name?: string): KubeObject {
  const metadata = (isObject(value.metadata) ? value.metadata : {}) as Partial<Metadata>;
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (name !== undefined && metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name ?? ''}) does not match the name on the URL (${name})`);
  }
  const stored = resource.kind === 'Secret' ? storedSecret(value) : value;
  return {
    ...stored,
    apiVersion: apiVersion(resource),
    kind: resource.kind,
    metadata: { ...metadata, name: metadata.name ?? '', ...(namespace && { namespace }) },
  };
}

/** stringData is write-only and wins over data; a Secret without a type is Opaque. */
function storedSecret({ stringData, ...secret }: Json): Json {
  const plain = Object.entries((stringData ?? {}) as Record<string, string>);
  const encoded = plain.map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const data = { ...(secret.data as Json | undefined), ...Object.fromEntries(encoded) };
  return { type: 'Opaque', ...secret, ...(Object.keys(data).length > 0 && { data }) };
}

/** What Go's decoder would stumble over in the fields that hold texts. */
function fieldProblem(resource: Resource, value: Json): string | undefined {
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const texts: readonly (readonly [string, unknown])[] = [
    ['metadata.labels', metadata.labels],
    ['metadata.annotations', metadata.annotations],
    ...(resource.kind === 'ConfigMap' || resource.kind === 'Secret' ? [['data', value.data] as const] : []),
    ...(resource.kind === 'Secret' ? [['stringData', value.stringData] as const] : []),
  ];
  for (const [field, map] of texts) {
    for (const text of Object.values(isObject(map) ? map : {})) {
      if (typeof text === 'string') continue;
      return `json: cannot unmarshal ${typeof text} into Go struct field ${resource.kind}.${field} of type string`;
    }
  }
  const encoded = resource.kind === 'Secret' ? Object.values((value.data ?? {}) as Record<string, string>) : [];
  const wrong = encoded.find((text) => Buffer.from(text, 'base64').toString('base64') !== text);
  return wrong === undefined ? undefined : 'illegal base64 data at input byte 0';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
