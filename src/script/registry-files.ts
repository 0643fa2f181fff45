/**
 * Registries as containerd is told of them. From 1.5 on it looks into a folder for each registry (docs/hosts.md), in which
 * `_default` stands for all from 1.6.18 on (remotes/docker/config/config_unix.go: not in 1.6.16); before that, tables of
 * its configuration say the same. It refuses to start with both (pkg/cri/config/config.go, ValidatePluginConfig).
 */
import { registryOf } from './images.ts';
import { hostOf, isItself } from './registries.ts';
import type { Registries, ScriptInput } from './types.ts';
import { atLeast } from './versions.ts';

const folders = '/etc/containerd/certs.d';
const caFile = '/etc/containerd/ackone-join-ca.crt';

type Input = Pick<ScriptInput, 'registries' | 'runtime' | 'runtimeVersion' | 'sandboxImage'>;

/** Is there anything that the runtime must be told? */
export const hasRegistries = ({ mirrors, caHosts }: Registries): boolean => mirrors.length + caHosts.length > 0;

/** URLs of the mirrors that images of a registry are asked of, in order: its own before everybody's. */
function mirrorsOf({ mirrors }: Registries, registry: string | undefined): readonly string[] {
  const named = (name: string | undefined) => mirrors.filter((one) => one.registry === name).map(({ url }) => url);
  return [...new Set([...named(registry), ...named(undefined)])];
}

/** Everything that gets a folder or a table; undefined is all the rest. */
function namespaces({ mirrors, caHosts }: Registries): readonly (string | undefined)[] {
  const isMirror = (host: string) => mirrors.some(({ url }) => hostOf(url) === host);
  return [...new Set([...mirrors.map(({ registry }) => registry), ...caHosts.filter((host) => !isMirror(host))])];
}

/**
 * A mirror as it is written: with a path, its API is below that and `/v2`, or, as Harbor's proxy caches have it, the path
 * itself begins with /v2.
 */
function api(url: string): { readonly root: string; readonly whole: boolean } {
  const { pathname } = new URL(url);
  const whole = pathname.startsWith('/v2/');
  return { root: pathname === '/' || pathname === '/v2' || whole ? url : `${url}/v2`, whole };
}

/**
 * A registry whose certificate comes from the CA stands among its own hosts: containerd 1.6 reads no file without one
 * (remotes/docker/config/hosts.go, getSortedHosts).
 */
function hostsToml(registries: Registries, registry: string | undefined): string {
  const { caHosts } = registries;
  const itself = registry !== undefined && caHosts.includes(registry) ? [`https://${registry}`] : [];
  const hosts = [...new Set([...mirrorsOf(registries, registry), ...itself])].map((url) => {
    const { root, whole } = api(url);
    const trusts = itself.includes(url) || (url.startsWith('https:') && caHosts.includes(hostOf(url)));
    const trust = trusts ? `ca = "${caFile}"\n` : '';
    return `[host."${root}"]\ncapabilities = ["pull", "resolve"]\n${trust}${whole ? 'override_path = true\n' : ''}`;
  });
  return hosts.join('');
}

/** Configuration version 1 has the short name of the plugin, 3 a plugin of its own for images. */
function plugin({ runtimeVersion }: Input): string {
  if (atLeast(runtimeVersion, '2.0.0')) return 'plugins."io.containerd.cri.v1.images"';
  return atLeast(runtimeVersion, '1.3.0') ? 'plugins."io.containerd.grpc.v1.cri"' : 'plugins.cri';
}

const hasFolders = ({ runtimeVersion }: Input) => atLeast(runtimeVersion, '1.6.18');

/** The end of config.toml. */
function configToml(input: Input): string {
  const { registries } = input;
  const registry = `${plugin(input)}.registry`;
  if (hasFolders(input)) return `[${registry}]\nconfig_path = "${folders}"`;
  const mirrors = namespaces(registries).flatMap((name) => {
    const endpoints = mirrorsOf(registries, name).map((url) => JSON.stringify(api(url).root));
    return endpoints.length === 0
      ? []
      : [`[${registry}.mirrors."${name ?? '*'}"]`, `endpoint = [${endpoints.join(', ')}]`];
  });
  const configs = registries.caHosts.flatMap((host) => [
    `[${registry}.configs."${host}".tls]`,
    `ca_file = "${caFile}"`,
  ]);
  return [...mirrors, ...configs].join('\n');
}

/** What the check asks: each mirror, and a registry of one's own that no mirror stands in front of. */
function urls({ registries }: Input): readonly string[] {
  const asked = registries.mirrors.map(({ url }) => {
    const { root, whole } = api(url);
    return whole ? `${new URL(url).origin}/v2/` : root.endsWith('/v2') ? `${root}/` : `${root}/v2/`;
  });
  const alone = registries.caHosts.filter((host) => mirrorsOf(registries, host).length === 0);
  return [...new Set([...asked, ...alone.map((host) => `https://${host}/v2/`)])];
}

/** Does the check ask the registry of the pause image, or a mirror in front of it? */
export function asksForSandbox({ registries, sandboxImage, runtime }: Input): boolean {
  const registry = registryOf(sandboxImage);
  if (registries.caHosts.includes(registry)) return true;
  return mirrorsOf(registries, registry).length > 0 && (runtime === 'containerd' || registry === 'docker.io');
}

/** Constants of check/registries.sh and of each runtime's prepare/*-registries.sh. */
export function registryConstants(input: Input): Readonly<Record<string, string | readonly string[] | undefined>> {
  const { registries, runtime } = input;
  const ofContainerd = {
    REGISTRY_TOML: configToml(input),
    REGISTRY_FOLDERS: hasFolders(input) ? folders : '',
    REGISTRY_HOSTS: namespaces(registries).flatMap((name) => [name ?? '_default', hostsToml(registries, name)]),
  };
  return {
    REGISTRY_URLS: urls(input),
    REGISTRY_MIRRORS: registries.mirrors
      .filter((mirror) => runtime === 'containerd' || !isItself(mirror))
      .map(({ url }) => url),
    REGISTRY_CA: registries.caPem,
    REGISTRY_CA_HOSTS: registries.caHosts,
    REGISTRY_CA_FILE: caFile,
    ...(runtime === 'containerd' && hasRegistries(registries) ? ofContainerd : {}),
  };
}
