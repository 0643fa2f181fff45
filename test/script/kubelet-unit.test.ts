/** kubelet.service of a cluster installed from binaries: D8, D10, and what systemd and kubelet take. */
import { describe, expect, test } from 'vitest';
import { isDropped } from '../../src/script/dropped-flags.ts';
import { type CriClient, ourUnit } from '../../src/script/kubelet-unit.ts';
import { ownUnit } from '../../src/script/own-unit.ts';
import type { Runtime } from '../../src/script/types.ts';
import { parseVersion } from '../../src/script/versions.ts';

const containerdSocket = 'unix:///run/containerd/containerd.sock';
const client = (minor: number, runtime: Runtime = 'containerd', criSocket = containerdSocket): CriClient => ({
  kube: parseVersion(`1.${minor}.3`)!,
  runtime,
  criSocket,
});

describe('our unit', () => {
  test('of 1.27, whole', () => {
    expect(ourUnit('/usr/bin/kubelet', client(27))).toEqual({
      text: `[Unit]
Description=kubelet, the Kubernetes node agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target containerd.service docker.service
StartLimitIntervalSec=0

[Service]
EnvironmentFile=-/etc/sysconfig/kubelet
ExecStart=/usr/bin/kubelet --kubeconfig=/etc/kubernetes/kubelet.conf --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --config=/var/lib/kubelet/config.yaml $KUBELET_EXTRA_ARGS
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
`,
      kubelet: '/usr/bin/kubelet',
      kubeconfig: '/etc/kubernetes/kubelet.conf',
      bootstrapKubeconfig: '/etc/kubernetes/bootstrap-kubelet.conf',
      config: '/var/lib/kubelet/config.yaml',
      certDir: '/var/lib/kubelet/pki',
      labels: '',
      taints: '',
    });
  });

  const endpoint = `--container-runtime-endpoint=${containerdSocket}`;
  const criDockerd = 'unix:///var/run/cri-dockerd.sock';
  test.each<[number, CriClient, readonly string[]]>([
    [18, client(18, 'docker', '/var/run/dockershim.sock'), ['--network-plugin=cni']],
    [23, client(23, 'docker', '/var/run/dockershim.sock'), ['--network-plugin=cni']],
    [18, client(18), ['--container-runtime=remote', endpoint]],
    [21, client(21), ['--container-runtime=remote', endpoint]],
    [23, client(23), ['--container-runtime=remote', endpoint]],
    [24, client(24), [endpoint]],
    [24, client(24, 'docker', criDockerd), [`--container-runtime-endpoint=${criDockerd}`]],
    [26, client(26), [endpoint]],
    [27, client(27), []],
    [36, client(36), []],
    [36, client(36, 'docker', criDockerd), []],
  ])('of 1.%i finds its runtime', (_, given, wanted) => {
    const [, ...words] = /^ExecStart=(.*)$/m.exec(ourUnit('/opt/kubelet', given).text)![1]!.split(' ');
    expect(words.slice(3)).toEqual([...wanted, '$KUBELET_EXTRA_ARGS']);
  });
});

const unit = (...service: string[]) => `[Service]\n${service.join('\n')}\n\n[Install]\nWantedBy=multi-user.target\n`;
/** The ExecStart that is wanted, one word a line, behind its EnvironmentFile. */
const started = (...words: string[]) =>
  `EnvironmentFile=-/etc/sysconfig/kubelet\nExecStart=${words.join(' \\\n  ')} \\\n  $KUBELET_EXTRA_ARGS`;
const paths = [
  '--kubeconfig=/etc/kubernetes/kubelet.conf',
  '--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf',
  '--config=/var/lib/kubelet/config.yaml',
];

const own = (text: string, given = client(28)) => {
  const { value, findings } = ownUnit(text, given);
  if (!value) throw new Error(findings.map(({ what }) => what).join());
  return { ...value, codes: findings.map(({ code }) => code), said: findings.map(({ what }) => what) };
};

