/** The line of --api-server-ip outlives a boot at which cloud-init writes /etc/hosts anew (manage_etc_hosts). */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { Host } from '../script/bash.ts';

const cloudInit = inject('cloudInit');

/** As cloudinit/config/cc_update_etc_hosts.py does it for manage_etc_hosts: true. */
const boot = `
import sys
from cloudinit import templater
templater.render_to_file(sys.argv[1], sys.argv[2], {"hostname": "node-1", "fqdn": "node-1.example.com"})
`;

describe.skipIf(!cloudInit).each(['redhat', 'debian', 'suse'])('cloud-init’s template for %s', (family) => {
  const path = `/etc/cloud/templates/hosts.${family}.tmpl`;
  const line = '192.0.2.20 apiserver.cluster.local # ackone-join';
  const started = () => {
    const host = new Host({
      '/etc/hosts': '127.0.0.1 localhost\n192.0.2.1 apiserver.cluster.local\n',
      [path]: readFileSync(`${cloudInit}${path}`, 'latin1'),
    });
    return {
      read: () => host.read('/etc/hosts'),
      prepare: () =>
        host.run(
          ['prepare/hosts.sh'],
          'API_SERVER_HOST=apiserver.cluster.local API_SERVER_IP=192.0.2.20\nname_api_server',
        ),
      boot: () =>
        execFileSync('/usr/bin/python3', ['-c', boot, host.path(path), host.path('/etc/hosts')], {
          env: { PYTHONPATH: `${cloudInit}/usr/lib/python3/dist-packages` },
          stdio: 'pipe',
        }),
    };
  };

  test('each boot writes the line, once, and a later run of the script changes nothing', () => {
    const { read, prepare, boot } = started();
    expect(prepare().status).toBe(0);
    for (const _boot of [1, 2]) {
      boot();
      const hosts = read();
      expect(hosts).toContain('node-1.example.com');
      expect(hosts.split('\n').filter((text) => text.includes('apiserver.cluster.local'))).toEqual([line]);
      expect(prepare()).toMatchObject({ status: 0, stderr: '' });
      expect(read()).toBe(hosts);
    }
  });

  test('without the script the boot would have taken it away', () => {
    const { read, boot } = started();
    boot();
    expect(read()).not.toContain('apiserver.cluster.local');
  });
});
