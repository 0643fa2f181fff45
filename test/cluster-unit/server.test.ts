import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/cluster/connect.ts';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { createAuthority } from './certificates.ts';
import { type FakeApi, startFakeApi } from './fake-api.ts';
import { asksVersion, options, version } from './lab.ts';
import { rejection } from './rejection.ts';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterEach(() => api.reset());
afterAll(() => api.close());

describe('H4 proxies', () => {
  const server = 'https://api.example.com:6443';
  let proxy: ConnectProxy;
  beforeAll(async () => {
    proxy = await startConnectProxy({ 'api.example.com:6443': api.port, '192.0.2.10:6443': api.port });
  });
  afterAll(() => proxy.close());
  const nowhere = 'http://127.0.0.1:1';

  test('proxy-url leads to the server, and wins over HTTPS_PROXY and NO_PROXY', async () => {
    const kubeconfig = await api.kubeconfig({ server, 'proxy-url': proxy.url });
    expect(await asksVersion(api, { kubeconfig, env: { HTTPS_PROXY: nowhere } })).toBe('v1.28.3');
    expect(await asksVersion(api, { kubeconfig, env: { NO_PROXY: 'api.example.com' } })).toBe('v1.28.3');
  });

  test('HTTPS_PROXY leads to the server, in small letters and without a scheme as well', async () => {
    const kubeconfig = await api.kubeconfig({ server });
    expect(await asksVersion(api, { kubeconfig, env: { HTTPS_PROXY: proxy.url } })).toBe('v1.28.3');
    expect(await asksVersion(api, { kubeconfig, env: { https_proxy: proxy.url.replace('http://', '') } })).toBe(
      'v1.28.3',
    );
  });

  test('the loopback never goes by HTTPS_PROXY', async () => {
    expect(await asksVersion(api, { kubeconfig: await api.kubeconfig(), env: { HTTPS_PROXY: nowhere } })).toBe(
      'v1.28.3',
    );
  });

  test('other servers of the cluster go by the same proxy', async () => {
    const kubeconfig = await api.kubeconfig({ server, 'proxy-url': proxy.url });
    api.on('GET /version', version);
    const cluster = await connect(options({ kubeconfig }));
    const other = cluster.at('https://192.0.2.10:6443', api.ca);
    expect((await other.version.getCode()).gitVersion).toBe('v1.28.3');
    expect(api.seen[0]?.headers.authorization).toBeUndefined();
  });

  test('a proxy that refuses is named, without its password', async () => {
    const kubeconfig = await api.kubeconfig({
      server: 'https://other.example.com:6443',
      'proxy-url': proxy.url.replace('://', '://jane:geheim@'),
    });
    const failure = await rejection(asksVersion(api, { kubeconfig }));
    expect(failure.code).toBe('ClusterUnreachable');
    expect(failure.message).toBe(
      `could not get /version at https://other.example.com:6443 through proxy ${proxy.url.slice(7)}: the proxy refuses to connect (502)`,
    );
  });

  test('a proxy-url of another kind is KubeconfigInvalid', async () => {
    const failure = await rejection(connect(options({ kubeconfig: await api.kubeconfig({ 'proxy-url': 'ftp://x' }) })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toContain('proxy-url');
  });
});

describe('H4 certificates of the server', () => {
  test('tls-server-name is what the certificate must be for', async () => {
    const authority = await createAuthority('kubernetes');
    const own = await startFakeApi({ ...(await authority.issue(['cluster.example.com'])), ca: authority.cert });
    try {
      own.on('GET /version', version);
      const good = await connect(
        options({ kubeconfig: await own.kubeconfig({ 'tls-server-name': 'cluster.example.com' }) }),
      );
      expect((await good.version.getCode()).gitVersion).toBe('v1.28.3');
      const wrong = await connect(options({ kubeconfig: await own.kubeconfig() }));
      const failure = await rejection(wrong.version.getCode());
      expect(failure.code).toBe('ClusterCertificateUntrusted');
      expect(failure.message).toContain('is for other names than this one');
    } finally {
      await own.close();
    }
  });

  test('SELF_SIGNED_CERT_IN_CHAIN points at certificate-authority-data', async () => {
    const authority = await createAuthority('private');
    const pair = await authority.issue(['127.0.0.1']);
    const own = await startFakeApi({ cert: `${pair.cert}\n${authority.cert}`, key: pair.key, ca: api.ca });
    try {
      const failure = await rejection(
        (await connect(options({ kubeconfig: await own.kubeconfig() }))).version.getCode(),
      );
      expect(failure.code).toBe('ClusterCertificateUntrusted');
      expect(failure.causes).toEqual(['SELF_SIGNED_CERT_IN_CHAIN']);
      expect(failure.next.join()).toContain('certificate-authority-data');
      expect(failure.next.join()).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED');
    } finally {
      await own.close();
    }
  });

  test('an expired one is ClusterCertificateExpired', async () => {
    const authority = await createAuthority('kubernetes');
    const own = await startFakeApi({ ...(await authority.issue(['127.0.0.1'], -1)), ca: authority.cert });
    try {
      const failure = await rejection(
        (await connect(options({ kubeconfig: await own.kubeconfig() }))).version.getCode(),
      );
      expect(failure.code).toBe('ClusterCertificateExpired');
      expect(failure.message).toBe(`could not get /version at ${own.url}: the server's certificate has expired`);
    } finally {
      await own.close();
    }
  });
});
