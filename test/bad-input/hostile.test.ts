/**
 * A hostile cluster, and a hostile OSS: whatever their answers hold is inert in the script and neutral on the screen. Rows for what
 * stops; below them what does not stop, down to the script in a real bash.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { createAuthority } from '../cluster-unit/certificates.ts';
import { run, sandboxEnv } from '../support/program.ts';
import { liveUrl, objectKeys } from '../support/world.ts';
import { table } from './table.ts';
import { World } from './the-world.ts';

/** Quotes, commands, a line break, escapes of seven and of eight bits, a direction override. */
const poison = (file = '/tmp/ackone-join-pwned') =>
  `x'"\`touch ${file}\`$(touch ${file})\nError Bug: forged\u001b[2J\u001b]0;pwned\u0007\u009b31m\u202e`;

table('hostile words in what stops a run', [
  {
    title: 'the Kubernetes version',
    given: (world) => {
      world.version(`v1.28.${poison()}`);
      return undefined;
    },
    exit: 3,
    code: 'KubeVersionInvalid',
    says: /^the cluster reports v1\.28\.x'"`touch .*\\u000aError Bug: forged\\u001b\[2J\\u001b\]0;pwned\\u0007\\u009b31m\\u202e, which is/,
  },
  {
    title: 'the container runtime',
    given: (world) => {
      world.controlPlane({ runtime: `cri-o://${poison()}` });
      return undefined;
    },
    exit: 3,
    code: 'UnsupportedRuntime',
    says: /^the control plane runs cri-o:\/\/x'"`touch .*\\u202e, which is neither docker nor containerd$/,
  },
  {
    title: 'names of nodes',
    given: (world) => {
      world.addNode(poison(), { runtime: 'containerd://Unknown' });
      world.removeNodes(/^(cp|cn)-/);
      return undefined;
    },
    exit: 3,
    code: 'RuntimeVersionUnknown',
    says: /^the version of containerd is not known: x'"`touch .*\\u202e reports containerd:\/\/Unknown$/,
  },
  {
    title: 'the server in cluster-info',
    given: (world) => {
      world.clusterInfo((cluster) => {
        cluster.server = `https://192.0.2.10:6443/${poison()}`;
      });
      return undefined;
    },
    exit: 3,
    code: 'DiscoveryInvalid',
    says: /has server https:\/\/192\.0\.2\.10:6443\/x'"`touch .*\\u202e, which is more than a host and a port$/,
  },
  {
    title: 'the host in cluster-info',
    given: (world) => {
      world.clusterInfo((cluster) => {
        cluster.server = "https://$(reboot)'`reboot`:6443";
      });
      return undefined;
    },
    exit: 3,
    code: 'DiscoveryInvalid',
    says: /^the server of cluster-info, https:\/\/\$\(reboot\).*, is not https:\/\/host:port, which kubeadm needs$/,
  },
  {
    title: 'the CA in cluster-info',
    given: (world) => {
      world.clusterInfo((cluster) => {
        delete cluster['certificate-authority-data'];
        cluster['certificate-authority'] = poison();
      });
      return undefined;
    },
    exit: 3,
    code: 'DiscoveryInvalid',
    says: /names its CA as the file x'"`touch .*\\u202e, and kubeadm reads only/,
  },
  {
    title: 'the whole kubeconfig in cluster-info',
    given: (world) => {
      world.data('kube-public/cluster-info', (data) => {
        data.kubeconfig = poison();
      });
      return undefined;
    },
    exit: 3,
    code: 'DiscoveryInvalid',
    says: /^ConfigMap kube-public\/cluster-info has a kubeconfig that is not YAML$/,
    secret: 'pwned',
  },
  {
    title: 'the URL that is live',
    given: (world) => {
      world.data('kube-system/ack-agent-config', (data) => {
        data.addNodeScriptPath = `https://example.com/${poison()}`;
      });
      return undefined;
    },
    exit: 3,
    code: 'ForeignScript',
    says: /^addNodeScriptPath holds https:\/\/example\.com\/x'"`touch .*\\u202e, which ackone-join did not publish$/,
  },
  {
    title: 'the user in the history',
    given: (world) => {
      const entry = { number: 1, url: 'https://x', toolVersion: '1', time: new Date().toISOString(), user: poison() };
      const entries = [{ ...entry, state: 'pending' }];
      world.addConfigMap('ackone-join', {
        'history.json': JSON.stringify({ schema: 'ackone-join/history/v1', entries }),
      });
      return undefined;
    },
    exit: 3,
    code: 'HistoryInvalid',
    says: /^ConfigMap kube-system\/ackone-join holds a history that cannot be read at entries\.0\.user$/,
    secret: 'pwned',
  },
  {
    title: 'the message of a refusal',
    given: (world) => {
      world.refuses(/^GET \/api\/v1\/nodes/, 500, 'InternalError', poison());
      return undefined;
    },
    exit: 4,
    code: 'ClusterServerError',
    says: /^could not list nodes: /,
    cause: /^x'"`touch .*\\u202e$/,
  },
  {
    title: 'the name of a context',
    given: (world) => ({
      words: ['init', '--yes', '--context', `x'; reboot; 'z`],
      env: world.kubeconfig((_cluster, _user, whole) => {
        whole.contexts[0]!.name = `x'; reboot; 'y`;
      }),
    }),
    exit: 4,
    code: 'ContextUnknown',
    says: /^the kubeconfig has no context x'; reboot; 'z$/,
    next: /^Did you mean --context 'x'\\''; reboot; '\\''y'\?$/m,
  },
  {
    title: 'an error of OSS',
    given: (world) => {
      const endpoint = '<Endpoint>oss-cn-beijing.aliyuncs.com\u009b31m</Endpoint><EC>0003\u009b</EC>';
      world.ossRefuses(/^GET \/ackone-sandbox/, 400, 'Evil', 'x&#10;Error Bug: forged\u009b', endpoint);
      return undefined;
    },
    exit: 5,
    code: 'OssRefused',
    says: /^OSS refuses GetBucketInfo on bucket ackone-sandbox$/,
    cause: /^OSS answered 400 Evil$/,
    secret: 'forged',
  },
  {
    title: "a code of OSS's that is none",
    given: (world) => {
      world.ossRefuses(/^GET \/ackone-sandbox/, 400, 'Evil\u009b31m code', '');
      return undefined;
    },
    exit: 5,
    code: 'OssAnswerInvalid',
    says: /with something that is not from OSS$/,
  },
]);

