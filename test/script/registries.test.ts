/** Registries in closed networks: what is decided, and what runtimes are told. */
import { describe, expect, test } from 'vitest';
import { compose } from '../../src/script/compose.ts';
import { decide } from '../../src/script/decide.ts';
import { decideRegistries } from '../../src/script/registries.ts';
import { registryConstants } from '../../src/script/registry-files.ts';
import type { Registries, Runtime } from '../../src/script/types.ts';
import { parseVersion } from '../../src/script/versions.ts';
import { Host } from './bash.ts';
import { exampleInput } from './example-input.ts';
import { answersOf, codes, factsOf, inputOf, stopsOf } from './fixtures.ts';
import { makeCa } from './tls-server.ts';

const aliyun = 'registry.aliyuncs.com/google_containers/pause:3.9';
const own = 'registry.example.com:5000/k8s/pause:3.9';
const decided = (
  registryMirror: string[],
  { ca, image = aliyun, runtime = 'containerd', version = '1.7.27' }: Given = {},
) => decideRegistries({ registryMirror }, ca, { runtime, version: parseVersion(version)!, sandboxImage: image });
interface Given {
  readonly ca?: string;
  readonly image?: string;
  readonly runtime?: Runtime;
  readonly version?: string;
}
const saidOf = (mirrors: string[], given?: Given) => decided(mirrors, given).findings.map(({ what }) => what);

describe('PF: mirrors', () => {
  test('none, and nothing is said', () => {
    expect(decided([])).toMatchObject({ value: { mirrors: [], caPem: undefined, caHosts: [] }, findings: [] });
  });
  test.each([
    ['https://m.example.com', undefined, 'https://m.example.com'],
    ['https://M.example.com:443/', undefined, 'https://m.example.com'],
    ['https://192.0.2.5:5000', undefined, 'https://192.0.2.5:5000'],
    ['https://[2001:db8::5]:5000/', undefined, 'https://[2001:db8::5]:5000'],
    ['registry.k8s.io=https://m.example.com/k8s/', 'registry.k8s.io', 'https://m.example.com/k8s'],
    ['192.0.2.9:5000=https://m.example.com', '192.0.2.9:5000', 'https://m.example.com'],
    ['docker.io=https://m.example.com', 'docker.io', 'https://m.example.com'],
    ['index.docker.io=https://m.example.com', 'docker.io', 'https://m.example.com'],
    ['localhost=https://m.example.com', 'localhost', 'https://m.example.com'],
  ])('%s', (text, registry, url) => {
    expect(decided([text]).value?.mirrors).toEqual([{ registry, url }]);
  });
  test('the same twice is one', () => {
    expect(decided(['https://m.example.com', 'https://m.example.com/']).value?.mirrors).toHaveLength(1);
  });
  test('a name that no image reference takes for a registry stops', () => {
    expect(saidOf(['google=https://m.example.com'])).toEqual([
      '--registry-mirror google=https://m.example.com names the registry google, which is no host name',
    ]);
  });
  test.each(['https://m.example.com:99999', 'https://[zz]', 'x.y=https://:80'])('%s is no URL', (text) => {
    expect(codes(decided([text]).findings, 'stop')).toEqual(['AnswerInvalid']);
    expect(decided([text]).value).toBeUndefined();
  });
  test('plain http is warned of, by its URL', () => {
    const { findings, value } = decided(['http://m.example.com:5000']);
    expect(value?.mirrors).toHaveLength(1);
    expect(codes(findings, 'warning')).toEqual(['RegistryUnprotected']);
    expect(findings[0]?.what).toMatch(/^http:\/\/m\.example\.com:5000 is plain http: /);
  });
});

