/**
 * The table of answers: every value that a user decides is declared here once, and
 * the parser, the help, the config file, the variables and the wizard come from it
 * (DESIGN.md section 2).
 */
import * as z from 'zod';
import { durationSeconds, durationText } from './durations.ts';

/** What is known before an answer is needed; all of it may be missing. */
export interface Known {
  readonly contexts?: readonly string[];
  readonly currentContext?: string;
  /** Set in the sandbox. */
  readonly sandbox?: {
    readonly bucket: string;
    readonly region: string;
    readonly endpoint: string;
    readonly nodeEndpoint: string;
    readonly vpcId: string;
  };
}
type SoFar = Readonly<Record<string, unknown>>;

export type CommandName = 'init' | 'render';

/** Headings of the help, in this order. */
export const groups = ['Cluster', 'Script', 'Binary style', 'Host', 'Token', 'Target', 'Output'] as const;

interface Rest<S extends z.ZodType> {
  readonly help: string;
  readonly group: (typeof groups)[number];
  readonly for: readonly CommandName[];
  /** The full question of the wizard; without one the answer stands in the review only. */
  readonly ask?: string;
  readonly prompt: 'text' | 'select' | 'confirm' | 'file';
  /** Word for the value in the help. */
  readonly hint?: string;
  /** May be given several times, or as a comma list in a variable. */
  readonly many?: true;
  readonly required?: true;
  readonly default?: (known: Known, soFar: SoFar) => NoInfer<z.output<S>> | undefined;
}
const q = <S extends z.ZodType, const R extends Rest<S>>(check: S, rest: R) => ({ check, ...rest });

const both = ['init', 'render'] as const;
const text = z.string('must be text; in a config file, put it in quotes').trim().min(1, 'must not be empty');
const flag = z.union([z.boolean(), z.stringbool()], 'must be true or false');
const line = text.regex(/^[^\u0000-\u001f\u007f]*$/, 'must be one line without control characters');
const noDuration = 'must be a duration such as 90s, 15m, 24h or 30d';
const duration = z.union([z.string(), z.number().transform(String)], noDuration).transform((value, context) => {
  const seconds = durationSeconds(value);
  if (seconds === undefined) {
    context.addIssue({ code: 'custom', message: noDuration });
    return z.NEVER;
  }
  return seconds;
});
/** Whole seconds, upwards. */
const durationFrom = (least: number) =>
  duration.transform(Math.ceil).refine((seconds) => seconds >= least, `must be at least ${durationText(least)}`);
/** A list: repeated flags, a YAML list, or a comma list in a variable. */
const list = <S extends z.ZodType<string, string>>(item: S) =>
  z.union(
    [
      z.array(item),
      z
        .string()
        .transform((value) => value.split(',').map((part) => part.trim()))
        .pipe(z.array(item)),
    ],
    'must be a list of texts',
  );

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const mirrors = ['auto', 'aliyun', 'aliyun-internal', 'upstream'] as const;
/** A mirror's URL enters files of YUM as it is, so it holds nothing that they read in another way. */
const mirrorUrl = z
  .string()
  .regex(/^https?:\/\/[A-Za-z0-9.:[\]-]+(\/[A-Za-z0-9._~/-]*)?$/)
  .refine((value) => URL.canParse(value))
  .transform((value) => value.replace(/\/+$/, ''));
