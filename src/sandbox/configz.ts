import type { KubeObject } from './api/objects.ts';
import { type Description, minorOf } from './contexts.ts';

/**
 * How the kubelet of a worker that was installed by hand runs (kubelet's `/configz`, KubeletConfiguration v1beta1), with much
 * in it that is that host's own.
 */
export function configz({ metadata, spec, status }: KubeObject, description: Description): object {
  const { addresses } = status as { addresses: readonly { type: string; address: string }[] };
  const { providerID } = spec as { providerID?: string };
  const seconds = (count: number) => `${count}s`;
  return {
    kubeletconfig: {
      enableServer: true,
      staticPodPath: '/etc/kubernetes/manifests',
      syncFrequency: '1m0s',
      fileCheckFrequency: seconds(20),
      address: addresses.find(({ type }) => type === 'InternalIP')?.address,
      port: 10250,
      tlsCertFile: `/etc/kubernetes/ssl/${metadata.name}.pem`,
      tlsPrivateKeyFile: `/etc/kubernetes/ssl/${metadata.name}-key.pem`,
      rotateCertificates: true,
      authentication: {
        x509: { clientCAFile: '/etc/kubernetes/ssl/ca.pem' },
        webhook: { enabled: true, cacheTTL: '2m0s' },
        anonymous: { enabled: false },
      },
      authorization: {
        mode: 'Webhook',
        webhook: { cacheAuthorizedTTL: '5m0s', cacheUnauthorizedTTL: seconds(30) },
      },
      healthzPort: 10248,
      healthzBindAddress: '127.0.0.1',
      clusterDomain: 'cluster.local',
      clusterDNS: ['10.96.0.10'],
      nodeStatusUpdateFrequency: seconds(10),
      cgroupDriver: 'systemd',
      cgroupsPerQOS: true,
      hairpinMode: 'promiscuous-bridge',
      maxPods: 110,
      resolvConf: '/run/systemd/resolve/resolv.conf',
      ...(providerID !== undefined && { providerID }),
      evictionHard: { 'imagefs.available': '15%', 'memory.available': '100Mi', 'nodefs.available': '10%' },
      failSwapOn: true,
      enforceNodeAllocatable: ['pods'],
      volumePluginDir: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/',
      ...(minorOf(description) >= 27 && { containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock' }),
    },
  };
}
