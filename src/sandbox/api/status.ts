/**
 * The API server's refusals. Codes, reasons and wording are those of
 * k8s.io/apimachinery/pkg/api/errors, compared with what a real 1.34 server answers.
 */
import type { Answer } from '../http.ts';
import type { Resource } from './resources.ts';
import type { Place } from './target.ts';

interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

interface Details {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly Cause[];
}

/** Thrown by whatever decides that a request fails, and sent as a body of kind Status. */
export class Refusal extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: Details | undefined;

  constructor(code: number, reason: string, message: string, details?: Details) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }
}

export const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export function refusalAnswer({ code, reason, message, details }: Refusal): Answer {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message };
  return json(code, { ...status, ...(reason && { reason }), ...(details && { details }), code });
}

/** The body that a DELETE answers with. */
export const success = (resource: Resource, name: string, uid: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { ...detailsOf(resource, name), uid },
});

const detailsOf = (resource: Resource, name?: string): Details => ({
  ...(name && { name }),
  ...(resource.group && { group: resource.group }),
  kind: resource.name,
});
const qualified = ({ name, group }: Resource) => (group === '' ? name : `${name}.${group}`);

export const badRequest = (message: string) => new Refusal(400, 'BadRequest', message);
export const unauthorized = () => new Refusal(401, 'Unauthorized', 'Unauthorized');
export const forbiddenPath = (user: string, verb: string, path: string) =>
  new Refusal(403, 'Forbidden', `forbidden: User "${user}" cannot ${verb} path "${path}"`, {});
export const noSuchResource = () =>
  new Refusal(404, 'NotFound', 'the server could not find the requested resource', {});
export const methodNotAllowed = () =>
  new Refusal(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
export const unsupportedMediaType = (accepted: readonly string[]) =>
  new Refusal(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
/** A failure of the server's own; it carries no reason. */
export const internal = (message: string) => new Refusal(500, '', message);

export const notFound = (resource: Resource, name: string) =>
  new Refusal(404, 'NotFound', `${qualified(resource)} "${name}" not found`, detailsOf(resource, name));
export const alreadyExists = (resource: Resource, name: string) =>
  new Refusal(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, detailsOf(resource, name));
export const conflict = (resource: Resource, name: string, why: string) =>
  new Refusal(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    detailsOf(resource, name),
  );

/** Unlike every other conflict, this one names the kind. */
export const preconditionFailed = ({ kind }: Resource, name: string, why: string) =>
  new Refusal(409, 'Conflict', `Operation cannot be fulfilled on ${kind} "${name}": ${why}`, { name, kind });

export function invalid(kind: string, group: string, name: string, causes: readonly Cause[]): Refusal {
  const errors = causes.map(({ field, message }) => `${field}: ${message}`);
  const all = errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
  const subject = group === '' ? kind : `${kind}.${group}`;
  return new Refusal(422, 'Invalid', `${subject} "${name}" is invalid: ${all}`, {
    ...(name && { name }),
    ...(group && { group }),
    ...(kind && { kind }),
    causes,
  });
}

export const invalidValue = (field: string, value: unknown, why: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
  field,
});

export function forbidden(user: string, verb: string, resource: Resource, place: Place): Refusal {
  const { namespace, name, subresource } = place;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const what = subresource === undefined ? resource.name : `${resource.name}/${subresource}`;
  const subject = name === undefined ? qualified(resource) : `${qualified(resource)} "${name}"`;
  const cannot = `cannot ${verb} resource "${what}" in API group "${resource.group}" ${where}`;
  return new Refusal(403, 'Forbidden', `${subject} is forbidden: User "${user}" ${cannot}`, detailsOf(resource, name));
}