describe('PF: docker knows mirrors of docker.io only', () => {
  const docker = { runtime: 'docker', version: '24.0.9' } as const;
  test('of all registries: a warning', () => {
    const { value, findings } = decided(['https://m.example.com'], docker);
    expect(value?.mirrors).toHaveLength(1);
    expect(codes(findings)).toEqual(['MirrorOfDockerHubOnly']);
  });
  test('of docker.io: nothing', () => {
    expect(decided(['docker.io=https://m.example.com'], docker).findings).toEqual([]);
  });
  test('of another one: a stop that names it', () => {
    expect(codes(decided(['registry.k8s.io=https://m.example.com'], docker).findings, 'stop')).toEqual([
      'AnswersContradict',
    ]);
    expect(saidOf(['registry.k8s.io=https://m.example.com'], docker)[0]).toContain('registry.k8s.io');
  });
  test('with a path: a stop', () => {
    expect(saidOf(['docker.io=https://m.example.com/hub'], docker)).toEqual([
      'docker takes no mirror with a path, such as https://m.example.com/hub',
    ]);
  });
  test('a registry named as its own mirror only gets the CA', () => {
    const host = new Host();
    const { value, findings } = decided(['harbor.example.com=https://harbor.example.com'], {
      ...docker,
      ca: makeCa(host, 'ca'),
    });
    expect(findings).toEqual([]);
    expect(value?.caHosts).toEqual(['harbor.example.com']);
    const constants = registryConstants(
      exampleInput({ ...docker, runtimeVersion: parseVersion('24.0.9')!, registries: value! }),
    );
    expect(constants).toMatchObject({ REGISTRY_MIRRORS: [], REGISTRY_CA_HOSTS: ['harbor.example.com'] });
  });
});

describe('PF: containerd before 1.3 has mirrors of one registry each, and no CA', () => {
  const old = { version: '1.2.13' };
  test('of all registries: a stop', () => {
    expect(codes(decided(['https://m.example.com'], old).findings, 'stop')).toEqual(['AnswersContradict']);
  });
  test('with a CA: a stop', () => {
    const ca = makeCa(new Host(), 'ca');
    expect(saidOf(['docker.io=https://m.example.com'], { ...old, ca })).toEqual([
      'containerd 1.2.13 cannot be told which CA a registry has, as --registry-ca asks for',
    ]);
  });
  test('of one', () => {
    expect(decided(['docker.io=https://m.example.com'], old).findings).toEqual([]);
  });
});

describe('PF: the CA', () => {
  const host = () => new Host();
  test('is for https mirrors, and for a registry of the user’s own', () => {
    const ca = makeCa(host(), 'ca');
    const { value, findings } = decided(
      ['https://m.example.com/x', 'http://n.example.com', 'https://m.example.com/y'],
      {
        ca,
        image: own,
      },
    );
    expect(value?.caHosts).toEqual(['m.example.com', 'registry.example.com:5000']);
    expect(value?.caPem).toBe(`${ca.trim()}\n`);
    expect(codes(findings)).toEqual(['RegistryUnprotected']);
  });
  test('without a CA there are no hosts for it', () => {
    expect(decided(['https://m.example.com'], { image: own }).value?.caHosts).toEqual([]);
  });
  test('several, with words between them, which do not reach the node', () => {
    const [one, two] = [makeCa(host(), 'one'), makeCa(host(), 'two')];
    const { value } = decided(['https://m.example.com'], { ca: `subject=one\r\n${one}\nsubject=two\n${two}` });
    expect(value?.caPem).toBe(`${one.trim()}\n${two.trim()}\n`);
  });
  test.each([
    ['nothing', () => '', 'holds no certificate in PEM'],
    ['rubbish', () => 'MIIB', 'holds no certificate in PEM'],
    ['DER', () => '0\u0082\u0003', 'holds no certificate in PEM'],
    [
      'a key',
      () => {
        const made = host();
        makeCa(made, 'ca');
        return made.read('ca.crt') + made.read('ca.key');
      },
      'holds a private key, which must not reach a node; certificates are enough',
    ],
    [
      'a broken one in the middle',
      () => {
        const ca = makeCa(host(), 'ca');
        return `${ca}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${ca}`;
      },
      'holds a certificate that cannot be read, number 2 of 3',
    ],
    [
      'a request beside it',
      () => `${makeCa(host(), 'ca')}-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n`,
      'holds something else than certificates',
    ],
  ])('%s is refused', (_what, ca, why) => {
    const { value, findings } = decided(['https://m.example.com'], { ca: ca() });
    expect(value).toBeUndefined();
    expect(findings).toMatchObject([
      { severity: 'stop', code: 'AnswerInvalid', what: `the file of --registry-ca ${why}` },
    ]);
  });
  test.each([
    ['no mirror', []],
    ['an http mirror', ['http://m.example.com']],
  ])('with %s and a public pause image it is for nothing', (_what, mirrors) => {
    const { findings } = decided(mirrors, { ca: makeCa(host(), 'ca') });
    expect(codes(findings, 'stop')).toEqual(['AnswerMissing']);
    expect(findings.at(-1)?.next.join()).toMatch(/HOST=https:\/\/HOST/);
  });
});

