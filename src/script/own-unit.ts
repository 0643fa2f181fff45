/** The user's own kubelet.service, with what is to be replaced taken out. */
import type { Finding } from '../errors.ts';
import { isDropped } from './dropped-flags.ts';
import { type Decided, note, stop, warning } from './findings.ts';
import { bracedExtra, type Flag, flagsOf, isExtra, itemsOf } from './kubelet-flags.ts';
import { type CriClient, environmentFile, fileFlags, kubeletFiles, runtimeFlags } from './kubelet-unit.ts';
import type { KubeletUnit, ReportedVersion } from './types.ts';
import { type Assignment, assignmentsOf, goesOn, type Word, wordsOf } from './unit-file.ts';

/** Flags of one machine, flags that the script sets on the node, and what the configuration file says better. */
const ours: ReadonlySet<string> = new Set([
  '--hostname-override',
  '--provider-id',
  '--node-ip',
  '--address',
  '--container-runtime',
  '--container-runtime-endpoint',
  '--image-service-endpoint',
  '--network-plugin',
  '--cgroup-driver',
  '--client-ca-file',
  '--rotate-certificates',
]);

/** Labels and taints, which the script merges with the node pool's. */
const lists: readonly string[] = ['--node-labels', '--register-with-taints'];

const isPlainPath = (path: string) => /^\/[A-Za-z0-9._/@+-]+$/.test(path);

/** The one command that the unit starts. */
interface Start {
  /** What systemd is told about it, such as `-`. */
  readonly prefix: string;
  /** Absolute path of kubelet. */
  readonly program: string;
  readonly rest: readonly Word[];
}

/** @returns why there is none that a script can use, as the end of a sentence */
function startOf(starts: readonly Assignment[]): Start | string {
  const [start, second] = starts.slice(starts.findLastIndex(({ value }) => value === '') + 1);
  if (!start) return 'has no ExecStart in its section [Service]';
  if (second) return `starts two commands, in lines ${start.from} and ${second.from}`;
  if (goesOn(start.value)) {
    return `has blanks behind the backslash at the end of line ${start.to - 1}, so it does not go on there`;
  }
  if (/[^\P{Z} ]/u.test(start.value)) return `holds an odd kind of space in line ${start.from}`;
  const words = wordsOf(start.value);
  if (!words) return `has a quote in line ${start.from} that is not closed`;
  const [first, ...rest] = words;
  const [, prefix = '', program = ''] = /^([-:+!|@]*)(.*)$/s.exec(first?.text ?? '') ?? [];
  const [changing] = /[@:|]/.exec(prefix) ?? [];
  if (changing) return `starts kubelet in another way than a script can, by ${changing} in line ${start.from}`;
  if (rest.some(({ raw }) => raw === ';')) return `starts two commands in line ${start.from}`;
  if (!isPlainPath(program) || !program.endsWith('/kubelet')) {
    return `starts ${program || 'nothing'} in line ${start.from}, and not kubelet by its absolute path`;
  }
  return { prefix, program, rest };
}

/** @param text The user's kubelet.service. */
export function ownUnit(text: string, client: CriClient): Decided<KubeletUnit> {
  const source = '--kubelet-service';
  const refused = (why: string): Decided<KubeletUnit> => ({
    value: undefined,
    source,
    findings: [stop('AnswerInvalid', `the unit of --kubelet-service ${why}`)],
  });
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (/[^\P{Cc}\n\t]/u.test(lines)) return refused('holds control characters');
  const service = assignmentsOf(lines).filter(({ section }) => section === 'Service');
  const starts = service.filter(({ name }) => name === 'ExecStart');
  const start = startOf(starts);
  if (typeof start === 'string') return refused(start);
  const { prefix, program, rest } = start;
  const flags = flagsOf(rest.filter((word) => !isExtra(word)));
  const named = (name: string) => flags.findLast((flag) => flag.name === name)?.value;
  const paths = {
    ...kubeletFiles,
    ...Object.fromEntries(
      Object.entries(fileFlags).flatMap(([flag, file]) => (named(flag) === undefined ? [] : [[file, named(flag)]])),
    ),
    certDir: named('--cert-dir') ?? kubeletFiles.certDir,
  };
  const odd = Object.values(paths).find((path) => !isPlainPath(path));
  if (odd !== undefined) return refused(`names the file ${odd}, which is no absolute path that can be known from here`);
  const [labels = [], taints = []] = lists.map((name) => itemsOf(flags, name).filter((item) => !item.includes('$')));
  const bad = [...labels, ...taints].find((item) => !/^[A-Za-z0-9][\w./:=-]*$/.test(item));
  if (bad !== undefined) return refused(`has ${bad} among its labels and taints, which is none`);
  const gone = flags.filter(({ name }) => isDropped(name, client.kube.minor) && !ours.has(name));
  const kept = flags.filter((flag) => !ours.has(flag.name) && !lists.includes(flag.name) && !gone.includes(flag));
  const missing = Object.entries(fileFlags).filter(([flag]) => named(flag) === undefined);
  // A word a line: systemd 219 reads no line of more than 2047 bytes.
  const command = [
    prefix + program,
    ...kept.map(({ raw }) => raw),
    ...missing.map(([flag, file]) => `${flag}=${kubeletFiles[file]}`),
    ...runtimeFlags(client),
    '$KUBELET_EXTRA_ARGS',
  ];
  return {
    value: {
      text: withInstall(withStart(lines, service, starts, command.join(' \\\n  '))),
      kubelet: program,
      ...paths,
      labels: labels.join(','),
      taints: taints.join(','),
    },
    source,
    findings: [
      ...replaced(flags),
      ...dropped(gone, client.kube),
      ...unseen(kept, service),
      ...lost(flags),
      ...braced(rest),
      ...onImage(service),
    ],
  };
}