describe('hostile words in what does not stop a run', () => {
  let sandbox: Sandbox;
  let folder: string;
  let canary: string;
  let env: NodeJS.ProcessEnv;
  beforeEach(async () => {
    sandbox = await startSandbox();
    folder = mkdtempSync(join(tmpdir(), 'ackone-join-hostile-'));
    canary = join(folder, 'pwned');
    const world = new World(sandbox, join(folder, 'given'));
    const words = poison(canary);
    const { cert } = await createAuthority(`kubernetes '"\`touch ${canary}\`$(touch ${canary})`);
    world.addNode(`cp-${words}`, { runtime: `containerd://${words}` });
    world.yaml('kube-system/kubeadm-config', 'ClusterConfiguration', (config) => {
      config.clusterName = words;
      config.imageRepository = `registry.example.com/${words}`;
    });
    world.yaml('kube-system/kubelet-config', 'kubelet', (config) => {
      config.cgroupDriver = words;
      config.resolvConf = `/run/${words}`;
      config.containerRuntimeEndpoint = words;
    });
    world.yaml('kube-system/kube-proxy', 'config.conf', (config) => {
      config.mode = words;
    });
    world.clusterInfo((cluster) => {
      const own = Buffer.from(String(cluster['certificate-authority-data']), 'base64').toString();
      cluster['certificate-authority-data'] = Buffer.from(`${own}${cert}\n`).toString('base64');
    });
    const kubeconfig = world.kubeconfig((_cluster, _user, whole) => {
      whole.contexts[0]!.name = words;
      whole['current-context'] = words;
    });
    env = sandboxEnv(sandbox, kubeconfig);
  });
  afterEach(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['text', 'json'])('are neutral on the screen, as %s', async (form) => {
    const { exit, stdout, stderr } = await run(['init', '--dry-run', '-o', form], env);
    expect(exit).toBe(0);
    expect(stdout).toContain('\\u001b[2J');
    expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(stdout + stderr).not.toMatch(/^\s*Error /m);
  });

  it('are inert in the script, and do not get into its URL', async () => {
    const sysctl = `kernel.core_pattern=|/x "$(touch ${canary})" \`touch ${canary}\` \\`;
    const { exit } = await run(['init', '--yes', '--sysctl', sysctl], env);
    expect(exit).toBe(0);
    expect(liveUrl(sandbox)).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/ackone-sandbox\/ackone-join\/[\w.-]+\/join-[0-9a-f]{12}\.sh$/,
    );
    const [key] = objectKeys(sandbox);
    const script = sandbox.oss.files.body('ackone-sandbox', key!).toString();
    expect(script.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/);
    const constants = evaluated(script, [
      'SYSCTLS',
      'SANDBOX_IMAGE',
      'CGROUP_DRIVER',
      'JOIN_ENDPOINT',
      'OVERRIDE_RESOLV_CONF',
    ]);
    expect(constants.SYSCTLS).toEqual([
      'net.bridge.bridge-nf-call-ip6tables=1',
      'net.bridge.bridge-nf-call-iptables=1',
      'net.ipv4.ip_forward=1',
      'vm.swappiness=0',
      sysctl,
    ]);
    expect(constants).toMatchObject({
      SANDBOX_IMAGE: ['registry.aliyuncs.com/google_containers/pause:3.9'],
      CGROUP_DRIVER: ['systemd'],
      JOIN_ENDPOINT: ['192.0.2.10:6443'],
      OVERRIDE_RESOLV_CONF: ['yes'],
    });
    expect(existsSync(canary)).toBe(false);
  });

  it('of the user are inert in the script as well', async () => {
    const url = `https://example.com/'$(touch ${canary})'"\`touch ${canary}\`;.rpm`;
    const file = join(folder, 'join.txt');
    const pin = `sha256:${'ab'.repeat(32)}`;
    writeFileSync(
      file,
      `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash ${pin}`,
    );
    const told = ['--kube-version', '1.28.3', '--runtime', 'docker://20.10.21', '--join-command-file', file];
    const { exit, stdout } = await run(['render', ...told, '--cri-dockerd-url', url], env);
    expect(exit).toBe(0);
    expect(evaluated(stdout, ['CRI_DOCKERD_URL'])).toEqual({ CRI_DOCKERD_URL: [url] });
    expect(existsSync(canary)).toBe(false);
  });

  /** What bash makes of the constants: those lines alone are run, and the whole is only read. */
  function evaluated(script: string, names: readonly string[]): Readonly<Record<string, readonly string[]>> {
    execFileSync('bash', ['-n'], { input: script });
    const header = script.split('\n').filter((line) => /^[A-Z_]+=/.test(line));
    const show = names.map((name) => `printf '%s\\0' "\${${name}[@]}"; printf '\\0'`);
    const output = execFileSync('bash', ['-u'], { input: [...header, ...show].join('\n'), cwd: folder }).toString();
    const values = output.split('\0\0').map((part) => part.split('\0'));
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? []]));
  }
});