describe("the user's unit", () => {
  test('of the vendor’s page, its heredoc written out', () => {
    const text = `# Custom configurations are not shown.
[Service]
ExecStart=/data0/kubernetes/bin/kubelet \\
  # Add the following flags:
  --node-ip=\${ALIBABA_CLOUD_NODE_NAME} \\
  --hostname-override=\${ALIBABA_CLOUD_NODE_NAME} \\
  --node-labels=\${ALIBABA_CLOUD_LABELS} \\
  --provider-id=\${ALIBABA_CLOUD_PROVIDER_ID} \\
  --register-with-taints=\${ALIBABA_CLOUD_TAINTS} \\
  --v=4
Restart=on-failure
RestartSec=5
[Install]
WantedBy=multi-user.target
`;
    expect(ownUnit(text, client(28))).toEqual({
      source: '--kubelet-service',
      value: {
        text: `# Custom configurations are not shown.
[Service]
EnvironmentFile=-/etc/sysconfig/kubelet
ExecStart=/data0/kubernetes/bin/kubelet \\
  --v=4 \\
  --kubeconfig=/etc/kubernetes/kubelet.conf \\
  --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf \\
  --config=/var/lib/kubelet/config.yaml \\
  $KUBELET_EXTRA_ARGS
Restart=on-failure
RestartSec=5
[Install]
WantedBy=multi-user.target
`,
        kubelet: '/data0/kubernetes/bin/kubelet',
        kubeconfig: '/etc/kubernetes/kubelet.conf',
        bootstrapKubeconfig: '/etc/kubernetes/bootstrap-kubelet.conf',
        config: '/var/lib/kubelet/config.yaml',
        certDir: '/var/lib/kubelet/pki',
        labels: '',
        taints: '',
      },
      findings: [
        {
          severity: 'note',
          code: 'KubeletFlagsReplaced',
          what: '--node-ip, --hostname-override, --provider-id of --kubelet-service are left out: the script sets what a new node needs in their place',
          next: [],
        },
      ],
    });
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['nothing but kubelet', ['ExecStart=/k/kubelet'], [started('/k/kubelet', ...paths)]],
    ['blanks around the equals sign', ['ExecStart = /k/kubelet --v=2'], [started('/k/kubelet', '--v=2', ...paths)]],
    [
      'several ExecStart, of which an empty one takes those before it back',
      ['ExecStart=/bin/true \\', '  x', 'A=b', 'ExecStart=', '# kept', 'ExecStart=/k/kubelet', 'C=d'],
      ['A=b', '# kept', started('/k/kubelet', ...paths), 'C=d'],
    ],
    [
      'quotes, which stay',
      ['ExecStart="/k/kubelet" "--feature-gates=A=true" --x=\'a b\' "--node-ip=192.0.2.1"'],
      [started('/k/kubelet', '"--feature-gates=A=true"', "--x='a b'", ...paths)],
    ],
    [
      'values in a word of their own',
      ['ExecStart=/k/kubelet --v 2 --node-ip 192.0.2.1 --config /etc/k.yaml -v 4'],
      [started('/k/kubelet', '--v 2', '--config /etc/k.yaml', '-v', '4', ...paths.slice(0, 2))],
    ],
    [
      'booleans, which take no next word',
      ['ExecStart=/k/kubelet --runonce --fail-swap-on $A --rotate-certificates --seccomp-default=true --register-node'],
      [
        started(
          '/k/kubelet',
          '--runonce',
          '--fail-swap-on',
          '$A',
          '--seccomp-default=true',
          '--register-node',
          ...paths,
        ),
      ],
    ],
    [
      'underscores, as pflag reads them',
      ['ExecStart=/k/kubelet --hostname_override=w1 --node_ip 192.0.2.1 --cert_dir=/d --max_pods=10'],
      [started('/k/kubelet', '--cert_dir=/d', '--max_pods=10', ...paths)],
    ],
    [
      'our variable, whose place is the end',
      ['ExecStart=/k/kubelet $KUBELET_EXTRA_ARGS --v=2'],
      [started('/k/kubelet', '--v=2', ...paths)],
    ],
    [
      'our variable in quotes, behind what may be a flag with a value',
      ['ExecStart=/k/kubelet --fresh "$KUBELET_EXTRA_ARGS" --v=2'],
      [started('/k/kubelet', '--fresh', '--v=2', ...paths)],
    ],
    [
      'prefixes that change nothing of the command',
      ['ExecStart=-+/k/kubelet --v=2'],
      [started('-+/k/kubelet', '--v=2', ...paths)],
    ],
    ['!!', ['ExecStart=!!/k/kubelet'], [started('!!/k/kubelet', ...paths)]],
    [
      'an EnvironmentFile behind the command, which must not win',
      ['EnvironmentFile=/etc/a', 'ExecStart=/k/kubelet $A', 'EnvironmentFile=-/etc/sysconfig/kubelet', 'User=root'],
      [
        'EnvironmentFile=/etc/a',
        'EnvironmentFile=-/etc/sysconfig/kubelet',
        started('/k/kubelet', '$A', ...paths),
        'User=root',
      ],
    ],
    [
      'every flag of one node or that we set',
      [
        'ExecStart=/k/kubelet --address=192.0.2.1 --provider-id=x --image-service-endpoint=unix:///a --cgroup-driver=cgroupfs \\',
        '  --client-ca-file=/a --container-runtime-endpoint unix:///b --container-runtime=remote --network-plugin=cni',
      ],
      [started('/k/kubelet', ...paths)],
    ],
    [
      'a semicolon that is escaped or quoted',
      ['ExecStart=/k/kubelet --x=a;b ";"'],
      [started('/k/kubelet', '--x=a;b', '";"', ...paths)],
    ],
    [
      'the end of a command in a blank line',
      ['ExecStart=/k/kubelet --a=1 \\', '', '  --v=4', 'Restart=always'],
      [started('/k/kubelet', '--a=1', ...paths), '  --v=4', 'Restart=always'],
    ],
  ])('%s', (_, given, wanted) => {
    expect(own(unit(...given)).text).toBe(unit(...wanted));
  });

  test('its own paths are kept, the last of each', () => {
    const flags =
      '--kubeconfig=/x --kubeconfig=/opt/k/kubelet.kubeconfig --bootstrap-kubeconfig /opt/k/b --config=/opt/k/c.yml --cert-dir=/opt/k/ssl';
    const { text, ...rest } = own(unit(`ExecStart=/opt/k/kubelet ${flags}`));
    expect(text).toBe(
      unit(
        started(
          '/opt/k/kubelet',
          '--kubeconfig=/x',
          '--kubeconfig=/opt/k/kubelet.kubeconfig',
          '--bootstrap-kubeconfig /opt/k/b',
          '--config=/opt/k/c.yml',
          '--cert-dir=/opt/k/ssl',
        ),
      ),
    );
    expect(rest).toEqual({
      kubelet: '/opt/k/kubelet',
      kubeconfig: '/opt/k/kubelet.kubeconfig',
      bootstrapKubeconfig: '/opt/k/b',
      config: '/opt/k/c.yml',
      certDir: '/opt/k/ssl',
      labels: '',
      taints: '',
      codes: [],
      said: [],
    });
  });

  // kubernetes cmd/kubelet/app/options/options.go: CertDirectory has a default of its own.
  test('--root-dir moves no certificates', () => {
    expect(own(unit('ExecStart=/k/kubelet --root-dir=/data/kubelet')).certDir).toBe('/var/lib/kubelet/pki');
  });

  test('without [Install] gets one, and only then', () => {
    expect(own('[Service]\nExecStart=/k/kubelet').text).toBe(unit(started('/k/kubelet', ...paths)));
    const { text } = own('[Install]\nWantedBy=kubernetes.target\n[Service]\nExecStart=/k/kubelet\n\n\n');
    expect(text).toBe(`[Install]\nWantedBy=kubernetes.target\n[Service]\n${started('/k/kubelet', ...paths)}\n`);
  });

  test('of Windows, with a byte order mark', () => {
    expect(own(`\uFEFF${unit('ExecStart=/k/kubelet \\', '  --v=2').replaceAll('\n', '\r\n')}`).text).toBe(
      unit(started('/k/kubelet', '--v=2', ...paths)),
    );
  });

  test('no line of it is longer than systemd 219 reads', () => {
    const many = Array.from({ length: 60 }, (_, at) => `--feature-gates=SomeRatherLongGateNumber${at}=true`);
    const { text } = own(unit(`ExecStart=/k/kubelet ${many.join(' ')}`));
    expect(text).toContain(`${many[0]} \\\n  ${many[1]} \\\n`);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(2047);
  });
});

