import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseClusterInfo, pinOf, readAnonymously } from '../../src/cluster/discovery.ts';
import { Failure } from '../../src/errors.ts';
import { configMap, type FakeApi, forbidden, ok, raw, refused, silent, startFakeApi } from './fake-api.ts';
import { open } from './open.ts';

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}.pem`, import.meta.url), 'utf8');
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** What `openssl x509 -pubkey | openssl pkey -pubin -outform der | sha256sum` and Go's crypto/x509 say of each. */
const pins = {
  'ca-ec': 'sha256:0b8a018aa38a47b99a964e8715d1b706adb5f155e16c7a5ae81cc55ab9f9a96b',
  'ca-ec-compressed': 'sha256:7a3c0fea81b0036117a60a3b96c2580c819017218953cc34525186dbaee0fd7b',
  'ca-rsa': 'sha256:fbf7860843e40123c0c3c05f298de7883b0365a22a974f06230016f43abd7d7f',
} as const;

const clusterInfo = (cluster: object, signatures: Record<string, string> = {}) => ({
  data: { kubeconfig: stringify({ clusters: [{ name: '', cluster }] }), ...signatures },
  resourceVersion: '1',
});
const server = 'https://192.0.2.10:6443';

describe('E4 CA pins', () => {
  test.each(Object.entries(pins))('%s has the pin that openssl and Go compute', (name, pin) => {
    const found = parseClusterInfo(clusterInfo({ server, 'certificate-authority-data': base64(fixture(name)) }));
    expect(found.pins).toEqual([pin]);
  });

  test('a bundle has one for each certificate, in its order, whatever stands between them', () => {
    const bundle = `# old\n${fixture('ca-rsa')}\r\n\n# new\n${fixture('ca-ec')}`;
    const found = parseClusterInfo(clusterInfo({ server, 'certificate-authority-data': base64(bundle) }));
    expect(found.pins).toEqual([pins['ca-rsa'], pins['ca-ec']]);
    expect(found.caPem).toBe(fixture('ca-rsa') + fixture('ca-ec'));
  });

  test('the hash of nothing is refused', () => {
    expect(() => pinOf(Buffer.alloc(0))).toThrow(expect.objectContaining({ code: 'DiscoveryInvalid' }));
  });
});