test('PF: decide takes them over, and stops where they stop', () => {
  const ca = makeCa(new Host(), 'ca');
  const answers = answersOf({ registryMirror: ['https://m.example.com'], registryCa: 'ca.crt', sandboxImage: own });
  expect(inputOf(decide(factsOf(), answers, '0.0.0', { registryCa: ca })).registries).toEqual({
    mirrors: [{ registry: undefined, url: 'https://m.example.com' }],
    caPem: `${ca.trim()}\n`,
    caHosts: ['m.example.com', 'registry.example.com:5000'],
  });
  expect(stopsOf(decide(factsOf(), answers, '0.0.0', { registryCa: 'x' }))).toHaveLength(1);
  const kubeadm = factsOf({ kubeadmConfig: { imageRepository: 'hub.lab/k8s' } });
  expect(inputOf(decide(kubeadm, answersOf(), '0.0.0', { registryCa: ca })).registries.caHosts).toEqual(['hub.lab']);
});

const caPem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const everything: Registries = {
  mirrors: [
    { registry: 'docker.io', url: 'https://hub.example.com/v2/proxy' },
    { registry: undefined, url: 'https://m.example.com:5000' },
    { registry: undefined, url: 'http://n.example.com/path' },
  ],
  caPem,
  caHosts: ['hub.example.com', 'm.example.com:5000', 'registry.example.com:5000'],
};
const containerd = (version: string, registries: Registries, sandboxImage = own) =>
  registryConstants(exampleInput({ runtimeVersion: parseVersion(version)!, registries, sandboxImage }));

