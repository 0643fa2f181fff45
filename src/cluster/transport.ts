/**
 * The one way to an API server: every request passes the gate, has a time limit and a largest answer, and whatever
 * goes wrong becomes a Failure. client-node itself has none of these (facts/toolchain.md).
 */
import { request as httpsRequest } from 'node:https';
import type { HttpLibrary, RequestContext } from '@kubernetes/client-node';
import { ResponseContext, wrapHttpLibrary } from '@kubernetes/client-node';
import { Failure } from '../errors.ts';
import { traced } from '../tracing.ts';
import type { Place, StatusBody } from './api-failures.ts';
import { networkFailure, refusal } from './api-failures.ts';
import type { Operation } from './operation.ts';
import { operationOf, operationText } from './operation.ts';

export interface Limits {
  /** Of one request, from its start to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Refuses everything that could change the cluster. */
  readonly readOnly: boolean;
  /** Ends every request, with its own reason. */
  readonly signal: AbortSignal | undefined;
}

/** A page of 200 nodes has about 4 MB; what is larger than this is no answer to any question of ours. */
const maxAnswerBytes = 32 * 1024 * 1024;

/** What client-node sends its requests by. */
export function transport(place: Place, limits: Limits): HttpLibrary {
  return wrapHttpLibrary({
    async send(request) {
      const operation = operationOf(request.getHttpMethod(), new URL(request.getUrl()).pathname);
      if (limits.readOnly) refuseWrites(operation);
      const answer = await traced(
        place.server,
        `${operationText(operation)} as ${place.who}`,
        () => exchangeInTime(request, operation, place, limits),
        ({ code }) => code,
      );
      const body = parsed(answer.body);
      if (answer.code < 200 || answer.code > 299) throw refusal(operation, answer.code, statusBody(body), place);
      if (!isKubernetes(body)) {
        const what = `could not ${operationText(operation)}: what ${place.server} answers is no whole Kubernetes object`;
        throw new Failure('ClusterAnswerInvalid', what);
      }
      const json = { 'content-type': 'application/json' };
      return new ResponseContext(answer.code, json, {
        text: async () => answer.body.toString('utf8'),
        binary: async () => answer.body,
      });
    },
  });
}

const reading = ['get', 'list'];

/** The gate: a dry run can change nothing, whatever the code above it does. An access review is a question by POST. */
function refuseWrites(operation: Operation): void {
  const review =
    operation.verb === 'create' &&
    operation.group === 'authorization.k8s.io' &&
    ['selfsubjectaccessreviews', 'subjectaccessreviews'].includes(operation.resource);
  if (!review && !reading.includes(operation.verb)) {
    throw new Failure('Bug', `a run that may only read tried to ${operationText(operation)}`);
  }
}

interface Answer {
  readonly code: number;
  readonly body: Buffer;
}

async function exchangeInTime(
  request: RequestContext,
  operation: Operation,
  place: Place,
  { timeoutMs, signal }: Limits,
): Promise<Answer> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await exchange(request, signal ? AbortSignal.any([deadline, signal]) : deadline, timeoutMs);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Failure) throw error;
    if (deadline.aborted) {
      const what = `could not ${operationText(operation)}: ${place.server} did not answer within ${timeoutMs / 1000} s`;
      throw new Failure('ClusterTimeout', what);
    }
    throw networkFailure(operation, error, place);
  }
}

/** @param timeoutMs Also given to the socket, so that a proxy that never answers CONNECT does not keep the process. */
function exchange(request: RequestContext, signal: AbortSignal, timeoutMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const body = request.getBody();
    const headers = {
      'user-agent': 'ackone-join',
      ...request.getHeaders(),
      // Node frames the body of a DELETE by itself only when it is told how long it is.
      ...(typeof body === 'string' && { 'content-length': Buffer.byteLength(body) }),
    };
    const agent = request.getAgent();
    const options = { method: request.getHttpMethod(), headers, signal, timeout: timeoutMs, ...(agent && { agent }) };
    const outgoing = httpsRequest(request.getUrl(), options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > maxAnswerBytes) {
          outgoing.destroy(new Failure('ClusterAnswerInvalid', `the answer of ${request.getUrl()} never ends`));
        }
      });
      response.on('error', reject);
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

type Json = Readonly<Record<string, unknown>>;

/** An object, or undefined: HTML, a truncated answer, a list. */
function parsed(body: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** Every answer says its kind, but for /version and a kubelet's /configz. */
const isKubernetes = (body: Json | undefined): boolean =>
  typeof body?.kind === 'string' || typeof body?.gitVersion === 'string' || typeof body?.kubeletconfig === 'object';

function statusBody(body: Json | undefined): StatusBody | undefined {
  if (body?.kind !== 'Status') return undefined;
  const { reason, message } = body;
  return {
    reason: typeof reason === 'string' ? reason : '',
    message: typeof message === 'string' ? message : '',
  };
}