describe('labels and taints', () => {
  test('go to the script, whichever way they are written', () => {
    const flags =
      '--node-labels=rack=r1,${ALIBABA_CLOUD_LABELS},example.com/zone=a --node_labels tier=x "--register-with-taints=k=v:NoSchedule,$ALIBABA_CLOUD_TAINTS" --register-with-taints=gone:NoExecute';
    const { text, labels, taints, codes } = own(unit(`ExecStart=/k/kubelet ${flags}`));
    expect({ text, labels, taints, codes }).toEqual({
      text: unit(started('/k/kubelet', ...paths)),
      labels: 'rack=r1,example.com/zone=a,tier=x',
      taints: 'k=v:NoSchedule,gone:NoExecute',
      codes: [],
    });
  });

  test('that hang on a variable of the user’s are missed aloud', () => {
    const { labels, taints, said } = own(
      unit('ExecStart=/k/kubelet --node-labels=zone=${ZONE},a=b --register-with-taints $TAINTS'),
    );
    expect({ labels, taints, said }).toEqual({
      labels: 'a=b',
      taints: '',
      said: [
        'zone=${ZONE} of --kubelet-service is left out of labels and taints: what it holds cannot be seen from here',
        '$TAINTS of --kubelet-service is left out of labels and taints: what it holds cannot be seen from here',
      ],
    });
  });
});

