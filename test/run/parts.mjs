/**
 * @typedef {object} Part
 * @property {string} name also the name of its vitest project
 * @property {number} limitMinutes after which it is stopped and has failed
 * @property {Record<string, string>} tools command → Debian package that brings it
 * @property {Preparation} [preparation] long work that may go on while other parts run
 *
 * @typedef {object} Preparation a function of a TypeScript module, called with the environment and a function that takes one line
 * @property {string} module
 * @property {string} call
 */

/** The parts in the order in which they run: the quickest answers first. @type {readonly Part[]} */
export const parts = [
  { name: 'static', limitMinutes: 5, tools: { shellcheck: 'shellcheck', shfmt: 'shfmt', git: 'git' } },
  { name: 'units', limitMinutes: 20, tools: { openssl: 'openssl', zsh: 'zsh', fish: 'fish' } },
  {
    name: 'scripts',
    limitMinutes: 10,
    tools: { shellcheck: 'shellcheck', shfmt: 'shfmt', openssl: 'openssl', gpg: 'gpg', gpgconf: 'gpgconf' },
  },
  { name: 'faults', limitMinutes: 10, tools: {} },
  { name: 'terminal', limitMinutes: 10, tools: {} },
  { name: 'package', limitMinutes: 10, tools: {} },
  {
    name: 'cluster',
    limitMinutes: 45,
    tools: {},
    preparation: { module: 'test/cluster/build-parts.ts', call: 'findParts' },
  },
  {
    name: 'host',
    limitMinutes: 30,
    tools: { mmdebstrap: 'mmdebstrap', 'systemd-nspawn': 'systemd-container', zstd: 'zstd' },
    preparation: { module: 'test/host/build.ts', call: 'buildHosts' },
  },
  {
    name: 'runtime',
    limitMinutes: 10,
    tools: { openssl: 'openssl', curl: 'curl', ip: 'iproute2', python3: 'python3' },
    preparation: { module: 'test/runtime/build-containerd.ts', call: 'buildContainerd' },
  },
];