const httpsServer = z
  .url({ protocol: /^https$/, error: 'must be https://host:port' })
  .refine((value) => /^https:\/\/[^/?#@]+\/?$/.test(value), 'must be https://host:port, and nothing more');
/** `URL`, or `REGISTRY=URL`. */
const registryMirror = z
  .string()
  .regex(
    /^(?:[a-z0-9.-]+(?::\d{1,5})?=)?https?:\/\/[A-Za-z0-9.:[\]-]+(?:\/[A-Za-z0-9._/-]*)?$/,
    'must be a URL, or REGISTRY=URL',
  );
const kubeletSource = z
  .string()
  .regex(
    /^(rpm|\/[A-Za-z0-9._/@+-]+|https?:\/\/[\x21-\x7e]+)$/,
    'must be an http or https URL, an absolute path on the image, or rpm',
  );

export const questions = {
  kubeconfig: q(text, {
    group: 'Cluster',
    for: ['init', 'render'],
    prompt: 'file',
    hint: 'file',
    help: 'kubeconfig to use (default: KUBECONFIG, then ~/.kube/config)',
  }),
  context: q(text, {
    group: 'Cluster',
    for: both,
    prompt: 'select',
    hint: 'name',
    ask: 'Which cluster?',
    help: 'context of the kubeconfig',
    default: (known) => known.currentContext,
  }),
  timeout: q(durationFrom(1), {
    group: 'Cluster',
    for: both,
    prompt: 'text',
    hint: 'duration',
    help: 'longest wait for one request',
    required: true,
    default: () => 10,
  }),

  kubeVersion: q(line, {
    group: 'Script',
    for: both,
    prompt: 'text',
    hint: 'version',
    help: 'Kubernetes version to install (default: the lowest of the control plane)',
  }),
  runtime: q(line, {
    group: 'Script',
    for: both,
    prompt: 'text',
    hint: 'name',
    help: 'docker, containerd, or what a node reports, such as containerd://1.6.28 (default: as on the control plane)',
  }),
  runtimeVersion: q(line, {
    group: 'Script',
    for: both,
    prompt: 'text',
    hint: 'version',
    help: 'version of the container runtime (default: as on the control plane)',
  }),
  style: q(z.enum(['auto', 'kubeadm', 'binary']), {
    group: 'Script',
    for: both,
    prompt: 'select',
    help: 'how the cluster was installed',
    required: true,
    default: () => 'auto' as const,
  }),
  joinCommand: q(line, {
    group: 'Script',
    for: both,
    prompt: 'text',
    hint: 'command',
    help: 'a kubeadm join command to use instead of a new token; it holds a secret, so --join-command-file is better',
  }),
  joinCommandFile: q(text, {
    group: 'Script',
    for: both,
    prompt: 'file',
    hint: 'file',
    help: 'file that holds the kubeadm join command, - for standard input',
  }),
  cgroupDriver: q(z.enum(['systemd', 'cgroupfs']), {
    group: 'Script',
    for: both,
    prompt: 'select',
    help: 'cgroup driver of kubelet and runtime (default: as in kubelet-config)',
  }),
  imageRepository: q(line, {
    group: 'Script',
    for: both,
    prompt: 'text',
    hint: 'repository',
    help: 'where the pause image comes from (default: as in kubeadm-config)',
  }),
  sandboxImage: q(line, {
    group: 'Script',
    for: both,
    prompt: 'text',
    hint: 'image',
    help: 'pause image, whole reference (default: by Kubernetes version)',
  }),
  criDockerdUrl: q(httpUrl, {
    group: 'Script',
    for: both,
    prompt: 'text',
    hint: 'url',
    help: 'RPM of cri-dockerd, for docker on Kubernetes 1.24 and later',
  }),
  registryMirror: q(list(registryMirror), {
    group: 'Script',
    for: both,
    prompt: 'text',
    hint: '[registry=]url',
    many: true,
    help: 'where images are pulled from instead, of all registries or of one',
  }),
  registryCa: q(text, {
    group: 'Script',
    for: both,
    prompt: 'file',
    hint: 'file',
    help: "CA certificates of registries of one's own, PEM",
  }),
  mirror: q(
    z.union(
      [z.enum(mirrors), mirrorUrl],
      `must be one of ${mirrors.join(', ')}, or the URL of a mirror, without user, password and query`,
    ),
    {
      group: 'Script',
      for: both,
      prompt: 'text',
      hint: 'source',
      help: 'where packages come from: auto (the internal mirror where it answers), aliyun, aliyun-internal, upstream, or the URL of a mirror laid out like mirrors.aliyun.com',
      required: true,
      default: () => 'auto' as const,
    },
  ),
  apiServerIp: q(z.union([z.ipv4(), z.ipv6()], 'must be an IPv4 or IPv6 address'), {
    group: 'Script',
    for: both,
    prompt: 'text',
    hint: 'address',
    help: "address of the API server's name, for hosts that cannot resolve it",
  }),
  deadline: q(durationFrom(60), {
    group: 'Script',
    for: both,
    prompt: 'text',
    hint: 'duration',
    help: 'longest time that the script may take on a node',
    required: true,
    default: () => 900,
  }),

  server: q(httpsServer, {
    group: 'Binary style',
    for: both,
    prompt: 'text',
    hint: 'url',
    help: 'API server as nodes reach it, https://host:port (default: the one endpoint of Service default/kubernetes)',
  }),
  caFile: q(text, {
    group: 'Binary style',
    for: both,
    prompt: 'file',
    hint: 'file',
    help: "CA of the API server's certificate, PEM (default: ConfigMap kube-root-ca.crt)",
  }),
  bootstrapKubeconfig: q(text, {
    group: 'Binary style',
    for: both,
    prompt: 'file',
    hint: 'file',
    help: 'bootstrap kubeconfig to use instead of a new token',
  }),
  kubeletSource: q(kubeletSource, {
    group: 'Binary style',
    for: both,
    prompt: 'text',
    hint: 'url|path|rpm',
    help: 'where the kubelet program comes from: a URL (with --kubelet-sha256), its path on the image, or rpm',
  }),
  kubeletSha256: q(
    z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits')
      .toLowerCase(),
    {
      group: 'Binary style',
      for: both,
      prompt: 'text',
      hint: 'digest',
      help: 'sha256 of what --kubelet-source gives',
    },
  ),
  kubeletConfig: q(text, {
    group: 'Binary style',
    for: both,
    prompt: 'file',
    hint: 'file',
    help: 'KubeletConfiguration of the nodes (default: from a worker, without what is local to it)',
  }),
  kubeletService: q(text, {
    group: 'Binary style',
    for: both,
    prompt: 'file',
    hint: 'file',
    help: 'kubelet.service of your own to use instead of ours',
  }),
  kubeProxy: q(z.enum(['daemonset', 'on-image', 'post-script']), {
    group: 'Binary style',
    for: both,
    prompt: 'select',
    help: 'how kube-proxy and the CNI come to a node (default: daemonset where there is one)',
  }),

  runtimeConfig: q(z.enum(['keep', 'replace']), {
    group: 'Host',
    for: both,
    prompt: 'select',
    help: "a config.toml or daemon.json of the user's own on the image",
    required: true,
    default: () => 'keep' as const,
  }),
  firewall: q(z.enum(['disable', 'keep']), {
    group: 'Host',
    for: both,
    prompt: 'select',
    help: 'what to do with firewalld',
    required: true,
    default: () => 'disable' as const,
  }),
  selinux: q(z.enum(['disabled', 'permissive', 'keep']), {
    group: 'Host',
    for: both,
    prompt: 'select',
    help: 'what to do with SELinux',
    required: true,
    default: () => 'disabled' as const,
  }),
  swap: q(z.enum(['disable', 'keep']), {
    group: 'Host',
    for: both,
    prompt: 'select',
    help: 'what to do with swap, for good',
    required: true,
    default: () => 'disable' as const,
  }),
  kernelModules: q(z.enum(['load', 'keep']), {
    group: 'Host',
    for: both,
    prompt: 'select',
    help: 'kernel modules that Kubernetes needs',
    required: true,
    default: () => 'load' as const,
  }),
  tools: q(z.enum(['install', 'keep']), {
    group: 'Host',
    for: both,
    prompt: 'select',
    help: 'tools that kubelet and kube-proxy need (conntrack, ipset, …)',
    required: true,
    default: () => 'install' as const,
  }),
  sysctl: q(
    list(
      z.string().regex(/^(keep|[A-Za-z0-9_][A-Za-z0-9_./-]*=[^\u0000-\u001f\u007f']*)$/, 'must be key=value, or keep'),
    ),
    {
      group: 'Host',
      for: both,
      prompt: 'text',
      hint: 'key=value',
      many: true,
      help: 'more kernel settings; keep: leave all of them as they are',
    },
  ),

  postScript: q(text, {
    group: 'Host',
    for: both,
    prompt: 'file',
    hint: 'file',
    help: 'script of your own, run by bash on the node after it has joined',
  }),

  tokenTtl: q(duration, {
    group: 'Token',
    for: ['init'],
    prompt: 'text',
    hint: 'duration',
    help: 'life of the bootstrap token, 0 for ever',
    required: true,
    default: () => 0,
  }),
  tokenGroup: q(
    list(z.string().regex(/^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/, 'must begin with system:bootstrappers:')),
    {
      group: 'Token',
      for: ['init'],
      prompt: 'text',
      hint: 'group',
      many: true,
      help: 'groups of the token',
      required: true,
      default: () => ['system:bootstrappers:kubeadm:default-node-token'],
    },
  ),
  newToken: q(flag, {
    group: 'Token',
    for: ['init'],
    prompt: 'confirm',
    help: 'make another token even if the live one works',
    required: true,
    default: () => false,
  }),

  bucket: q(text, {
    group: 'Target',
    for: ['init'],
    prompt: 'select',
    hint: 'name',
    ask: 'Which OSS bucket?',
    help: 'OSS bucket',
    default: (known) => known.sandbox?.bucket,
  }),
  region: q(text, {
    group: 'Target',
    for: ['init'],
    prompt: 'select',
    hint: 'region',
    help: "the bucket's region (default: asked of OSS)",
    default: (known) => known.sandbox?.region,
  }),
  nodeRegion: q(text, {
    group: 'Target',
    for: ['init'],
    prompt: 'select',
    hint: 'region',
    help: "the node pool's region (default: of the existing ECS nodes)",
  }),
  objectPrefix: q(text, {
    group: 'Target',
    for: ['init'],
    prompt: 'text',
    hint: 'prefix',
    help: 'prefix of the object (default: ackone-join/CLUSTER/)',
  }),
  objectKey: q(text, {
    group: 'Target',
    for: ['init'],
    prompt: 'text',
    hint: 'key',
    help: 'whole key of the object (default: PREFIX/join-DIGEST.sh)',
  }),
  ossEndpoint: q(text, {
    group: 'Target',
    for: ['init'],
    prompt: 'text',
    hint: 'endpoint',
    help: 'where to upload (default: the public endpoint of the region)',
    default: (known) => known.sandbox?.endpoint,
  }),
  ossCname: q(flag, {
    group: 'Target',
    for: ['init'],
    prompt: 'confirm',
    help: 'the endpoint is a domain bound to the bucket',
    required: true,
    default: () => false,
  }),
  nodeEndpoint: q(text, {
    group: 'Target',
    for: ['init'],
    prompt: 'text',
    hint: 'endpoint',
    help: 'what nodes read from (default: the internal endpoint of the region)',
    default: (known) => known.sandbox?.nodeEndpoint,
  }),
  access: q(z.enum(['private', 'vpc', 'public-read', 'presigned']), {
    group: 'Target',
    for: ['init'],
    prompt: 'select',
    hint: 'who',
    ask: 'Who may read the script?',
    help: 'who may read the script',
    required: true,
    default: () => 'private' as const,
  }),
  vpcId: q(text.regex(/^vpc-[a-z0-9]+$/, 'must be a VPC id such as vpc-bp1…'), {
    group: 'Target',
    for: ['init'],
    prompt: 'select',
    hint: 'id',
    ask: 'Which VPC?',
    help: "the node pool's VPC",
    default: (known) => known.sandbox?.vpcId,
  }),
  manageBucketPolicy: q(flag, {
    group: 'Target',
    for: ['init'],
    prompt: 'confirm',
    help: 'merge our statement into an existing bucket policy',
    required: true,
    default: () => false,
  }),
  acceptUnverified: q(flag, {
    group: 'Target',
    for: ['init'],
    prompt: 'confirm',
    help: 'go on when it cannot be worked out whether nodes can read the script',
    required: true,
    default: () => false,
  }),
  replaceForeign: q(flag, {
    group: 'Target',
    for: ['init'],
    prompt: 'confirm',
    help: 'replace a live script that is not ours',
    required: true,
    default: () => false,
  }),
  scriptUrl: q(text, {
    group: 'Target',
    for: ['init'],
    prompt: 'text',
    hint: 'url',
    help: 'the script is served at this URL by somebody else: upload nothing',
  }),

  outputFile: q(text, {
    group: 'Output',
    for: both,
    prompt: 'file',
    hint: 'file',
    help: 'also write the script to this file, readable by its owner only',
  }),
} as const;

export type Questions = typeof questions;
export type Key = keyof Questions;
type Out<K extends Key> = z.output<Questions[K]['check']>;
/** Every answer, checked. What is `required` has a value; all else may be undefined. */
export type Answers = { readonly [K in Key]: Questions[K] extends { required: true } ? Out<K> : Out<K> | undefined };
/** Where a value came from, the winner first. */
export type Source = 'flag' | 'variable' | 'project file' | 'user file' | 'default';

/** A row with its particular type erased, for code that walks the table. */
export type Question = { readonly check: z.ZodType } & Rest<z.ZodType>;
export const rows = Object.entries(questions) as unknown as readonly (readonly [Key, Question])[];

const kebab = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** `kubeVersion` → `--kube-version` */
export const flagOf = (key: Key) => `--${kebab(key)}`;
/** `--server, --ca-file and --kube-proxy` */
export const flagsInWords = (keys: readonly Key[]) =>
  keys
    .map(flagOf)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');
/** `kubeVersion` → `ACKONE_JOIN_KUBE_VERSION` */
export const variableOf = (key: Key) => `ACKONE_JOIN_${kebab(key).replaceAll('-', '_').toUpperCase()}`;
/** The values of a question that has a fixed set of them. */
export const choicesOf = ({ check }: Question): readonly string[] | undefined => wordsOf(check);
/** The same, or the words that it takes beside other values: what a shell completes. */
export const suggestionsOf = ({ check }: Question): readonly string[] | undefined =>
  wordsOf(check) ?? (check instanceof z.ZodUnion ? check.options.map(wordsOf).find((words) => words) : undefined);
const wordsOf = (check: unknown) => (check instanceof z.ZodEnum ? check.options.map(String) : undefined);
