/** What the container runtime must be told to pull images in a closed network. */
import { bundleOf, certificatesIn, isCertificate } from '../certificates.ts';
import type { Finding } from '../errors.ts';
import type { Answers } from '../questions.ts';
import { type Decided, stop, warning } from './findings.ts';
import { isPublicRegistry, registryOf } from './images.ts';
import type { Registries, RegistryMirror, ReportedVersion, Runtime } from './types.ts';
import { atLeast } from './versions.ts';

/** The runtime that a node gets, and the image whose registry may be one of the user's own. */
export interface Puller {
  readonly runtime: Runtime;
  readonly version: ReportedVersion;
  /** Undefined when what was given is no image reference, which is said elsewhere. */
  readonly sandboxImage: string | undefined;
}

/** @param caFile What the file of --registry-ca holds; undefined when it was not given. */
export function decideRegistries(
  { registryMirror = [] }: Pick<Answers, 'registryMirror'>,
  caFile: string | undefined,
  puller: Puller,
): Decided<Registries> {
  const read = registryMirror.map(readMirror);
  const mirrors = distinct(read.filter((one): one is RegistryMirror => 'url' in one));
  const image = puller.sandboxImage === undefined ? undefined : registryOf(puller.sandboxImage);
  const own = image === undefined || isPublicRegistry(image) ? [] : [image];
  const caHosts = [...new Set([...mirrors.filter(isSecure).map(({ url }) => hostOf(url)), ...own])];
  const findings = [
    ...read.filter((one): one is Finding => 'code' in one),
    ...mirrors.filter((mirror) => !isSecure(mirror)).map(unprotected),
    ...(puller.runtime === 'docker' ? dockerFindings(mirrors) : containerdFindings(mirrors, caFile, puller.version)),
    ...(caFile === undefined ? [] : caFindings(caFile)),
    ...(caFile !== undefined && caHosts.length === 0 ? [caForNothing] : []),
  ];
  const stopped = findings.some(({ severity }) => severity === 'stop');
  const caPem = caFile === undefined ? undefined : bundleOf(certificatesIn(caFile));
  return {
    value: stopped ? undefined : { mirrors, caPem, caHosts: caFile === undefined ? [] : caHosts },
    source: '--registry-mirror and --registry-ca',
    findings,
  };
}

/** `host[:port]`, as runtimes name the folder of a registry. */
export const hostOf = (url: string): string => new URL(url).host;

/** Is it the registry itself, named so that its certificate is trusted? */
export const isItself = ({ registry, url }: RegistryMirror): boolean => registry === hostOf(url);

const isSecure = ({ url }: RegistryMirror) => url.startsWith('https:');

function distinct(mirrors: readonly RegistryMirror[]): readonly RegistryMirror[] {
  return [...new Map(mirrors.map((mirror) => [`${mirror.registry}=${mirror.url}`, mirror])).values()];
}

/** @param text `URL`, or `REGISTRY=URL`; the table has looked at its characters. */
function readMirror(text: string): RegistryMirror | Finding {
  const [, name, url = ''] = /^(?:([^=/]+)=)?(.+)$/.exec(text) ?? [];
  const registry = name === undefined ? undefined : registryOf(`${name}/image`);
  // As image references are read, `example/image` is one of docker.io.
  if (registry !== name && registry === 'docker.io' && !/(^|\.)docker\.io$/.test(name ?? '')) {
    return stop('AnswerInvalid', `--registry-mirror ${text} names the registry ${name}, which is no host name`);
  }
  if (!URL.canParse(url)) return stop('AnswerInvalid', `--registry-mirror ${text} holds no URL`);
  const { origin, pathname } = new URL(url);
  return { registry, url: `${origin}${pathname}`.replace(/\/+$/, '') };
}

const unprotected = ({ url }: RegistryMirror) =>
  warning(
    'RegistryUnprotected',
    `${url} is plain http: whoever is on the way can put other images in the place of those that nodes ask for by tag`,
    'Give an https URL, with --registry-ca where its certificate comes from a CA of your own.',
  );

/** docker asks mirrors for images of Docker Hub only, and takes URLs without a path (registry/config.go, ValidateMirror). */
function dockerFindings(mirrors: readonly RegistryMirror[]): readonly Finding[] {
  const others = mirrors.filter((mirror) => !isItself(mirror));
  const foreign = others.find(({ registry = 'docker.io' }) => registry !== 'docker.io');
  const deep = others.find(({ url }) => new URL(url).pathname !== '/');
  const all = others.some(({ registry }) => registry === undefined);
  return [
    ...(foreign
      ? [
          stop(
            'AnswersContradict',
            `docker knows mirrors of docker.io only, and --registry-mirror names one of ${foreign.registry}`,
            'Leave it out, and give --image-repository or --sandbox-image with the mirror instead.',
          ),
        ]
      : []),
    ...(deep ? [stop('AnswersContradict', `docker takes no mirror with a path, such as ${deep.url}`)] : []),
    ...(all
      ? [
          warning(
            'MirrorOfDockerHubOnly',
            'docker asks a mirror for images of docker.io only; all others it pulls from where their names say',
          ),
        ]
      : []),
  ];
}

/** Wildcards and CAs came with the CRI plugin of containerd 1.3 (containerd/cri, docs/registry.md of release/1.2 and 1.3). */
function containerdFindings(
  mirrors: readonly RegistryMirror[],
  caFile: string | undefined,
  version: ReportedVersion,
): readonly Finding[] {
  if (atLeast(version, '1.3.0')) return [];
  const old = (what: string, ...next: string[]) =>
    stop('AnswersContradict', `containerd ${version.base} ${what}`, ...next, 'Give --runtime-version 1.3 or later.');
  return [
    ...(mirrors.some(({ registry }) => registry === undefined)
      ? [old('knows mirrors of one registry each only', 'Give --registry-mirror REGISTRY=URL for each registry.')]
      : []),
    ...(caFile === undefined ? [] : [old('cannot be told which CA a registry has, as --registry-ca asks for')]),
  ];
}

function caFindings(caFile: string): readonly Finding[] {
  const invalid = (what: string) => [stop('AnswerInvalid', `the file of --registry-ca ${what}`)];
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(caFile))
    return invalid('holds a private key, which must not reach a node; certificates are enough');
  const certificates = certificatesIn(caFile);
  if (certificates.length === 0) return invalid('holds no certificate in PEM');
  const bad = certificates.findIndex((pem) => !isCertificate(pem));
  if (bad >= 0) return invalid(`holds a certificate that cannot be read, number ${bad + 1} of ${certificates.length}`);
  return caFile.split('-----BEGIN ').length - 1 > certificates.length
    ? invalid('holds something else than certificates')
    : [];
}

const caForNothing = stop(
  'AnswerMissing',
  '--registry-ca is given, but no https mirror and no registry of your own that it could be for',
  'Give --registry-mirror with an https URL, or --image-repository or --sandbox-image with that registry.',
  'For any other registry of your own, give --registry-mirror HOST=https://HOST.',
);
