import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderOf, takeNumber } from './numbers.ts';

/** The machine that the tests run on, as every host sees it. */
export const gateway = '198.51.100.1';

/** What ran, and how it ended. */
export interface Result {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface MachineOptions {
  /** Overlay layers, the topmost first. */
  readonly lower: readonly string[];
  /** Folder of the machine that the host sees at /srv/mirror. */
  readonly mirror: string;
  readonly cgroup: 'v1' | 'v2';
  /** Path → text, laid into the host before it boots. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * A booted container with systemd as PID 1 over a throw-away overlay. Its mounts are in a mount namespace of its own and it dies
 * with the process that booted it, so whatever happens to the tests, nothing of it stays but an empty cgroup and a folder, which
 * the next one to get its number takes over.
 */
export interface Machine {
  /** Address of the host on its end of the veth pair. */
  readonly address: string;
  /** What was written to the host's disk since boot, and before by `files`: the overlay's upper folder. */
  readonly upper: string;
  exec(
    command: readonly string[],
    options?: { env?: Readonly<Record<string, string>>; input?: string },
  ): Promise<Result>;
  stop(): Promise<void>;
}

export async function start(options: MachineOptions): Promise<Machine> {
  const number = takeNumber();
  const folder = folderOf(number);
  const name = `ajh${number}`;
  const address = `198.51.100.${number}`;
  const upper = join(folder, 'upper');
  for (const path of ['upper', 'work', 'root']) mkdirSync(join(folder, path));
  for (const [path, text] of Object.entries(options.files)) {
    mkdirSync(dirname(join(upper, path)), { recursive: true });
    writeFileSync(join(upper, path), text);
  }
  const container = spawnContainer(folder, name, options);
  let log = '';
  for (const stream of [container.stdout, container.stderr]) {
    stream?.on('data', (data) => {
      log += data;
    });
  }
  const stop = () => stopContainer(container, folder, name);
  try {
    const leader = await findLeader(container);
    await connect(leader, name, address);
    const exec: Machine['exec'] = (command, { env = {}, input = '' } = {}) => run(enter(leader, env, command), input);
    await exec(['systemctl', 'is-system-running', '--wait']);
    return { address, upper, exec, stop };
  } catch (error) {
    await stop();
    throw new Error(`the host did not boot: ${error}\n${log}`);
  }
}

/** Where a process must be to have a cgroup of its own: systemd in a container takes its part of the tree over. */
const hierarchies = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified'].filter((path) => existsSync(path));
const cgroups = hierarchies.length > 0 ? hierarchies : ['/sys/fs/cgroup'];

function spawnContainer(folder: string, name: string, { lower, mirror, cgroup }: MachineOptions): ChildProcess {
  const script = `
    for cgroup in ${cgroups.map((path) => join(path, name)).join(' ')}; do mkdir -p $cgroup; echo 0 >$cgroup/cgroup.procs; done
    mount -t tmpfs tmpfs /run
    mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
    exec systemd-nspawn --quiet --boot -D "$2/root" --machine=${name} --hostname=iz${name} --register=no --keep-unit --network-veth \\
      --resolv-conf=off --timezone=off --console=pipe --bind-ro="$3":/srv/mirror </dev/null 2>&1`;
  // Its own PID namespace: when unshare dies, everything below dies, the container's systemd too.
  const unshare = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const words = ['--pdeathsig', 'KILL', ...unshare, 'bash', '-ec', script, 'boot', lower.join(':'), folder, mirror];
  const env = { PATH: process.env.PATH, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: cgroup === 'v2' ? '1' : '0' };
  return spawn('setpriv', words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** PID of the container's PID 1, once its systemd listens. */
async function findLeader(container: ChildProcess): Promise<number> {
  for (let tries = 0; tries < 1500; tries++) {
    if (container.exitCode !== null) throw new Error(`systemd-nspawn ended with ${container.exitCode}`);
    const leader = firstChild(firstChild(container.pid));
    if (leader !== undefined && existsSync(`/proc/${leader}/root/run/systemd/private`)) return leader;
    await sleep(20);
  }
  throw new Error('systemd did not come up in 30 seconds');
}

function firstChild(pid: number | undefined): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]) || undefined;
  } catch {
    return undefined;
  }
}

/** Addresses for both ends of the veth pair, and no route to anywhere else. */
async function connect(leader: number, name: string, address: string): Promise<void> {
  await must(
    ['ip', '-batch', '-'],
    `address add ${gateway} peer ${address}/32 dev ve-${name}\nlink set ve-${name} up\n`,
  );
  const inside = `link set host0 name eth0\naddress add ${address} peer ${gateway}/32 dev eth0\nlink set eth0 up\n`;
  await must(['nsenter', '-t', String(leader), '-n', 'ip', '-batch', '-'], inside);
}

/** Without these a script under test could set the machine's own clock or load modules into its kernel. */
const dropped = '-sys_time,-sys_module,-sys_boot,-sys_rawio,-syslog';
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

function enter(leader: number, env: Readonly<Record<string, string>>, command: readonly string[]): string[] {
  const variables = { PATH: path, HOME: '/root', LANG: 'C.UTF-8', TERM: 'dumb', ...env };
  const assignments = Object.entries(variables).map(([key, value]) => `${key}=${value}`);
  return [
    'nsenter',
    '-t',
    String(leader),
    '-a',
    '--',
    'setpriv',
    `--bounding-set=${dropped}`,
    '--',
    'env',
    '-i',
    ...assignments,
    ...command,
  ];
}

function run([program = '', ...args]: readonly string[], input: string): Promise<Result> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ code: error ? (typeof error.code === 'number' ? error.code : null) : 0, stdout, stderr });
    });
    child.stdin?.on('error', () => {}).end(input);
  });
}

async function must(command: readonly string[], input: string): Promise<void> {
  const { code, stderr } = await run(command, input);
  if (code !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
}

async function stopContainer(container: ChildProcess, folder: string, name: string): Promise<void> {
  if (container.exitCode === null && container.signalCode === null) {
    const ended = new Promise((resolve) => container.once('exit', resolve));
    // Its child first: unshare then reaps it, and ends.
    const child = firstChild(container.pid);
    if (child === undefined) container.kill('SIGKILL');
    else process.kill(child, 'SIGKILL');
    await ended;
  }
  for (const cgroup of cgroups) await removeCgroup(join(cgroup, name));
  rmSync(folder, { recursive: true, force: true });
}

/** A cgroup can go when the last process in it has. */
async function removeCgroup(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeCgroup(join(folder, entry.name));
  }
  for (let tries = 0; tries < 250; tries++) {
    try {
      return rmdirSync(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') return;
      await sleep(20);
    }
  }
}
