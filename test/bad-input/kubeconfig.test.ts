/** Bad input: the kubeconfig, and the way to the API server (cases H3 H5 H6). */
import { createServer } from 'node:net';
import { createAuthority } from '../cluster-unit/certificates.ts';
import { table } from './table.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A port of the loopback on which nothing listens any more. */
const closedPort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

table('the kubeconfig', [
  {
    title: 'broken YAML',
    given: (world) => ({ env: { KUBECONFIG: world.file('config', 'apiVersion: v1\nclusters: [\n') } }),
    exit: 4,
    code: 'KubeconfigInvalid',
    says: /^the kubeconfig \/.*\/config is not YAML at line 3$/,
    next: /kubectl config view/,
  },
  {
    title: 'YAML that is no kubeconfig',
    given: (world) => ({ env: { KUBECONFIG: world.file('config', 'clusters: everywhere\n') } }),
    exit: 4,
    code: 'KubeconfigInvalid',
    says: /^the kubeconfig \/.*\/config does not have the form of one at clusters$/,
  },
  {
    title: '--kubeconfig that is not there',
    given: (world) => ({ words: ['init', '--yes', '--kubeconfig', `${world.folder}/nothing`] }),
    exit: 4,
    code: 'KubeconfigMissing',
    says: /^there is no kubeconfig at \/.*\/nothing$/,
    next: /--kubeconfig/,
  },
  {
    title: 'KUBECONFIG of two files, neither there',
    given: (world) => ({ env: { KUBECONFIG: `${world.folder}/one:${world.folder}/two` } }),
    exit: 4,
    code: 'KubeconfigMissing',
    says: /^there is no kubeconfig at \/.*\/one, nor at \/.*\/two$/,
  },
  {
    title: 'an empty file',
    given: (world) => ({ env: { KUBECONFIG: world.file('config', '') } }),
    exit: 4,
    code: 'ContextUnknown',
    says: /^the kubeconfig has no current context$/,
    next: /has no contexts/,
  },
  {
    title: 'contexts, and none of them current',
    given: (world) => ({
      env: world.kubeconfig((_cluster, _user, whole) => {
        whole['current-context'] = '';
      }),
    }),
    exit: 4,
    code: 'ContextUnknown',
    says: /^the kubeconfig has no current context$/,
    next: /--context: containerd, docker-18\.06/,
  },
  {
    title: 'H6 a context misspelled',
    given: () => ({ words: ['init', '--yes', '--context', 'contanerd'] }),
    exit: 4,
    code: 'ContextUnknown',
    says: /^the kubeconfig has no context contanerd$/,
    next: /Did you mean --context 'containerd'\?/,
  },
  {
    title: 'a context whose cluster is not there',
    given: (world) => ({
      env: world.kubeconfig((_cluster, _user, whole) => {
        whole.contexts[0]!.context.cluster = 'gone';
      }),
    }),
    exit: 4,
    code: 'KubeconfigInvalid',
    says: /^context containerd in the kubeconfig names cluster gone, which is not there$/,
  },
  {
    title: 'H3 a certificate file that is missing beside the kubeconfig',
    given: (world) => ({
      env: world.kubeconfig((_cluster, user) => {
        delete user['client-certificate-data'];
        user['client-certificate'] = 'certs/client.pem';
      }),
    }),
    exit: 4,
    code: 'KubeconfigInvalid',
    says: /^client-certificate of user containerd in the kubeconfig names \/.*\/given\/certs\/client\.pem, which does not exist$/,
  },
  {
    title: 'a CA that is no base64',
    given: (world) => ({
      env: world.kubeconfig((cluster) => {
        cluster['certificate-authority-data'] = '%%%';
      }),
    }),
    exit: 4,
    code: 'KubeconfigInvalid',
    says: /^certificate-authority-data of cluster containerd in the kubeconfig is no base64 of a PEM text$/,
  },
  {
    title: 'a client certificate that has expired',
    given: async (world) => {
      const { cert, key } = await (await createAuthority('lab')).issue(['admin'], -1);
      return {
        env: world.kubeconfig((_cluster, user) => {
          user['client-certificate-data'] = base64(cert);
          user['client-key-data'] = base64(key);
        }),
      };
    },
    exit: 4,
    code: 'ClusterCertificateExpired',
    says: /^the client certificate of user containerd in the kubeconfig expired on \d{4}-\d\d-\d\dT/,
    next: /kubeadm certs check-expiration/,
  },
  {
    title: 'H5 a credential plugin that is not installed',
    given: (world) => ({
      env: world.kubeconfig((_cluster, _user, whole) => {
        const command = 'ack-login-that-nobody-has';
        whole.users[0]!.user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command } };
      }),
    }),
    exit: 4,
    code: 'CredentialPluginFailed',
    says: /^the command ack-login-that-nobody-has of user containerd in the kubeconfig is not on this machine$/,
    next: /by hand/,
  },
]);

table('the way to the API server', [
  {
    title: 'nothing listens',
    given: async (world) => {
      const port = await closedPort();
      return {
        env: world.kubeconfig((cluster) => {
          delete cluster['proxy-url'];
          cluster.server = `https://127.0.0.1:${port}`;
        }),
      };
    },
    exit: 4,
    code: 'ClusterUnreachable',
    says: /^could not \w+ .* at https:\/\/127\.0\.0\.1:\d+: the connection is refused$/,
    next: /VPN and proxy/,
  },
  {
    title: 'a name that does not exist',
    given: (world) => ({
      env: world.kubeconfig((cluster) => {
        delete cluster['proxy-url'];
        cluster.server = 'https://api.invalid:6443';
      }),
    }),
    exit: 4,
    code: 'ClusterUnreachable',
    says: /^could not \w+ .* at https:\/\/api\.invalid:6443: the name (does not resolve|cannot be resolved at the moment)$/,
  },
  {
    title: 'a proxy that will not connect',
    given: (world) => ({
      env: world.kubeconfig((cluster) => {
        cluster.server = 'https://192.0.2.99:6443';
      }),
    }),
    exit: 4,
    code: 'ClusterUnreachable',
    says: /^could not \w+ .* at https:\/\/192\.0\.2\.99:6443 through proxy 127\.0\.0\.1:\d+: the proxy refuses to connect \(502\)$/,
  },
  {
    title: 'no answer within --timeout',
    given: (world) => {
      world.answers(/^GET \/version/, 'hang');
      return { words: ['init', '--yes', '--timeout', '1s'] };
    },
    exit: 4,
    code: 'ClusterTimeout',
    says: /^could not get \/version: https:\/\/192\.0\.2\.10:6443 did not answer within 1 s$/,
    next: /--timeout/,
  },
  {
    title: 'a server of another CA',
    given: async (world) => {
      const { cert } = await createAuthority('somebody else');
      return {
        env: world.kubeconfig((cluster) => {
          cluster['certificate-authority-data'] = base64(cert);
        }),
      };
    },
    exit: 4,
    code: 'ClusterCertificateUntrusted',
    says: /^could not \w+ .* at https:\/\/192\.0\.2\.10:6443 .*: the server's certificate is not trusted/,
    next: /certificate-authority-data/,
  },
  {
    title: 'a server whose certificate is for other names',
    given: (world) => ({
      env: world.kubeconfig((cluster) => {
        cluster['tls-server-name'] = 'api.example.com';
      }),
    }),
    exit: 4,
    code: 'ClusterCertificateUntrusted',
    says: /the server's certificate is for other names than this one$/,
    next: /tls-server-name/,
  },
]);