describe('PF: what containerd is told', () => {
  const ca = 'ca = "/etc/containerd/ackone-join-ca.crt"\n';
  const m = '[host."https://m.example.com:5000"]\ncapabilities = ["pull", "resolve"]\n';
  const n = '[host."http://n.example.com/path/v2"]\ncapabilities = ["pull", "resolve"]\n';
  test('a folder for each registry, from 1.6.18 on; one of the user’s own stands among its hosts', () => {
    expect(containerd('1.6.18', everything).REGISTRY_HOSTS).toEqual([
      'docker.io',
      `[host."https://hub.example.com/v2/proxy"]\ncapabilities = ["pull", "resolve"]\n${ca}override_path = true\n${m}${ca}${n}`,
      '_default',
      `${m}${ca}${n}`,
      'registry.example.com:5000',
      `${m}${ca}${n}[host."https://registry.example.com:5000"]\ncapabilities = ["pull", "resolve"]\n${ca}`,
    ]);
  });
  test.each([
    ['1.6.18', '[plugins."io.containerd.grpc.v1.cri".registry]'],
    ['1.7.27', '[plugins."io.containerd.grpc.v1.cri".registry]'],
    ['2.1.5', '[plugins."io.containerd.cri.v1.images".registry]'],
  ])('%s is led to the folders, and has no table of mirrors beside', (version, section) => {
    expect(containerd(version, everything).REGISTRY_TOML).toBe(`${section}\nconfig_path = "/etc/containerd/certs.d"`);
  });
  test.each(['1.3.7', '1.5.11', '1.6.16'])('%s has tables', (version) => {
    const constants = containerd(version, everything);
    expect(constants.REGISTRY_FOLDERS).toBe('');
    const cri = 'plugins."io.containerd.grpc.v1.cri".registry';
    expect(constants.REGISTRY_TOML).toBe(`[${cri}.mirrors."docker.io"]
endpoint = ["https://hub.example.com/v2/proxy", "https://m.example.com:5000", "http://n.example.com/path/v2"]
[${cri}.mirrors."*"]
endpoint = ["https://m.example.com:5000", "http://n.example.com/path/v2"]
[${cri}.mirrors."registry.example.com:5000"]
endpoint = ["https://m.example.com:5000", "http://n.example.com/path/v2"]
[${cri}.configs."hub.example.com".tls]
ca_file = "/etc/containerd/ackone-join-ca.crt"
[${cri}.configs."m.example.com:5000".tls]
ca_file = "/etc/containerd/ackone-join-ca.crt"
[${cri}.configs."registry.example.com:5000".tls]
ca_file = "/etc/containerd/ackone-join-ca.crt"`);
  });
  test('1.2 has them under the short name', () => {
    const mirrors = [{ registry: 'docker.io', url: 'https://m.example.com' }];
    expect(containerd('1.2.13', { mirrors, caPem: undefined, caHosts: [] }).REGISTRY_TOML).toBe(
      '[plugins.cri.registry.mirrors."docker.io"]\nendpoint = ["https://m.example.com"]',
    );
  });
});

describe('PF: what the check asks', () => {
  test('each mirror, at the root of its API', () => {
    expect(containerd('1.7.27', everything).REGISTRY_URLS).toEqual([
      'https://hub.example.com/v2/',
      'https://m.example.com:5000/v2/',
      'http://n.example.com/path/v2/',
    ]);
  });
  test('a registry of one’s own that no mirror stands in front of', () => {
    const alone = { mirrors: [], caPem, caHosts: ['registry.example.com:5000'] };
    expect(containerd('1.7.27', alone).REGISTRY_URLS).toEqual(['https://registry.example.com:5000/v2/']);
  });
});

describe('PF: what is not asked for is not in the script', () => {
  const steps = (overrides: Parameters<typeof exampleInput>[0]) =>
    ['check_registries', 'check_registry', 'configure_registries', 'trust_registries'].filter((name) =>
      compose(exampleInput(overrides)).text.includes(`\n${name}() {`),
    );
  const docker = { runtime: 'docker', runtimeVersion: parseVersion('24.0.9')! } as const;
  const only = (registry: string | undefined): Registries => ({
    mirrors: [{ registry, url: 'https://m.example.com' }],
    caPem: undefined,
    caHosts: [],
  });
  test.each([
    ['nothing', {}, ['check_registry']],
    ['a mirror of all', { registries: only(undefined) }, ['check_registries', 'configure_registries']],
    [
      'a mirror of another registry than the pause image’s',
      { registries: only('registry.k8s.io') },
      ['check_registries', 'check_registry', 'configure_registries'],
    ],
    [
      'a mirror for docker, which does not help the pause image',
      { ...docker, registries: only(undefined) },
      ['check_registries', 'check_registry', 'trust_registries'],
    ],
    [
      'a CA for the registry of the pause image',
      { registries: { mirrors: [], caPem, caHosts: ['registry.example.com:5000'] }, sandboxImage: own },
      ['check_registries', 'configure_registries'],
    ],
  ])('%s', (_what, overrides, expected) => {
    expect(steps(overrides)).toEqual(expected);
  });
});