describe('variables', () => {
  test('D8: with braces ours would be one argument', () => {
    const { text, codes, said } = own(unit('ExecStart=/k/kubelet ${KUBELET_EXTRA_ARGS}'));
    expect(text).toBe(unit(started('/k/kubelet', ...paths)));
    expect(codes).toEqual(['KubeletExtraArgsBraced']);
    expect(said[0]).toMatch(/^\$\{KUBELET_EXTRA_ARGS\} of --kubelet-service becomes \$KUBELET_EXTRA_ARGS: /);
    expect(own(unit('ExecStart=/k/kubelet "${KUBELET_EXTRA_ARGS}"')).codes).toEqual(['KubeletExtraArgsBraced']);
    expect(own(unit('ExecStart=/k/kubelet $KUBELET_EXTRA_ARGS')).codes).toEqual([]);
  });

  test('of the user’s are kept, and each is said once', () => {
    const { text, said } = own(
      unit('EnvironmentFile=-/etc/k.env', 'ExecStart=/k/kubelet $KUBELET_ARGS --v=${LEVEL} $KUBELET_ARGS'),
    );
    expect(text).toBe(
      unit(
        'EnvironmentFile=-/etc/k.env',
        started('/k/kubelet', '$KUBELET_ARGS', '--v=${LEVEL}', '$KUBELET_ARGS', ...paths),
      ),
    );
    expect(said).toEqual([
      'what $KUBELET_ARGS of --kubelet-service holds cannot be seen from here; flags of the same name that the script sets win',
      'what ${LEVEL} of --kubelet-service holds cannot be seen from here; flags of the same name that the script sets win',
    ]);
  });

  test('two dollar signs are none', () => {
    const { text, codes } = own(unit('ExecStart=/k/kubelet --x=$$HOME $$'));
    expect(text).toBe(unit(started('/k/kubelet', '--x=$$HOME', '$$', ...paths)));
    expect(codes).toEqual([]);
  });

  test('come from files, which must be on the image unless they may be missing', () => {
    const given = ['EnvironmentFile=/etc/a', 'EnvironmentFile=', 'EnvironmentFile=-/etc/b'];
    const { text, said } = own(unit(...given, 'ExecStart=/k/kubelet'));
    expect(text).toBe(unit(...given, started('/k/kubelet', ...paths)));
    expect(said).toEqual(['/etc/a must be on the image: without it the unit of --kubelet-service does not start']);
  });

  test('KUBELET_EXTRA_ARGS in Environment= is replaced', () => {
    const environment = 'Environment="KUBELET_EXTRA_ARGS=--max-pods=200"';
    const { text, codes } = own(unit(environment, 'ExecStart=/k/kubelet $KUBELET_EXTRA_ARGS'));
    expect(text).toBe(unit(environment, started('/k/kubelet', ...paths)));
    expect(codes).toEqual(['KubeletExtraArgsReplaced']);
    expect(own(unit('Environment="GOGC=50"', 'ExecStart=/k/kubelet')).codes).toEqual([]);
  });
});

