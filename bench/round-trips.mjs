/** What a log of --debug says about requests. */

/**
 * @typedef {object} Request
 * @property {string} whom
 * @property {string} what
 * @property {number} start in milliseconds
 * @property {number} end
 */

/**
 * @param {string} log
 * @returns {Request[]}
 */
export const requestsIn = (log) =>
  [...log.matchAll(/^(\S+Z) (.+?) {2}(.+) {2}\S+ {2}(\d+) ms$/gm)].map(([, stamp = '', whom = '', what = '', ms]) => {
    const end = Date.parse(stamp);
    return { whom, what, start: end - Number(ms), end };
  });

/** The log's times are whole milliseconds: a request that began when another had ended may seem to begin so much earlier. */
const blurMs = 1;

/**
 * The longest chain of requests of which each began after the one before it had ended.
 * @param {readonly Request[]} requests
 * @returns {Request[]}
 */
export function criticalPath(requests) {
  const inOrder = requests.toSorted((a, b) => a.end - b.end);
  /** @type {Request[][]} */
  const chains = [];
  for (const request of inOrder) {
    const before = chains.filter((chain) => (chain.at(-1)?.end ?? 0) <= request.start + blurMs);
    chains.push([...longest(before), request]);
  }
  return longest(chains);
}

/** @param {readonly Request[][]} chains */
const longest = (chains) => chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []);
