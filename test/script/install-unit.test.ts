/** kubelet.service of binary style, beside what stands on the host already. */
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';
import { exampleUnit } from './example-binary.ts';

const files = ['lib/files.sh', 'join/unit.sh'];
const marked = '# Written by ackone-join\n';
const bash = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const exists = (host: Host, path: string) => {
  try {
    host.read(path);
    return true;
  } catch {
    return false;
  }
};

describe('SH: the unit', () => {
  const file = '/etc/systemd/system/kubelet.service';
  const override = `${file}.d/99-ackone-join.conf`;
  const { text } = exampleUnit();
  const start = /^ExecStart=.*$/m.exec(text)![0];
  /** `cat` puts the drop-ins of `drops` behind the unit, and `show` says what the last ExecStart starts. */
  const install = (drops: Readonly<Record<string, string>> = {}, unit = text, more = '') => {
    const host = new Host(drops);
    const script = `
      KUBELET_UNIT=${bash(unit)} KUBELET_PROGRAM=/usr/local/bin/kubelet
      BOOTSTRAP_FILE=/etc/kubernetes/bootstrap-kubelet.conf KUBECONFIG_FILE=/etc/kubernetes/kubelet.conf CONFIG_FILE=/var/lib/kubelet/config.yaml
      systemctl() {
        calls systemctl "$@"
        case $1 in
        cat) cat "$ROOT${file}" $(ls "$ROOT${file}.d/"*.conf 2>/dev/null) ;;
        show) echo "ExecStart={ path=$(systemctl cat | sed -n 's/^ExecStart=//p' | tail -n 1 | sed 's/ .*//') ; argv[]=$(systemctl cat | sed -n 's/^ExecStart=//p' | tail -n 1) ; }" ;;
        esac
      }
      ${more}
      install_unit`;
    return { host, ...host.run(files, script) };
  };
  test('ours stands alone where no drop-in starts anything', () => {
    const drops = { [`${file}.d/10-limits.conf`]: '[Service]\nLimitNOFILE=1024\n' };
    const { host, status, stderr } = install(drops);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(host.read(file)).toBe(`${marked}${text}\n`);
    expect(exists(host, override)).toBe(false);
    expect(host.calls()[0]).toBe('systemctl daemon-reload');
  });
  test('a drop-in with an ExecStart, as kubeadm’s package has one, is followed by one of ours', () => {
    const drops = {
      [`${file}.d/10-kubeadm.conf`]: '[Service]\nExecStart=\nExecStart=/usr/bin/kubelet $KUBELET_EXTRA_ARGS\n',
    };
    const { host, status } = install(drops);
    expect(status).toBe(0);
    expect(host.read(override)).toBe(`${marked}[Service]\nExecStart=\n${start}\n`);
    expect(host.calls().filter((call) => call === 'systemctl daemon-reload')).toHaveLength(2);
  });
  test('our own drop-in of an earlier run goes when nothing else starts anything', () => {
    expect(exists(install({ [override]: `[Service]\nExecStart=\n${start}\n` }).host, override)).toBe(false);
  });
  test('an ExecStart over several lines, with a comment between them, comes along whole', () => {
    const lines = start.replace(' --config', ' \\\n# the file\n  --config').replace(' $KUBELET', ' \\\n  $KUBELET');
    const drops = { [`${file}.d/10-kubeadm.conf`]: '[Service]\nExecStart=\nExecStart=/usr/bin/kubelet\n' };
    const more =
      'systemctl() { [[ $1 == cat ]] && cat "$ROOT/etc/systemd/system/kubelet.service" "$ROOT"/etc/systemd/system/kubelet.service.d/*.conf || echo "path=$KUBELET_PROGRAM ; $BOOTSTRAP_FILE $KUBECONFIG_FILE $CONFIG_FILE"; }';
    const { host } = install(drops, text.replace(start, lines), more);
    expect(host.read(override)).toBe(`${marked}[Service]\nExecStart=\n${lines}\n`);
  });
  test('a drop-in that comes after ours and starts another kubelet stops the script', () => {
    const drops = {
      [`${file}.d/zz-last.conf`]: '[Service]\nExecStart=\nExecStart=/opt/kubelet --config=/x $KUBELET_EXTRA_ARGS\n',
    };
    const { status, stderr } = install(drops);
    expect(status).toBe(exitCode('kubelet-unit'));
    expect(stderr).toContain('ExecStart lacks path=/usr/local/bin/kubelet');
  });
  test('a unit of the user’s own on the image is kept beside ours', () => {
    const { host, stderr } = install({ [file]: '[Service]\nExecStart=/opt/kubelet\n' });
    expect(host.read(`${file}.before-ackone-join`)).toBe('[Service]\nExecStart=/opt/kubelet\n');
    expect(host.read(file)).toContain(start);
    expect(stderr).toContain('is replaced and kept as');
  });
});
