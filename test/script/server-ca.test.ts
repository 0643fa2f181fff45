/** Binary style: the API server by its CA, and the Node by kubelet's own certificate, over real TLS. */
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';
import { makeCa, makeCertificate, tlsServer } from './tls-server.ts';

const files = [
  'lib/retry.sh',
  'lib/host.sh',
  'check/check.sh',
  'check/variables.sh',
  'check/api.sh',
  'check/server-ca.sh',
];
const env = { ALIBABA_CLOUD_PROVIDER_ID: 'cn-hangzhou.i-new', ALIBABA_CLOUD_NODE_NAME: 'Node-1' };

/** A server whose certificate is for these names, and bash that reaches it as `host`. */
function serverFor(names: string, host = '127.0.0.1') {
  const machine = new Host();
  makeCa(machine, 'ca');
  makeCa(machine, 'other');
  makeCertificate(machine, 'ca', 'server', '/CN=kube-apiserver', `subjectAltName=${names}`);
  const setup = `${tlsServer}
    sleep() { true; }
    KUBE_MINOR=1.28 JOIN_TOKEN=abcdef.0123456789abcdef
    API_SERVER_HOST=${host} API_SERVER_PORT=$PORT API_SERVER_IP='' JOIN_ENDPOINT=${host}:$PORT
    SERVER_CA=$(cat "$ROOT/ca.crt")`;
  return { machine, setup };
}

describe('SH: the API server’s certificate', () => {
  const check = (names: string, more = '', host = '127.0.0.1') => {
    const { machine, setup } = serverFor(names, host);
    return { machine, ...machine.run(files, `${setup}\n${more}\ncheck_ca\necho fits`, env) };
  };
  test('of the CA and for this address: any HTTP status proves it', () => {
    const { status, stdout, stderr, machine } = check('IP:127.0.0.1');
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'fits\n', stderr: '' });
    expect(machine.read('asked')).toBe('/version None\n/version None\n');
  });
  test('several CAs in one file, of which one fits', () => {
    expect(check('IP:127.0.0.1', 'SERVER_CA=$(cat "$ROOT/other.crt" "$ROOT/ca.crt")').status).toBe(0);
  });
  test.each([
    ['another CA', 'IP:127.0.0.1', 'SERVER_CA=$(cat "$ROOT/other.crt")'],
    ['another address', 'IP:192.0.2.1', ''],
    ['rubbish for a CA', 'IP:127.0.0.1', 'SERVER_CA=rubbish'],
  ])('%s stops with its own code', (_what, names, more) => {
    const { status, stderr } = check(names, more);
    expect(status).toBe(exitCode('server-ca'));
    expect(stderr).toMatch(/does not come from the given CA: 127\.0\.0\.1:\d+: curl: /);
  });
  test('--api-server-ip leads to the server, under its own name', () => {
    const more = 'API_SERVER_IP=127.0.0.1';
    expect(check('DNS:api.lab', more, 'api.lab').status).toBe(0);
    expect(check('DNS:other.lab', more, 'api.lab').status).toBe(exitCode('server-ca'));
  });
  test('no answer at all is no certificate that does not fit', () => {
    const { status, stderr } = check('IP:127.0.0.1', 'JOIN_ENDPOINT=127.0.0.1:1');
    expect(status).toBe(exitCode('api-unreachable'));
    expect(stderr).toContain('127.0.0.1:1: curl: ');
  });
  test('a clock that is off is told as such, since no certificate is valid to it', () => {
    const { status } = check(
      'IP:127.0.0.1',
      'date() { if [[ $1 == +%s ]]; then echo 1000; else command date "$@"; fi; }\nSERVER_CA=rubbish',
    );
    expect(status).toBe(exitCode('clock'));
  });
  test('check_api asks for the Node too, and says so where no token is there to ask with', () => {
    const { machine, setup } = serverFor('IP:127.0.0.1');
    const withToken = machine.run(files, `${setup}\ncheck_api`, env);
    expect(withToken).toMatchObject({ status: 0, stderr: expect.stringContaining('was not answered (HTTP 401)') });
    const without = machine.run(files, `rm "$ROOT/port"\n${setup}\nJOIN_TOKEN=''\ncheck_api`, env);
    expect(without).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('whether there is a Node node-1 cannot be asked'),
    });
  });
});

describe('SH: the Node by kubelet’s certificate, without kubectl', () => {
  const ask = (names: string, more = '', host = '127.0.0.1') => {
    const { machine, setup } = serverFor(names, host);
    makeCertificate(machine, 'ca', 'client', '/O=system:nodes/CN=system:node:node-1');
    machine.write('/var/lib/kubelet/pki/kubelet-client-current.pem', machine.read('client.pem'));
    machine.write('/etc/kubernetes/pki/ca.crt', machine.read('ca.crt'));
    machine.write('node.json', '{"metadata": {"name": "n\u00c3\u00b6de"}}');
    const script = `${setup}\n${more}\nnode_json || { echo "status $?"; cat "$RUN/node"; }`;
    return { machine, ...machine.run([...files, 'join/bootstrap.sh'], script, env) };
  };
  test('its text, byte for byte, under kubelet’s own name', () => {
    const { machine, status } = ask('IP:127.0.0.1');
    expect(status).toBe(0);
    expect(machine.read('scratch/node')).toBe('{"metadata": {"name": "n\u00c3\u00b6de"}}');
    expect(machine.read('asked')).toBe('/api/v1/nodes/node-1 system:node:node-1\n');
  });
  test('by every python there is', () => {
    const more =
      'python() { "$ROOT/python" "$@"; }\nln -s "$(command -v python2 || command -v python3)" "$ROOT/python"';
    expect(ask('IP:127.0.0.1', more)).toMatchObject({ status: 0, stdout: '' });
  });
  test.each([
    ['a server of another CA', 'IP:127.0.0.1', 'cp "$ROOT/other.crt" "$ROOT/etc/kubernetes/pki/ca.crt"'],
    ['a server of another name', 'IP:192.0.2.1', ''],
    ['a server that is not there', 'IP:127.0.0.1', 'JOIN_ENDPOINT=127.0.0.1:1'],
    ['a Node that is not there', 'IP:127.0.0.1', 'rm "$ROOT/node.json"'],
  ])('%s is a failure', (_what, names, more) => {
    expect(ask(names, more)).toMatchObject({ status: 0, stdout: 'status 1\n' });
  });
});