describe('D10: flags that kubelet does not know any more', () => {
  const klog = unit('ExecStart=/k/kubelet --logtostderr=false --log-dir /var/log/k --alsologtostderr --v=2');
  const endpoint = `--container-runtime-endpoint=${containerdSocket}`;

  test('klog’s are known to 1.25 and not to 1.26', () => {
    const before = own(klog, client(25));
    expect(before.text).toBe(
      unit(
        started(
          '/k/kubelet',
          '--logtostderr=false',
          '--log-dir /var/log/k',
          '--alsologtostderr',
          '--v=2',
          ...paths,
          endpoint,
        ),
      ),
    );
    expect(before.codes).toEqual([]);
    const after = own(klog, client(26));
    expect(after.text).toBe(unit(started('/k/kubelet', '--v=2', ...paths, endpoint)));
    expect(after.said).toEqual([
      '--logtostderr of --kubelet-service is left out: kubelet 1.26.3 does not know it any more',
      '--log-dir of --kubelet-service is left out: kubelet 1.26.3 does not know it any more',
      '--alsologtostderr of --kubelet-service is left out: kubelet 1.26.3 does not know it any more',
    ]);
  });

  const shim = unit('ExecStart=/k/kubelet --network-plugin=cni --cni-bin-dir=/opt/cni/bin --container-runtime=docker');
  test.each<[string, CriClient, readonly string[]]>([
    ['docker of 1.23', client(23, 'docker'), ['--cni-bin-dir=/opt/cni/bin', ...paths, '--network-plugin=cni']],
    [
      'containerd of 1.23',
      client(23),
      ['--cni-bin-dir=/opt/cni/bin', ...paths, '--container-runtime=remote', endpoint],
    ],
    ['containerd of 1.24', client(24), [...paths, endpoint]],
    ['cri-dockerd of 1.24', client(24, 'docker', 'unix:///a'), [...paths, '--container-runtime-endpoint=unix:///a']],
    ['containerd of 1.28', client(28), paths],
  ])('dockershim’s, for %s', (_, given, words) => {
    expect(own(shim, given).text).toBe(unit(started('/k/kubelet', ...words)));
  });

  test('which we replace anyway are said once', () => {
    expect(own(unit('ExecStart=/k/kubelet --network-plugin=cni --container-runtime=remote')).said).toEqual([
      '--network-plugin, --container-runtime of --kubelet-service are left out: the script sets what a new node needs in their place',
    ]);
  });

  test.each([
    ['--experimental-bootstrap-kubeconfig', 22, 23],
    ['--docker-root', 23, 24],
    ['--network-plugin', 23, 24],
    ['--logtostderr', 25, 26],
    ['--container-runtime', 26, 27],
    ['--keep-terminated-pod-volumes', 30, 31],
    ['--cloud-config', 33, 34],
    ['--pod-infra-container-image', 34, 35],
  ])('%s is known to 1.%i and not to 1.%i', (flag, last, first) => {
    expect([isDropped(flag, last), isDropped(flag, first)]).toEqual([false, true]);
  });
  test.each(['--v', '--config', '--kubeconfig', '--container-runtime-endpoint', '--runtime-cgroups'])(
    '%s stays',
    (flag) => {
      expect(isDropped(flag, 99)).toBe(false);
    },
  );
});