/** What ACK One says of a node, the script passes on itself; other variables are known on no machine but the user's. */
const lost = (flags: readonly Flag[]): readonly Finding[] =>
  itemsOf(flags, ...lists)
    .filter((item) => item.includes('$') && !/\$\{?ALIBABA_CLOUD_/.test(item))
    .map((item) =>
      warning(
        'KubeletVariableUnseen',
        `${item} of --kubelet-service is left out of labels and taints: what it holds cannot be seen from here`,
      ),
    );

/** The one ExecStart takes the place of the last of them, behind every EnvironmentFile, so that ours counts. */
function withStart(
  text: string,
  service: readonly Assignment[],
  starts: readonly Assignment[],
  command: string,
): string {
  const lines = text.split('\n');
  const last = service
    .filter(({ name }) => name === 'ExecStart' || name === 'EnvironmentFile')
    .reduce((end, { to }) => Math.max(end, to), 0);
  const gone = new Set(starts.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)));
  return [
    ...lines.slice(0, last - 1).filter((_, at) => !gone.has(at + 1)),
    environmentFile,
    `ExecStart=${command}`,
    ...lines.slice(last - 1),
  ].join('\n');
}

/** Without an [Install] section nothing starts the unit after a reboot. */
function withInstall(text: string): string {
  const whole = `${text.trimEnd()}\n`;
  return /^\s*\[Install\]/m.test(whole) ? whole : `${whole}\n[Install]\nWantedBy=multi-user.target\n`;
}

function replaced(flags: readonly Flag[]): readonly Finding[] {
  const names = [...new Set(flags.map(({ name }) => name).filter((name) => ours.has(name)))];
  if (names.length === 0) return [];
  const what = `${names.join(', ')} of --kubelet-service ${names.length === 1 ? 'is' : 'are'} left out: the script sets what a new node needs in ${names.length === 1 ? 'its' : 'their'} place`;
  return [note('KubeletFlagsReplaced', what)];
}

const dropped = (gone: readonly Flag[], kube: ReportedVersion): readonly Finding[] =>
  gone.map(({ name }) =>
    warning(
      'KubeletFlagDropped',
      `${name} of --kubelet-service is left out: kubelet ${kube.base} does not know it any more`,
    ),
  );

function unseen(kept: readonly Flag[], service: readonly Assignment[]): readonly Finding[] {
  const used = [...new Set(kept.flatMap(({ raw }) => raw.replaceAll('$$', '').match(/\$(\w+|\{\w+\})/g) ?? []))];
  const sets = service.some(({ name, value }) => name === 'Environment' && value.includes('KUBELET_EXTRA_ARGS='));
  return [
    ...used.map((variable) =>
      warning(
        'KubeletVariableUnseen',
        `what ${variable} of --kubelet-service holds cannot be seen from here; flags of the same name that the script sets win`,
      ),
    ),
    ...(sets
      ? [
          warning(
            'KubeletExtraArgsReplaced',
            'KUBELET_EXTRA_ARGS, which Environment= of --kubelet-service sets, is replaced by /etc/sysconfig/kubelet',
          ),
        ]
      : []),
  ];
}

const braced = (words: readonly Word[]): readonly Finding[] =>
  words.some(({ text }) => text === bracedExtra)
    ? [
        note(
          'KubeletExtraArgsBraced',
          `${bracedExtra} of --kubelet-service becomes $KUBELET_EXTRA_ARGS: with braces systemd passes all of it as one argument`,
        ),
      ]
    : [];

/** systemd does not start a service whose EnvironmentFile is not there, unless a dash says that it may be missing. */
const onImage = (service: readonly Assignment[]): readonly Finding[] =>
  service
    .filter(({ name, value }) => name === 'EnvironmentFile' && /^[^-]/.test(value))
    .map(({ value }) =>
      warning(
        'KubeletFileNeeded',
        `${value} must be on the image: without it the unit of --kubelet-service does not start`,
      ),
    );
