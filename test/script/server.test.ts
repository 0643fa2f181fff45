import { describe, expect, test } from 'vitest';
import { parseServer, serverFindings } from '../../src/script/server.ts';
import { codes } from './fixtures.ts';

const findings = (server: string, apiServerIp?: string) => serverFindings(parseServer(server)!, apiServerIp);

describe('a server that a new ECS host can reach', () => {
  test.each([
    'https://192.0.2.10:6443',
    'https://10.0.0.5:6443',
    'https://172.16.3.4',
    'https://192.168.8.1:6443',
    'https://[2001:db8::1]:6443',
    'https://10.103.97.20:6443',
    'https://128.0.0.1:6443',
  ])('%s is taken without a word', (server) => {
    expect(findings(server)).toEqual([]);
  });

  test('a name in a public DNS is only noted', () => {
    expect(findings('https://k8s.example.com:6443')).toMatchObject([
      { severity: 'note', what: expect.stringContaining('k8s.example.com') },
    ]);
    expect(findings('https://k8s.example.com:6443', '192.0.2.10')).toEqual([]);
  });

  test.each(['api.corp', 'k8s.lan', 'api.prod.internal', 'api.home.arpa'])(
    'a name of a private zone is a warning: %s',
    (name) => {
      expect(findings(`https://${name}:6443`)).toMatchObject([{ severity: 'warning' }]);
      expect(findings(`https://${name}:6443`, '192.0.2.10')).toEqual([]);
    },
  );
});

describe('a server that only the old hosts know', () => {
  test.each([
    'apiserver',
    'localhost',
    'lb.kubesphere.local',
    'apiserver.cluster.local',
    'apiserver.cluster.local.',
    'LB.Kubesphere.LOCAL',
    'kubernetes.default.svc',
    'node.localdomain',
    'a.localhost',
  ])('the name %s stops, unless --api-server-ip gives its address', (name) => {
    const stopped = findings(`https://${name}:6443`);
    expect(stopped).toMatchObject([{ severity: 'stop', code: 'ServerUnreachableFromEcs' }]);
    expect(stopped[0]!.what).toContain(name.toLowerCase());
    expect(stopped[0]!.next.join()).toContain('--api-server-ip');
    expect(findings(`https://${name}:6443`, '192.0.2.10')).toEqual([]);
  });

  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.1.2.3', 'loopback'],
    ['[::1]', 'loopback'],
    ['[::ffff:127.0.0.1]', 'loopback'],
    ['169.254.20.10', 'link-local'],
    ['[fe80::1]', 'link-local'],
    ['0.0.0.0', 'no address'],
    ['[::]', 'no address'],
    ['224.0.0.1', 'no address'],
    ['255.255.255.255', 'no address'],
    ['10.103.97.2', 'sealos'],
  ])('the address %s stops, and a hosts line cannot mend it', (address, why) => {
    for (const given of [undefined, '192.0.2.10']) {
      const [stopped] = findings(`https://${address}:6443`, given);
      expect(stopped).toMatchObject({
        severity: 'stop',
        code: 'ServerUnreachableFromEcs',
        what: expect.stringContaining(why),
      });
      expect(stopped!.next.join()).not.toContain('--api-server-ip');
    }
  });

  test('beside a server that is an address it is not used, and that is said', () => {
    expect(findings('https://192.0.2.10:6443', '192.0.2.20')).toMatchObject([
      { severity: 'note', code: 'HostsLineNotNeeded', what: expect.stringContaining('192.0.2.10:6443') },
    ]);
  });
  test.each(['127.0.0.1', '10.103.97.2', '::1', 'fe80::1'])('--api-server-ip %s is no help', (address) => {
    expect(codes(findings('https://apiserver.cluster.local:6443', address))).toEqual(['ServerUnreachableFromEcs']);
    expect(findings('https://apiserver.cluster.local:6443', address)[0]!.what).toContain('--api-server-ip');
  });
});