describe('a unit that is refused', () => {
  test.each([
    ['', 'has no ExecStart in its section [Service]'],
    ['ExecStart=/k/kubelet\n', 'has no ExecStart in its section [Service]'],
    ['[Unit]\nExecStart=/k/kubelet\n', 'has no ExecStart in its section [Service]'],
    [unit('ExecStart=/k/kubelet', 'ExecStart='), 'has no ExecStart in its section [Service]'],
    [unit('#ExecStart=/k/kubelet', 'execstart=/k/kubelet'), 'has no ExecStart in its section [Service]'],
    [unit('ExecStart=/bin/a \\', ' b', 'ExecStart=/k/kubelet'), 'starts two commands, in lines 2 and 4'],
    [unit('ExecStart=/k/kubelet --v=2 ; /bin/true'), 'starts two commands in line 2'],
    [unit('', 'ExecStart=/k/kubelet "--v=2'), 'has a quote in line 3 that is not closed'],
    [
      unit('ExecStart=/k/kubelet \\', '  --v=2 \\ ', '  --x'),
      'has blanks behind the backslash at the end of line 3, so it does not go on there',
    ],
    [unit('ExecStart=/k/kubelet --v=2\u00a0--x'), 'holds an odd kind of space in line 2'],
    [unit('ExecStart=kubelet --v=2'), 'starts kubelet in line 2, and not kubelet by its absolute path'],
    [unit('ExecStart=-'), 'starts nothing in line 2, and not kubelet by its absolute path'],
    [unit('ExecStart=/k/hyperkube kubelet'), 'starts /k/hyperkube in line 2, and not kubelet by its absolute path'],
    [unit("ExecStart=/bin/sh -c 'exec kubelet'"), 'starts /bin/sh in line 2, and not kubelet by its absolute path'],
    [unit('ExecStart=${BIN}/kubelet'), 'starts ${BIN}/kubelet in line 2, and not kubelet by its absolute path'],
    [unit('ExecStart=/k/%p/kubelet'), 'starts /k/%p/kubelet in line 2, and not kubelet by its absolute path'],
    [unit('ExecStart=-@/k/kubelet k --v=2'), 'starts kubelet in another way than a script can, by @ in line 2'],
    [unit('ExecStart=:/k/kubelet $A'), 'starts kubelet in another way than a script can, by : in line 2'],
    [unit('ExecStart=|/k/kubelet'), 'starts kubelet in another way than a script can, by | in line 2'],
    [unit('ExecStart=/k/kubelet\u0000'), 'holds control characters'],
    [unit('ExecStart=/k/kubelet \u001b[31m'), 'holds control characters'],
    [unit('ExecStart=/k/kubelet', 'Description=\u0085'), 'holds control characters'],
    [
      unit('ExecStart=/k/kubelet --config=${DIR}/k.yaml'),
      'names the file ${DIR}/k.yaml, which is no absolute path that can be known from here',
    ],
    [
      unit('ExecStart=/k/kubelet --cert-dir=pki'),
      'names the file pki, which is no absolute path that can be known from here',
    ],
    [
      unit('ExecStart=/k/kubelet "--kubeconfig=/a b"'),
      'names the file /a b, which is no absolute path that can be known from here',
    ],
    [
      unit("ExecStart=/k/kubelet --node-labels='a=b;reboot'"),
      'has a=b;reboot among its labels and taints, which is none',
    ],
    [unit('ExecStart=/k/kubelet --node-labels=a=%H'), 'has a=%H among its labels and taints, which is none'],
  ])('%j', (text, why) => {
    expect(ownUnit(text, client(28))).toMatchObject({
      value: undefined,
      findings: [{ severity: 'stop', code: 'AnswerInvalid', what: `the unit of --kubelet-service ${why}` }],
    });
  });
});
