import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/errors.ts';
import { joinTarget, parseJoinCommand } from '../../src/script/join-command.ts';
import { shellWords } from '../../src/script/shell-words.ts';
import { discoveryOf, pinA, pinB } from './fixtures.ts';

const token = 'k8xsq8.4oo8va9wcqpb0123';
const secret = '4oo8va9wcqpb0123';
const good = `kubeadm join 192.0.2.10:6443 --token ${token} --discovery-token-ca-cert-hash ${pinA}`;
const plain = { endpoint: '192.0.2.10:6443', token, pins: [pinA], extraWords: [] };

const refusal = (text: string): Failure => {
  try {
    parseJoinCommand(text);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
};

describe('a join command that kubeadm would take', () => {
  test.each([
    ['in one line', good],
    [
      'in the two lines that kubeadm init prints',
      `kubeadm join 192.0.2.10:6443 --token ${token} \\\n\t--discovery-token-ca-cert-hash ${pinA} \n`,
    ],
    [
      'with Windows line ends and a byte order mark',
      `\uFEFFkubeadm join 192.0.2.10:6443 --token ${token} \\\r\n    --discovery-token-ca-cert-hash ${pinA}\r\n`,
    ],
    ['with = and quotes', `kubeadm join "192.0.2.10:6443" --token='${token}' --discovery-token-ca-cert-hash="${pinA}"`],
    ['with the endpoint last', `kubeadm join --token ${token} --discovery-token-ca-cert-hash ${pinA} 192.0.2.10:6443`],
    ['behind --', `kubeadm join --token ${token} --discovery-token-ca-cert-hash ${pinA} -- 192.0.2.10:6443`],
    ['without the port', good.replace(':6443', '')],
    ['with the two tokens spelled out', good.replace('--token', `--tls-bootstrap-token ${token} --discovery-token`)],
    ['with a pin in capitals', good.replace(pinA, pinA.toUpperCase())],
    [
      'with underscores in a flag, as kubeadm normalizes them',
      good.replace('--discovery-token-ca-cert-hash', '--discovery_token_ca_cert_hash'),
    ],
    [
      'with sudo, a path and a comment',
      `# worker\n\nsudo ${good.replace('kubeadm', '/usr/bin/kubeadm')} # until May\n`,
    ],
    ['with --control-plane=false', `${good} --control-plane=false`],
    ['with the socket that the script passes anyway', `${good} --cri-socket unix:///var/run/cri-dockerd.sock`],
    ['with a flag twice: the last one counts', good.replace('--token', '--token aaaaaa.0000000000000000 --token')],
  ])('is read %s', (_, text) => {
    expect(parseJoinCommand(text)).toEqual(plain);
  });

  test('E4 keeps every pin, each once, repeated or in commas', () => {
    const text = `${good} --discovery-token-ca-cert-hash ${pinB},${pinA} --discovery-token-ca-cert-hash=${pinB}`;
    expect(parseJoinCommand(text).pins).toEqual([pinA, pinB]);
  });

  test.each([
    ['[2001:db8::1]:6443', '[2001:db8::1]:6443'],
    ['[2001:db8::1]', '[2001:db8::1]:6443'],
    ['api.example.com:443', 'api.example.com:443'],
    ['API.example.com', 'api.example.com:6443'],
    ['apiserver.cluster.local:8443', 'apiserver.cluster.local:8443'],
  ])('reads the endpoint %s as %s', (written, endpoint) => {
    expect(parseJoinCommand(good.replace('192.0.2.10:6443', written)).endpoint).toBe(endpoint);
  });

  test('hands on the options that a worker may have, one word each', () => {
    const text = `${good} -v 5 --skip-phases=kubelet-start --ignore-preflight-errors Swap,NumCPU --ignore-preflight-errors=Mem --patches /etc/kubeadm/patches`;
    expect(parseJoinCommand(text).extraWords).toEqual([
      '--ignore-preflight-errors=Swap,NumCPU,Mem',
      '--skip-phases=kubelet-start',
      '--patches=/etc/kubeadm/patches',
      '--v=5',
    ]);
  });

  test('leaves out the pins only when the command says so', () => {
    const text = `kubeadm join 192.0.2.10:6443 --token ${token} --discovery-token-unsafe-skip-ca-verification`;
    expect(parseJoinCommand(text)).toEqual({
      ...plain,
      pins: [],
      extraWords: ['--discovery-token-unsafe-skip-ca-verification=true'],
    });
  });

  test('with --config takes all from the JoinConfiguration on the node', () => {
    expect(parseJoinCommand('kubeadm join --config /etc/kubernetes/join.yaml --ignore-preflight-errors=Swap')).toEqual({
      endpoint: '',
      token: '',
      pins: [],
      extraWords: ['--config=/etc/kubernetes/join.yaml', '--ignore-preflight-errors=Swap'],
    });
  });
});

describe('what is no join command for a worker', () => {
  test.each([
    ['nothing', ''],
    ['only a comment', `# ${good}`],
    ['another program', good.replace('kubeadm', 'kubectl')],
    ['another subcommand', good.replace('join', 'reset')],
    ['an assignment first', `KUBECONFIG=/x ${good}`],
    ['a kubeadm from somewhere', good.replace('kubeadm', '/tmp/kubeadm')],
    ['two commands on two lines', `${good}\nreboot`],
    [
      'a second line that was not continued',
      `kubeadm join 192.0.2.10:6443 --token ${token}\n--discovery-token-ca-cert-hash ${pinA}`,
    ],
    [
      'a backslash that stands before a space',
      `kubeadm join 192.0.2.10:6443 --token ${token} \\  --discovery-token-ca-cert-hash ${pinA}`,
    ],
    ['a backslash at the end', `${good} \\`],
    ['an open quote', `${good} '`],
    ['an open double quote', `${good} "`],
    ['no endpoint', good.replace('192.0.2.10:6443 ', '')],
    ['two endpoints', good.replace('--token', '192.0.2.11:6443 --token')],
    ['a token as endpoint', good.replace('192.0.2.10:6443', token)],
    ['a URL as endpoint', good.replace('192.0.2.10', 'https://192.0.2.10')],
    ['an IPv6 address without brackets', good.replace('192.0.2.10', '2001:db8::1')],
    ['a port that is none', good.replace(':6443', ':65536')],
    ['port 0', good.replace(':6443', ':0')],
    ['an address that is none', good.replace('192.0.2.10', '192.0.2.300')],
    ['a name that is none', good.replace('192.0.2.10', 'api_server')],
    ['no token', good.replace(`--token ${token} `, '')],
    ['only a discovery token', good.replace('--token', '--discovery-token')],
    ['two different tokens', `${good} --tls-bootstrap-token abcdef.0123456789abcdef`],
    ['a token in capitals', good.replace(token, token.toUpperCase())],
    ['a token without its end', good.replace(token, token.slice(0, -1))],
    ['a token without its dot', good.replace(token, token.replace('.', ''))],
    ['a masked token', good.replace(token, 'k8xsq8.****************')],
    ['a withheld token', good.replace(token, '<value withheld>')],
    ['no pin', good.slice(0, good.indexOf(' --discovery'))],
    ['a pin without its format', good.replace('sha256:', '')],
    ['a pin of another format', good.replace('sha256:', 'sha1:')],
    ['a pin that was cut off', good.slice(0, -1)],
    ['a pin that is no hex', good.replace(/..$/, 'zz')],
    [
      'E4 the pin of an EC key taken with openssl rsa',
      good.replace(pinA, 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
    ],
    ['the control plane', `${good} --control-plane --certificate-key ${'0'.repeat(64)}`],
    ['the control plane of old', `${good} --experimental-control-plane`],
    ['a certificate key', `${good} --certificate-key ${'0'.repeat(64)}`],
    ['an advertised address', `${good} --apiserver-advertise-address 192.0.2.12`],
    ['a node name for all', `${good} --node-name worker-1`],
    ['a dry run', `${good} --dry-run`],
    ['a discovery file', `${good} --discovery-file /etc/discovery.conf`],
    ['another socket', `${good} --cri-socket unix:///var/run/crio/crio.sock`],
    ['an unknown option', `${good} --join-hard`],
    ['a typographic dash', good.replace('--token', '–token')],
    ['an option without its value', `${good} --patches`],
    ['a switch that is neither', `${good} --control-plane=maybe`],
    ['all and more to ignore', `${good} --ignore-preflight-errors=all,Swap`],
    ['--config beside a token', `kubeadm join --config /etc/join.yaml --token ${token}`],
    [
      '--config beside a socket',
      'kubeadm join --config /etc/join.yaml --cri-socket unix:///run/containerd/containerd.sock',
    ],
    ['--config beside an endpoint', 'kubeadm join 192.0.2.10:6443 --config /etc/join.yaml'],
    ['a --config that depends on the folder', 'kubeadm join --config join.yaml'],
    ['a path with a quote in it', `${good} --patches "/etc/'x"`],
    ['a control character', `${good.replace('192.0.2.10', '192.0.2.10\u001b')}`],
  ])('is refused: %s', (_, text) => {
    const failure = refusal(text);
    expect(failure.code).toBe('JoinCommandInvalid');
    expect(failure.message).toMatch(/^(the|a) [^\n]*[^.\n]$/);
    expect(`${failure.message} ${failure.causes} ${failure.next}`.toLowerCase()).not.toContain(secret.slice(0, 8));
  });

  test.each([
    ['; reboot', ';'],
    ['&& reboot', '&'],
    ['| tee log', '|'],
    ['> log', '>'],
    ['< in', '<'],
    ['$(id)', '$'],
    ['$TOKEN', '$'],
    ['`id`', '`'],
    ['(id)', '('],
    ['*', '*'],
    ['{a,b}', '{'],
    ['~/x', '~'],
  ])('is refused for what only a shell can resolve: %s', (tail, char) => {
    expect(refusal(`${good} ${tail}`).message).toContain(` ${char},`);
  });

  test.each(['"$(id)"', '"`id`"', '"$x"'])('is refused for what a shell would resolve inside quotes: %s', (tail) => {
    expect(refusal(`${good} ${tail}`).code).toBe('JoinCommandInvalid');
  });

  test.each([
    `kubeadm join ${token} --discovery-token-ca-cert-hash ${pinA}`,
    `kubeadm join 192.0.2.10:6443 ${token} --discovery-token-ca-cert-hash ${pinA}`,
    `kubeadm join 192.0.2.10:6443 --token${token} --discovery-token-ca-cert-hash ${pinA}`,
    `kubeadm join 192.0.2.10:6443 --discovery-token-ca-cert-hash ${token} --token ${token}`,
    `kubeadm join 192.0.2.10:6443 --patches ${token} --token ${token} --discovery-token-ca-cert-hash ${pinA}`,
    `kubeadm join 192.0.2.10:6443 --control-plane=${token}`,
    `kubeadm ${token}`,
  ])('never shows a token that stands in the wrong place', (text) => {
    expect(refusal(text).message).not.toContain(secret.slice(0, 6));
  });
});

describe('shellWords', () => {
  test('means by quotes and backslashes what a shell means', () => {
    expect(shellWords(String.raw`a 'b c'd "e\"f\\g\h" \i\ j '' #k`)).toEqual([['a', 'b cd', 'e"f\\g\\h', 'i j', '']]);
    expect(shellWords('a\\\nb \\\n c\nd # x\n# y\ne#f')).toEqual([['ab', 'c'], ['d'], ['e#f']]);
  });

  test('gives back any words that were quoted', () => {
    const words = fc.array(
      fc.string({
        unit: fc.integer({ min: 32, max: 0x2fff }).map((code) => String.fromCodePoint(code)),
        maxLength: 12,
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(words, (given) => {
        const line = given.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
        expect(shellWords(line)).toEqual([given]);
      }),
    );
  });

  test('throws nothing but a refusal', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab -=:."\'\\\n\t#$`;~'), maxLength: 24 }), (text) => {
        try {
          shellWords(text);
        } catch (error) {
          expect(error).toMatchObject({ name: 'Failure', code: 'JoinCommandInvalid' });
        }
      }),
    );
  });

  test('agrees with bash on every line that it accepts', () => {
    const line = fc.string({ unit: fc.constantFrom(...'ab-=:. "\'\\#~[]!\t'), minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(line, (text) => {
        let words: readonly string[];
        try {
          words = shellWords(text)[0] ?? [];
        } catch {
          return;
        }
        const printed = execFileSync('bash', ['-fc', `set -- ${text}\nprintf '%s\\0' "$#" "$@"`], { encoding: 'utf8' });
        expect(printed.split('\0').slice(0, -1)).toEqual([String(words.length), ...words]);
      }),
      { numRuns: 150 },
    );
  });
});

describe('joinTarget', () => {
  const ours = { id: 'abcdef', secret: '0123456789abcdef' };
  test.each([
    ['https://192.0.2.10:6443', '192.0.2.10:6443'],
    ['https://192.0.2.10:6443/', '192.0.2.10:6443'],
    ['https://[2001:db8::1]:6443', '[2001:db8::1]:6443'],
    ['https://api.example.com', 'api.example.com:443'],
    ['https://[2001:db8::1]', '[2001:db8::1]:443'],
    ['https://apiserver.cluster.local:6443', 'apiserver.cluster.local:6443'],
  ])('E5 the server %s is joined at %s', (server, endpoint) => {
    expect(joinTarget(discoveryOf({ server }), ours)).toEqual({
      endpoint,
      token: 'abcdef.0123456789abcdef',
      pins: [pinA],
      extraWords: [],
    });
  });

  test('E4 takes the pin of every CA of a bundle', () => {
    expect(joinTarget(discoveryOf({ pins: [pinB, pinA] }), ours).pins).toEqual([pinB, pinA]);
  });

  test.each([
    ['http://192.0.2.10:6443'],
    ['https://rancher.example.com/k8s/clusters/c-1'],
    ['192.0.2.10:6443'],
    ['https://u:p@192.0.2.10'],
    ["https://a';id;'"],
    ['https://$(id):6443'],
    [''],
    ['https://192.0.2.10:99999'],
    ['https://0x7f.1:6443'],
  ])('E5 the server %s is refused', (server) => {
    expect(() => joinTarget(discoveryOf({ server }), ours)).toThrow(
      expect.objectContaining({ code: 'DiscoveryInvalid' }),
    );
  });

  test('E4 E5 no pin, and the pin of nothing, are refused', () => {
    const empty = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    for (const pins of [[], [pinA, empty]]) {
      expect(() => joinTarget(discoveryOf({ pins }), ours)).toThrow(
        expect.objectContaining({ code: 'DiscoveryInvalid' }),
      );
    }
  });
});
