import type { Answer, Request } from './http.ts';

/**
 * What happens instead of the right answer. `reset`: the connection ends before the request has any effect;
 * `reset after`: it had its effect, and the connection ends without an answer; `hang`: no answer, ever;
 * `truncate`: half of the answer's body, then the connection ends; an answer: that one, and no effect.
 */
export type Effect = 'reset' | 'reset after' | 'hang' | 'truncate' | Answer;

export interface Fault {
  /** Tested against `METHOD /path?query`, for example `/^PATCH .*\/ack-agent-config/`. */
  readonly request: RegExp;
  /** The first matching request that it happens to, counted from 1; default 1. */
  readonly nth?: number;
  /** How many matching requests from there on; default 1. */
  readonly times?: number;
  readonly effect: Effect;
}

/** One request that arrived, without anything secret: no header, no body, no signature. */
export interface Seen {
  /** Name of the context, or `oss`. */
  readonly server: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly contentType: string | undefined;
  /** Who asked: a Kubernetes user name, an access key id, or `anonymous`. */
  readonly user: string | undefined;
  /** Undefined when nothing was answered. */
  readonly status: number | undefined;
}

const secretParameters = /^(x-oss-signature|x-oss-credential|x-oss-security-token|signature|security-token)$/i;

/** Everything that passes through the sandbox's servers: the record of it, and the faults that tests put there. */
export class Traffic {
  readonly seen: Seen[] = [];
  #faults: { readonly fault: Fault; met: number }[] = [];

  /** Faults are looked up in the order they were added; the first one due wins. */
  add(fault: Fault): void {
    this.#faults.push({ fault, met: 0 });
  }

  clear(): void {
    this.#faults = [];
  }

  meet(request: Request): Effect | undefined {
    const line = `${request.method} ${pathOf(request)}`;
    let due: Effect | undefined;
    for (const entry of this.#faults) {
      if (!entry.fault.request.test(line)) continue;
      entry.met += 1;
      const { nth = 1, times = 1, effect } = entry.fault;
      if (entry.met >= nth && entry.met < nth + times) due ??= effect;
    }
    return due;
  }

  record(server: string, request: Request, answer?: Answer): void {
    this.seen.push({
      server,
      method: request.method,
      path: pathOf(request),
      contentType: request.headers['content-type'],
      user: answer?.user,
      status: answer?.status,
    });
  }
}

function pathOf(request: Request): string {
  const shown = [...request.query].filter(([name]) => !secretParameters.test(name));
  const query = shown.map(([name, value]) => (value === '' ? name : `${name}=${value}`)).join('&');
  return query === '' ? request.path : `${request.path}?${query}`;
}