describe('cluster-info', () => {
  const data = base64(fixture('ca-ec'));

  test.each([
    ['https://192.0.2.10:6443', 'https://192.0.2.10:6443'],
    ['https://api.example.com', 'https://api.example.com'],
    ['https://[2001:db8::1]:6443/', 'https://[2001:db8::1]:6443'],
  ])('E4 server %s is kept as %s', (given, kept) => {
    expect(parseClusterInfo(clusterInfo({ server: given, 'certificate-authority-data': data })).server).toBe(kept);
  });

  test('tells which tokens it is signed for', () => {
    const signatures = {
      'jws-kubeconfig-zzzzzz': 'e30..x',
      'jws-kubeconfig-abcdef': 'e30..y',
      'jws-kubeconfig-empty0': '',
    };
    const found = parseClusterInfo(clusterInfo({ server, 'certificate-authority-data': data }, signatures));
    expect(found.signedFor).toEqual(['abcdef', 'zzzzzz']);
  });

  const broken: readonly [string, Record<string, string>, string][] = [
    ['without the key kubeconfig', {}, 'has no key kubeconfig'],
    ['with an empty kubeconfig', { kubeconfig: '' }, 'has no key kubeconfig'],
    ['that is not YAML', { kubeconfig: 'a: [' }, 'has a kubeconfig that is not YAML'],
    ['without clusters', { kubeconfig: 'kind: Config' }, 'has a kubeconfig that names no cluster'],
    ['with an empty list of clusters', { kubeconfig: 'clusters: []' }, 'has a kubeconfig that names no cluster'],
  ];
  const brokenClusters: readonly [string, object, string][] = [
    ['without a server', { 'certificate-authority-data': data }, 'has a kubeconfig without a server'],
    ['with a server that is none', { server: '192.0.2.10:6443' }, 'has server 192.0.2.10:6443, which is no URL'],
    ['with a server by http', { server: 'http://192.0.2.10' }, 'has server http://192.0.2.10, which is not https'],
    [
      'with a server that has a path',
      { server: 'https://x.example.com/k8s/c-1' },
      'has server https://x.example.com/k8s/c-1, which is more than a host and a port',
    ],
    [
      'with the CA as a file',
      { server, 'certificate-authority': '/etc/kubernetes/pki/ca.crt' },
      'names its CA as the file /etc/kubernetes/pki/ca.crt, and kubeadm reads only certificate-authority-data',
    ],
    ['without a CA', { server }, 'has no certificate-authority-data'],
    [
      'with a CA that is not base64',
      { server, 'certificate-authority-data': '%%%' },
      'has certificate-authority-data that is not base64',
    ],
    [
      'with a CA that is no PEM',
      { server, 'certificate-authority-data': base64('hello') },
      'has certificate-authority-data that holds no PEM certificate',
    ],
    [
      'with a CA that is no certificate',
      {
        server,
        'certificate-authority-data': base64('-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----'),
      },
      'has a CA certificate that cannot be read',
    ],
  ];
  const rows = [
    ...broken.map(([name, keys, reason]) => [name, { data: keys, resourceVersion: '1' }, reason] as const),
    ...brokenClusters.map(([name, cluster, reason]) => [name, clusterInfo(cluster), reason] as const),
    [
      'with two clusters',
      {
        data: { kubeconfig: stringify({ clusters: [{ cluster: { server } }, { cluster: { server } }] }) },
        resourceVersion: '1',
      },
      'has a kubeconfig with 2 clusters, and kubeadm takes any of them',
    ] as const,
  ];
  test.each(rows)('E5 one %s is DiscoveryInvalid with a sentence of its own', (_, found, reason) => {
    const parse = () => parseClusterInfo(found);
    expect(parse).toThrow(Failure);
    expect(parse).toThrow(
      expect.objectContaining({ code: 'DiscoveryInvalid', message: `ConfigMap kube-public/cluster-info ${reason}` }),
    );
  });

  test('E5 the sentences differ', () => {
    expect(new Set(rows.map(([, , reason]) => reason)).size).toBe(rows.length - 2);
  });
});

describe('E8 the anonymous read', () => {
  const path = 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info';
  let api: FakeApi;
  beforeAll(async () => {
    api = await startFakeApi();
  });
  afterEach(() => api.reset());
  afterAll(() => api.close());

  test.each([
    ['200', ok(configMap('cluster-info', {})), 'readable', ''],
    ['401', refused(401, 'Unauthorized'), 'unauthorized', '(401)'],
    ['403', forbidden('get', 'configmaps'), 'forbidden', '(403)'],
    ['500', refused(500, 'InternalError'), 'unreachable', '(500)'],
    ['HTML', raw(200, '<html>'), 'unreachable', 'no whole Kubernetes object'],
    ['no answer', silent, 'unreachable', 'did not answer within 0.3 s'],
  ] as const)('with %s', async (_, reply, result, why) => {
    api.on(path, reply);
    const cluster = await open(api, { timeoutMs: 300 });
    const found = await readAnonymously(cluster.at(api.url, api.ca));
    expect(found.result).toBe(result);
    expect(found.why).toContain(why);
    expect(api.seen.at(-1)?.headers.authorization).toBeUndefined();
  });

  test('from a server that is not there is unreachable', async () => {
    const cluster = await open(api);
    expect((await readAnonymously(cluster.at('https://127.0.0.1:1', api.ca))).result).toBe('unreachable');
  });

  test('with another CA than the one that signed the server is unreachable', async () => {
    const cluster = await open(api);
    const found = await readAnonymously(cluster.at(api.url, fixture('ca-ec')));
    expect(found.result).toBe('unreachable');
    expect(found.why).toContain('is not trusted');
  });
});
