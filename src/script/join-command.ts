/** A `kubeadm join …`: read from what a user gives, or made from the cluster's facts. */
import type { BootstrapToken, DiscoveryFact } from '../cluster/types.ts';
import { Failure } from '../errors.ts';
import { readJoinFlags } from './join-flags.ts';
import { type HostPort, parseHostPort, parseServer } from './server.ts';
import { shellWords } from './shell-words.ts';
import type { JoinTarget } from './types.ts';

/** SHA-256 of nothing: what `openssl rsa` leaves of an EC key (cases E4). */
const pinOfNothing = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const token = /^[a-z0-9]{6}\.[a-z0-9]{16}$/;

const refuse = (what: string): never => {
  throw new Failure('JoinCommandInvalid', what);
};

/** The words behind `kubeadm join`, of the only command in the text. */
function argumentsOf(text: string): readonly string[] {
  const commands = shellWords(text);
  if (commands.length > 1) return refuse('the join command is followed by another command on a line of its own');
  const words = commands[0]?.[0] === 'sudo' ? commands[0].slice(1) : (commands[0] ?? []);
  if (!/^(\/usr\/bin\/|\/usr\/local\/bin\/)?kubeadm$/.test(words[0] ?? '') || words[1] !== 'join') {
    return refuse('the join command does not begin with `kubeadm join`');
  }
  if (words.some((word) => word.trim() === '')) {
    return refuse(
      'the join command has an empty word, or a backslash that stands before a space instead of at the end of a line',
    );
  }
  if (words.some((word) => !/^[\x21-\x7e]+$/.test(word))) {
    return refuse(
      'the join command holds a character that no option of kubeadm join can have, such as a typographic dash',
    );
  }
  return words.slice(2);
}

/** kubeadm wants the port; people leave it out and mean 6443, where kubeadm lets the API server listen. */
function endpointOf(positionals: readonly string[]): HostPort {
  const [first] = positionals;
  if (first === undefined) return refuse('the join command names no API server: host:port is missing');
  if (positionals.length > 1)
    return refuse('the join command has more than one word that is no option; only host:port can be one');
  const endpoint = token.test(first) ? undefined : parseHostPort(first, 6443);
  return (
    endpoint ??
    refuse('the API server in the join command is not written as host:port; an IPv6 address stands in brackets')
  );
}

/** One token for discovery and for the certificate request, as `--token` gives it (cmd/kubeadm/app/cmd/join.go). */
function tokenOf(values: ReadonlyMap<string, readonly string[]>): string {
  const last = (name: string) => values.get(name)?.at(-1);
  const discovery = last('discovery-token') ?? last('token');
  const bootstrap = last('tls-bootstrap-token') ?? last('token');
  if (discovery === undefined || bootstrap === undefined) return refuse('the join command has no --token');
  if (discovery !== bootstrap)
    return refuse('the join command has two different tokens; ackone-join needs one that does both');
  if (!token.test(discovery)) {
    return refuse('the token in the join command is not of the form abcdef.0123456789abcdef: 6 and 16 of a-z and 0-9');
  }
  return discovery;
}

/** Pins as kubeadm's pubkeypin takes them, in lower case, each once. */
function pinsOf(values: readonly string[]): readonly string[] {
  const pins = values.map((pin) => pin.toLowerCase());
  for (const pin of pins) {
    if (!/^sha256:[0-9a-f]{64}$/.test(pin)) {
      return refuse('a --discovery-token-ca-cert-hash in the join command is not sha256: and 64 hexadecimal digits');
    }
    if (pin === pinOfNothing) {
      return refuse(
        'the --discovery-token-ca-cert-hash in the join command is the hash of nothing: `openssl rsa` was used on an EC key',
      );
    }
  }
  return [...new Set(pins)];
}

/**
 * Reads a join command that a user gives, as printed by `kubeadm token create --print-join-command`: in one line or in
 * two, with any of kubeadm's options that a worker's join may have.
 *
 * With `--config` the JoinConfiguration on the node says where and with which token: endpoint, token and pins are empty
 * then, and kubeadm takes no other discovery option and no `--cri-socket` beside it (ValidateMixedArguments).
 * @throws Failure JoinCommandInvalid; its message never holds a part of a token.
 */
export function parseJoinCommand(text: string): JoinTarget {
  const { values, positionals, extraWords } = readJoinFlags(argumentsOf(text));
  if (values.has('config')) {
    if (positionals.length > 0)
      return refuse('the join command has both --config and an API server; kubeadm would ignore the latter');
    return { endpoint: '', token: '', pins: [], extraWords };
  }
  const pins = pinsOf(values.get('discovery-token-ca-cert-hash') ?? []);
  if (pins.length === 0 && !values.has('discovery-token-unsafe-skip-ca-verification')) {
    return refuse(
      'the join command has no --discovery-token-ca-cert-hash, so nodes could not tell the API server from another',
    );
  }
  return { endpoint: endpointOf(positionals).text, token: tokenOf(values), pins, extraWords };
}

/**
 * The join that we compose: the server that cluster-info names, every CA's pin, our token.
 * @throws Failure DiscoveryInvalid when the server is none that kubeadm can be given, or a pin is missing.
 */
export function joinTarget(discovery: DiscoveryFact, { id, secret }: BootstrapToken): JoinTarget {
  const server = parseServer(discovery.server);
  if (!server)
    throw new Failure('DiscoveryInvalid', `the server of cluster-info, ${discovery.server}, is not https://host:port`);
  if (discovery.pins.length === 0 || discovery.pins.includes(pinOfNothing)) {
    throw new Failure('DiscoveryInvalid', 'cluster-info holds no CA certificate whose public key could be pinned');
  }
  return { endpoint: server.text, token: `${id}.${secret}`, pins: discovery.pins, extraWords: [] };
}
