/** The options of `kubeadm join`, read as kubeadm's pflag reads them. */
import { Failure } from '../errors.ts';

const refuse = (what: string): never => {
  throw new Failure('JoinCommandInvalid', what);
};

interface Flag {
  /** `text` takes a value, `list` one or more in commas, `switch` none. */
  readonly kind: 'text' | 'list' | 'switch';
  /** Form of each value of a flag that is handed on to kubeadm on the node. */
  readonly handOn?: RegExp;
  /** Why ackone-join does not take it. */
  readonly not?: string;
}
const path = /^\/[\w./-]+$/;
const controlPlane = 'makes a control-plane node, and ECS nodes join as workers';

/** kubernetes cmd/kubeadm/app/cmd/join.go, addJoinConfigFlags and addJoinOtherFlags, at 1.34. */
const flags: Readonly<Record<string, Flag>> = {
  token: { kind: 'text' },
  'discovery-token': { kind: 'text' },
  'tls-bootstrap-token': { kind: 'text' },
  'discovery-token-ca-cert-hash': { kind: 'list' },
  'discovery-token-unsafe-skip-ca-verification': { kind: 'switch', handOn: /^true$/ },
  config: { kind: 'text', handOn: path },
  'ignore-preflight-errors': { kind: 'list', handOn: /^[\w.-]+$/ },
  'skip-phases': { kind: 'list', handOn: /^[a-z0-9/-]+$/ },
  patches: { kind: 'text', handOn: path },
  v: { kind: 'text', handOn: /^\d{1,2}$/ },
  'cri-socket': { kind: 'text' },
  'discovery-file': { kind: 'text', not: 'needs a file that no new node has' },
  'node-name': { kind: 'text', not: 'would give every node the same name' },
  'control-plane': { kind: 'switch', not: controlPlane },
  'experimental-control-plane': { kind: 'switch', not: controlPlane },
  'certificate-key': { kind: 'text', not: controlPlane },
  'apiserver-advertise-address': { kind: 'text', not: controlPlane },
  'apiserver-bind-port': { kind: 'text', not: controlPlane },
  'dry-run': { kind: 'switch', not: 'would join nothing' },
};
/** What kubeadm allows beside --config (ValidateMixedArguments). */
const besideConfig = ['config', 'ignore-preflight-errors', 'skip-phases', 'v'];
/** The script passes the socket of the runtime that it installs, so naming one of these changes nothing. */
const ownSocket = /^(unix:\/\/)?(\/var)?\/run\/(containerd\/containerd|cri-dockerd|dockershim)\.sock$/;

interface JoinFlags {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
  /** `--name=value`, for the flags that are handed on, in a fixed order. */
  readonly extraWords: readonly string[];
}

/** `--name value`, `--name=value`, `-v5`: the flag's name as kubeadm knows it, and its value when it is in the same word. */
function split(word: string): { name: string; value: string | undefined } {
  const short = /^-v=?(.+)?$/.exec(word);
  if (short) return { name: 'v', value: short[1] };
  const [, name = '', value] = /^--([^=]+)(?:=(.*))?$/.exec(word) ?? [];
  return { name: name.replaceAll('_', '-'), value };
}

/** As Go's strconv.ParseBool. */
function switchedOn(name: string, value: string): boolean {
  if (/^(1|t|T|TRUE|true|True)$/.test(value)) return true;
  return /^(0|f|F|FALSE|false|False)$/.test(value)
    ? false
    : refuse(`the value of --${name} in the join command is neither true nor false`);
}

/**
 * @param words What stands behind `kubeadm join`.
 * @throws Failure JoinCommandInvalid for options that kubeadm join does not have, or that no ECS node can use. Only names
 *   of options are in its message.
 */
export function readJoinFlags(words: readonly string[]): JoinFlags {
  const values = new Map<string, readonly string[]>();
  const positionals: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--') {
      positionals.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith('-')) {
      positionals.push(word);
      continue;
    }
    const { name, value } = split(word);
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (!flag)
      return refuse(
        `the join command has an option that kubeadm join does not know${/^[a-z-]{2,40}$/.test(name) ? `, --${name}` : ''}`,
      );
    if (flag.kind === 'switch') {
      if (!switchedOn(name, value ?? 'true')) continue;
      values.set(name, ['true']);
    } else {
      const given = value ?? words[++at] ?? refuse(`the option --${name} in the join command has no value`);
      values.set(name, flag.kind === 'list' ? [...(values.get(name) ?? []), ...given.split(',')] : [given]);
    }
    if (flag.not) return refuse(`the option --${name} in the join command ${flag.not}`);
  }
  checkTogether(values);
  return { values, positionals, extraWords: extraWords(values) };
}

function checkTogether(values: ReadonlyMap<string, readonly string[]>): void {
  if (values.has('config')) {
    const mixed = [...values.keys()].filter((name) => !besideConfig.includes(name)).map((name) => `--${name}`);
    if (mixed.length > 0) refuse(`the join command mixes --config with ${mixed.join(', ')}, which kubeadm refuses`);
  }
  const socket = values.get('cri-socket')?.at(-1);
  if (socket !== undefined && !ownSocket.test(socket)) {
    refuse('the --cri-socket in the join command is not the one of docker or containerd as ackone-join installs them');
  }
  const ignored = (values.get('ignore-preflight-errors') ?? []).map((check) => check.toLowerCase());
  if (ignored.includes('all') && new Set(ignored).size > 1) {
    refuse('the --ignore-preflight-errors in the join command has checks beside all, which kubeadm refuses');
  }
}

/** The words that the script adds to its own `kubeadm join`. */
function extraWords(values: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return Object.entries(flags).flatMap(([name, { handOn }]) => {
    const given = values.get(name);
    if (!handOn || !given) return [];
    if (!given.every((value) => handOn.test(value)))
      refuse(`the value of --${name} in the join command is not one that kubeadm would take`);
    return [`--${name}=${given.join(',')}`];
  });
}
