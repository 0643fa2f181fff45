/** What phase check asks of the API server, and how far it believes the answer. */
import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';
import { exampleToken } from './example-input.ts';

const files = ['lib/retry.sh', 'lib/host.sh', 'check/variables.sh', 'check/api.sh', 'check/discovery.sh'];
const env = { ALIBABA_CLOUD_PROVIDER_ID: 'cn-hangzhou.i-new', ALIBABA_CLOUD_NODE_NAME: 'Node-1' };

function certificate(name: string, algorithm: readonly string[]): { pem: string; pin: string } {
  const words = [
    'req',
    '-x509',
    '-newkey',
    ...algorithm,
    '-nodes',
    '-keyout',
    '/dev/null',
    '-subj',
    `/CN=${name}`,
    '-days',
    '1',
  ];
  const pem = execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return { pem, pin: `sha256:${createHash('sha256').update(key).digest('hex')}` };
}
const ec = certificate('ec', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']);
const rsa = certificate('rsa', ['rsa:2048']);

/** cluster-info as the API sends it: a kubeconfig as one JSON string. */
function clusterInfo(bundle: string, server = 'https://192.0.2.10:6443'): string {
  const data = Buffer.from(bundle).toString('base64');
  const kubeconfig = `apiVersion: v1\nclusters:\n- cluster:\n    certificate-authority-data: ${data}\n    server: ${server}\n  name: ""\n`;
  return JSON.stringify({ kind: 'ConfigMap', data: { 'jws-kubeconfig-abcdef': 'x', kubeconfig } }, undefined, 2);
}

/** `curl` answers with the file that the path's last part names, as `answers` says; without one, 404. */
function stubs(more = ''): string {
  return `
    API_SERVER_HOST=192.0.2.10 API_SERVER_PORT=6443 API_SERVER_IP='' JOIN_ENDPOINT=192.0.2.10:6443 KUBE_MINOR=1.28
    JOIN_TOKEN=${exampleToken} JOIN_WORDS=(192.0.2.10:6443 --discovery-token-ca-cert-hash ${ec.pin})
    sleep() { true; }
    curl() {
      calls curl "$@"
      local out url=\${!#} word
      while (($# > 0)); do
        case $1 in
          -o) out=$2 ;;
          --dump-header) [[ ! -e $ROOT/head ]] || cp "$ROOT/head" "$2" ;;
          --config) cp "$2" "$ROOT/curl-config"; stat -c %a "$2" >"$ROOT/curl-mode" ;;
        esac
        shift
      done
      if [[ -e $ROOT/answers/\${url##*/} ]]; then cp "$ROOT/answers/\${url##*/}" "$out"; printf 200; else printf 404; fi
    }
    getent() { [[ $2 != unknown.example.com ]]; }
    connects() { calls connects "$@"; [[ $1 != 192.0.2.66 ]]; }
    ${more}`;
}
const run = (
  script: string,
  answers: Readonly<Record<string, string>> = {},
  more = '',
  variables: Record<string, string> = env,
) => {
  const host = new Host(
    Object.fromEntries(
      Object.entries(answers).map(([name, text]) => [name === 'head' ? name : `answers/${name}`, text]),
    ),
  );
  return { host, ...host.run(files, `${stubs(more)}\n${script}`, variables) };
};

describe('SH: the API server’s name and port', () => {
  test('a name that does not resolve here', () => {
    expect(run('check_server unknown.example.com 6443').status).toBe(exitCode('api-name'));
  });
  test('a port that takes no connections, after three tries', () => {
    const { status, host, stderr } = run('check_server 192.0.2.66 6443');
    expect(status).toBe(exitCode('api-unreachable'));
    expect(stderr).toContain('192.0.2.66 port 6443');
    expect(host.calls()).toHaveLength(3);
  });
  test('a real port that is open, and one that is not', () => {
    const script = `
      python3 -c 'import socket,sys,time; s=socket.socket(); s.bind(("127.0.0.1",0)); s.listen(); print(s.getsockname()[1], flush=True); time.sleep(5)' >"$ROOT/port" &
      while [[ ! -s $ROOT/port ]]; do command sleep 0.05; done
      connects 127.0.0.1 "$(cat "$ROOT/port")" && echo open
      kill $!
      connects 127.0.0.1 1 || echo closed`;
    const host = new Host();
    expect(host.run(files, script).stdout).toBe('open\nclosed\n');
  });
  test('a host that would be code if it became code', () => {
    const host = new Host();
    host.run(files, `connects '"; touch '"$ROOT"'/x; "' 1 || true`);
    expect(() => host.read('x')).toThrow();
  });
});

describe('SH: the CA of cluster-info is believed as far as the pin goes', () => {
  const bundle = (text: string, server?: string) => ({ 'cluster-info': clusterInfo(text, server) });
  test('E4 the pinned one, EC, alone and in a bundle, where the others are not believed', () => {
    for (const text of [ec.pem, rsa.pem + ec.pem, ec.pem + rsa.pem]) {
      const { host, status } = run('discover', bundle(text));
      expect(status).toBe(0);
      expect(host.read('scratch/ca').trim()).toBe(ec.pem.trim());
    }
  });
  test('RSA', () => {
    const { host } = run('discover', bundle(rsa.pem), `JOIN_WORDS=(x --discovery-token-ca-cert-hash ${rsa.pin})`);
    expect(host.read('scratch/ca').trim()).toBe(rsa.pem.trim());
  });
  test.each([
    ['another CA', rsa.pem],
    ['no CA', ''],
    ['rubbish', 'rubbish'],
  ])('%s stops', (_what, text) => {
    expect(run('discover', bundle(text)).status).toBe(exitCode('ca-pin'));
  });
  test('a join command without pins believes nobody, and goes on', () => {
    const { status, host } = run(
      'discover',
      bundle(rsa.pem),
      'JOIN_WORDS=(x --discovery-token-unsafe-skip-ca-verification)',
    );
    expect(status).toBe(0);
    expect(() => host.read('scratch/ca')).toThrow();
  });
  test('cluster-info that cannot be read is a warning, since it may be different for the node later', () => {
    expect(run('discover')).toMatchObject({ status: 0, stderr: expect.stringContaining('HTTP 404') });
  });
  test('another server in cluster-info is what the node will use, so it is tried as well', () => {
    expect(run('discover', bundle(ec.pem, 'https://192.0.2.66:6443')).status).toBe(exitCode('api-unreachable'));
    expect(run('discover', bundle(ec.pem, 'https://unknown.example.com')).status).toBe(exitCode('api-name'));
    expect(run('discover', bundle(ec.pem, 'https://[2001:db8::1]:6443')).host.calls()).toContain(
      'connects 2001:db8::1 6443',
    );
    expect(
      run('discover', bundle(ec.pem))
        .host.calls()
        .filter((call) => call.startsWith('connects')),
    ).toEqual([]);
  });
});

describe('SH: the clock, compared with the Date that the API server sends', () => {
  const head = (offset: number) => `HTTP/2 404\r\nDate: ${new Date(Date.now() + offset * 1000).toUTCString()}\r\n\r\n`;
  test.each([0, 200, -200])('%i s off passes', (offset) => {
    expect(run('discover', { head: head(offset) }).status).toBe(0);
  });
  test.each([8 * 3600, -8 * 3600, 400])('%i s off stops', (offset) => {
    expect(run('discover', { head: head(offset) }).status).toBe(exitCode('clock'));
  });
  test('HTTP/2 writes the name small', () => {
    expect(run('discover', { head: head(8 * 3600).replace('Date', 'date') }).status).toBe(exitCode('clock'));
  });
  test('no answer, no judgement', () => {
    expect(run('discover').status).toBe(0);
  });
});

describe('SH D6: a Node of our name', () => {
  const node = (providerID?: string) => ({
    'node-1': JSON.stringify({ spec: { ...(providerID !== undefined && { providerID }) } }),
    'cluster-info': clusterInfo(ec.pem),
  });
  const check = 'discover\ncheck_name';
  test('none: goes on', () => {
    expect(run(check, { 'cluster-info': clusterInfo(ec.pem) })).toMatchObject({ status: 0, stderr: '' });
  });
  test('ours, of an earlier run: goes on', () => {
    expect(run(check, node('cn-hangzhou.i-new')).status).toBe(0);
  });
  test.each([
    ['of a machine that is gone', 'cn-hangzhou.i-old'],
    ['of a machine without a provider id', undefined],
  ])('%s: stops and says which Node to delete', (_what, owner) => {
    const { status, stderr } = run(check, node(owner));
    expect(status).toBe(exitCode('name-taken'));
    expect(stderr).toContain('kubectl delete node node-1');
  });
  test('the token goes to curl by a file that only root can read, never by its words', () => {
    const { host } = run(check, node('cn-hangzhou.i-new'));
    expect(host.read('curl-config')).toBe(`header = "Authorization: Bearer ${exampleToken}"\n`);
    expect(host.read('curl-mode')).toBe('600\n');
    expect(host.calls().join()).not.toContain(exampleToken.slice(7));
    expect(host.calls().at(-1)).toMatch(/--cacert \S+scratch\/ca /);
  });
  test.each([
    ['before 1.18, when a token may not get Nodes', 'KUBE_MINOR=1.17'],
    ['without a CA to believe', 'JOIN_WORDS=(x)'],
  ])('%s: says that it cannot be asked, and asks nothing', (_what, more) => {
    const { host, status, stderr } = run(check, node('cn-hangzhou.i-old'), more);
    expect(status).toBe(0);
    expect(stderr).toContain('cannot be asked');
    expect(host.calls().filter((call) => call.includes('/nodes/'))).toEqual([]);
  });
  test('a refusal: says so, and goes on', () => {
    const more =
      'api_get() { [[ $1 == */cluster-info ]] && cp "$ROOT/answers/cluster-info" "$2" && printf 200 || printf 403; }';
    expect(run(check, node(), more)).toMatchObject({ status: 0, stderr: expect.stringContaining('HTTP 403') });
  });
});

test('SH: --api-server-ip is where curl connects, under the server’s name', () => {
  const { host } = run('discover', {}, 'API_SERVER_HOST=api.lab API_SERVER_IP=192.0.2.20 JOIN_ENDPOINT=api.lab:6443');
  expect(host.calls()[0]).toContain('--resolve api.lab:6443:192.0.2.20');
});
