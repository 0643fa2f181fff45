/** One request to a cluster's API server: who asks, what for, may they, and the answer. */
import { minorOf } from '../contexts.ts';
import type { Answer, Handler, Request } from '../http.ts';
import { type Attributes, authorize } from './access.ts';
import { decodeDeleteOptions, decodeObject, decodePatch, decodeReplacement } from './decode.ts';
import { discovery } from './discovery.ts';
import { list } from './lists.ts';
import type { KubeObject, Objects } from './objects.ts';
import { endpointSlices, namespaces, nodes, type Resource, resources, subjectReviews, type Verb } from './resources.ts';
import { review } from './reviews.ts';
import {
  forbidden,
  forbiddenPath,
  invalid,
  json,
  methodNotAllowed,
  noSuchResource,
  notFound,
  Refusal,
  refusalAnswer,
  success,
} from './status.ts';
import { type Place, type Target, targetOf, verbOf } from './target.ts';
import { authenticate, type User } from './users.ts';
import { validate } from './validate.ts';

export interface ApiServer {
  readonly objects: Objects;
  /** `v1.28.3` */
  readonly version: string;
  /** kube-apiserver's --anonymous-auth. */
  readonly anonymousAuth: boolean;
  /** What the kubelet of a Node answers to `GET /configz`. */
  configz(node: KubeObject): object;
}

export function apiHandler(server: ApiServer): Handler {
  return (request) => {
    let user: User | undefined;
    const answer = (): Answer => {
      user = authenticate(request, server.objects, server.anonymousAuth);
      const target = targetOf(request.path);
      return target ? onResource(request, target, user, server) : onPath(request, user, server);
    };
    try {
      return { ...answer(), ...(user && { user: user.name }) };
    } catch (error) {
      const refusal =
        error instanceof Refusal ? error : new Refusal(500, 'InternalError', `Internal error: ${error}`, {});
      return { ...refusalAnswer(refusal), ...(user && { user: user.name }) };
    }
  };
}

const plain = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});
const noSuchPage = plain(404, '404 page not found\n');
const pathOnly: Readonly<Record<string, string>> = { '/healthz': 'ok', '/livez': 'ok', '/readyz': 'ok' };

function onPath(request: Request, user: User, { objects, version }: ApiServer): Answer {
  const { method, path } = request;
  const verb = method.toLowerCase();
  if (!authorize(user, { verb, path }, objects).allowed) throw forbiddenPath(user.name, verb, path);
  const body = path === '/version' ? versionInfo(version) : discovery(path.replace(/\/$/, ''), served(version));
  const text = pathOnly[path];
  if (body === undefined && text === undefined) {
    if (path.startsWith('/api/')) throw noSuchResource();
    return noSuchPage;
  }
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
  return body ? json(200, body) : plain(200, text ?? '');
}

function versionInfo(gitVersion: string) {
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
  return { major, minor, gitVersion, gitCommit: '0'.repeat(40), gitTreeState: 'clean', platform: 'linux/amd64' };
}

/** SelfSubjectReview is served as v1 from 1.28 on, EndpointSlice from 1.21 on. */
const served = (version: string): readonly Resource[] =>
  resources.filter(
    (resource) =>
      (resource !== subjectReviews || minorOf({ version }) >= 28) &&
      (resource !== endpointSlices || minorOf({ version }) >= 21),
  );

function onResource(request: Request, target: Target, user: User, server: ApiServer): Answer {
  const { objects, version } = server;
  const { group, resource: name } = target;
  const resource = served(version).find((one) => one.group === group && one.name === name);
  const verb = verbOf(request, target);
  const attributes: Attributes = { ...target, verb };
  if (!authorize(user, attributes, objects).allowed) {
    const unknown = { group, name, kind: name, namespaced: false, verbs: [] };
    throw forbidden(user.name, verb, resource ?? unknown, target);
  }
  if (!resource && group !== '' && !served(version).some((one) => one.group === group)) {
    return noSuchPage;
  }
  if (resource === nodes && target.subresource === 'proxy') return onNode(request, target, server);
  const misplaced = resource?.namespaced
    ? target.name && !target.namespace
    : target.namespace && resource !== namespaces;
  if (!resource || misplaced || target.subresource) throw noSuchResource();
  const known = resource.verbs.find((one) => one === verb);
  if (!known || !fits(known, resource, target)) throw methodNotAllowed();
  return perform(known, request, resource, target, user, objects);
}

/** The API server hands this on to the Node's kubelet, and its answer back. */
function onNode({ method, path }: Request, { name = '' }: Target, { objects, configz }: ApiServer): Answer {
  const node = objects.get(nodes, undefined, name);
  return method === 'GET' && path.endsWith('/proxy/configz') ? json(200, configz(node)) : noSuchPage;
}

/** Objects are made in a collection, and changed by their name. */
function fits(verb: Verb, { namespaced }: Resource, { namespace, name }: Place): boolean {
  if (verb === 'create') return name === undefined && (!namespaced || namespace !== undefined);
  return verb === 'list' || name !== undefined;
}

function perform(verb: Verb, request: Request, resource: Resource, place: Place, user: User, objects: Objects): Answer {
  const { name = '' } = place;
  const namespace = resource.namespaced ? place.namespace : undefined;
  switch (verb) {
    case 'list':
      return json(200, list(request, resource, objects, namespace));
    case 'get':
      return json(200, objects.get(resource, namespace, name));
    case 'create': {
      const object = decodeObject(request, resource, namespace);
      if (resource.verbs.length === 1) return json(201, review(resource, object, user, objects));
      const dryRun = rehearsal(request, 'CreateOptions');
      if (namespace && !objects.find(namespaces, undefined, namespace)) throw notFound(namespaces, namespace);
      validate(resource, object);
      return json(201, objects.create(resource, object, dryRun));
    }
    case 'update':
    case 'patch': {
      const dryRun = rehearsal(request, verb === 'patch' ? 'PatchOptions' : 'UpdateOptions');
      const change = verb === 'patch' ? decodePatch(request, resource) : decodeReplacement(request, resource, place);
      const standing = objects.get(resource, namespace, name);
      const object = change(standing);
      objects.checkVersion(resource, object);
      validate(resource, object, standing);
      return json(200, objects.replace(resource, object, dryRun));
    }
    case 'delete': {
      const options = decodeDeleteOptions(request);
      const dryRun = options.dryRun || rehearsal(request, 'DeleteOptions');
      const { uid = '' } = objects.delete(resource, namespace, name, options.only, dryRun).metadata;
      return json(200, success(resource, name, uid));
    }
  }
}

/** `dryRun=All`: answer as if, and keep nothing. */
function rehearsal(request: Request, kind: string): boolean {
  const value = request.query.get('dryRun');
  if (value === undefined || value === 'All') return value === 'All';
  const message = `Unsupported value: ["${value}"]: supported values: "All"`;
  throw invalid(kind, 'meta.k8s.io', '', [{ reason: 'FieldValueNotSupported', message, field: 'dryRun' }]);
}
