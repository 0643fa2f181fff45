/** Bad input: what the API server answers to the reads (issue 3, section 8). */
import { table } from './table.ts';

const status = (code: number, body: string, type = 'text/html') => ({
  status: code,
  headers: { 'content-type': type },
  body,
});
const page = '<!DOCTYPE html><html><title>Sign in</title></html>';

table('answers of the API server', [
  {
    title: '401 to everything',
    given: (world) => {
      world.refuses(/^GET \/(version|api)/, 401, 'Unauthorized', 'Unauthorized');
      return undefined;
    },
    exit: 4,
    code: 'ClusterUnauthorized',
    says: /^could not \w+ .*: https:\/\/192\.0\.2\.10:6443 \(through proxy 127\.0\.0\.1:\d+\) does not accept the credentials of context containerd \(401\)$/,
    next: /Log in again/,
  },
  {
    title: 'a user who may only read',
    given: () => ({ words: ['init', '--yes', '--context', 'forbidden'] }),
    exit: 4,
    code: 'ClusterForbidden',
    says: /^the user of context forbidden lacks \d+ of the rights that publishing needs$/,
    cause: /^not allowed: /m,
    next: /docs\/permissions\.md/,
  },
  {
    title: 'J2 403 to the list of nodes',
    given: (world) => {
      const message =
        'nodes is forbidden: User "viewer" cannot list resource "nodes" in API group "" at the cluster scope';
      world.refuses(/^GET \/api\/v1\/nodes/, 403, 'Forbidden', message);
      return undefined;
    },
    exit: 4,
    code: 'ClusterForbidden',
    says: /^the credentials may not list nodes, so versions cannot be read from them$/,
    next: /verb list on nodes, or give --kube-version/,
  },
  {
    title: '403 to the history',
    given: (world) => {
      const message = 'configmaps "ackone-join" is forbidden: User "viewer" cannot get resource "configmaps"';
      world.refuses(/^GET .*\/configmaps\/ackone-join$/, 403, 'Forbidden', message);
      return undefined;
    },
    exit: 4,
    code: 'ClusterForbidden',
    says: /^could not get configmaps kube-system\/ackone-join: context containerd lacks the right to do so \(403\)$/,
    cause: /missing: verb "get", resource "configmaps", name "ackone-join", namespace "kube-system"/,
  },
  {
    title: '403 of a proxy in front, with a page',
    given: (world) => {
      world.answers(/^GET \/api\/v1\/nodes/, status(403, page));
      return undefined;
    },
    exit: 4,
    code: 'ClusterAnswerInvalid',
    says: /^could not list nodes: https:\/\/192\.0\.2\.10:6443 \(through proxy .*\) answers 403 with something that is no Kubernetes answer$/,
    next: /proxy or another server/,
  },
  {
    title: '404 to the list of nodes',
    given: (world) => {
      world.refuses(/^GET \/api\/v1\/nodes/, 404, 'NotFound', 'the server could not find the requested resource');
      return undefined;
    },
    exit: 4,
    code: 'ClusterNotFound',
    says: /^could not list nodes: the API server serves nothing of that name \(404\)$/,
    next: /right cluster/,
  },
  {
    title: 'G6 404 to ack-agent-config: not registered',
    given: (world) => {
      world.removeConfigMap('kube-system/ack-agent-config');
      return undefined;
    },
    exit: 4,
    code: 'AgentConfigMissing',
    says: /^ConfigMap kube-system\/ack-agent-config does not exist$/,
    next: /Register the cluster in the ACK One console/,
  },
  {
    title: '409 to a read',
    given: (world) => {
      world.refuses(/^GET .*\/ack-agent-config$/, 409, 'Conflict', 'Operation cannot be fulfilled');
      return undefined;
    },
    exit: 4,
    code: 'ClusterConflict',
    says: /^could not get configmaps kube-system\/ack-agent-config: .* \(409\)$/,
    next: /same command again/,
  },
  {
    title: '429 to kubeadm-config',
    given: (world) => {
      world.refuses(/^GET .*\/kubeadm-config$/, 429, 'TooManyRequests', 'too many requests, please try again later');
      return undefined;
    },
    exit: 4,
    code: 'ClusterBusy',
    says: /^could not get configmaps kube-system\/kubeadm-config: .* asks to slow down \(429\)$/,
    next: /in a minute/,
  },
  {
    title: '500 to /version',
    given: (world) => {
      world.refuses(/^GET \/version/, 500, 'InternalError', 'etcdserver: leader changed');
      return undefined;
    },
    exit: 4,
    code: 'ClusterServerError',
    says: /^could not get \/version: https:\/\/192\.0\.2\.10:6443 \(through proxy .*\) failed \(500\)$/,
    cause: /^etcdserver: leader changed$/,
    next: /log of kube-apiserver/,
  },
  {
    title: '503 of a load balancer, with a page',
    given: (world) => {
      world.answers(/^GET .*\/kube-proxy$/, status(503, '<html>no backend</html>'));
      return undefined;
    },
    exit: 4,
    code: 'ClusterServerError',
    says: /^could not get configmaps kube-system\/kube-proxy: .* failed \(503\)$/,
  },
  {
    title: 'truncated JSON, and the connection stays whole',
    given: (world) => {
      world.answers(/^GET \/api\/v1\/nodes/, status(200, '{"kind":"NodeList","items":[{"meta', 'application/json'));
      return undefined;
    },
    exit: 4,
    code: 'ClusterAnswerInvalid',
    says: /^could not list nodes: what https:\/\/192\.0\.2\.10:6443 answers is no whole Kubernetes object$/,
  },
  {
    title: 'half an answer, and the connection is cut',
    given: (world) => {
      world.answers(/^GET .*\/kubelet-config$/, 'truncate');
      return undefined;
    },
    exit: 4,
    code: 'ClusterUnreachable',
    says: /^could not get configmaps kube-system\/kubelet-config at .*: the connection was cut$/,
  },
  {
    title: 'a log-in page with status 200',
    given: (world) => {
      world.answers(/^GET .*\/kubeadm-config$/, status(200, page));
      return undefined;
    },
    exit: 4,
    code: 'ClusterAnswerInvalid',
    says: /^could not get configmaps kube-system\/kubeadm-config: what .* answers is no whole Kubernetes object$/,
    next: /proxy or another server/,
  },
  {
    title: '500 to an access review',
    given: (world) => {
      world.refuses(/^POST .*selfsubjectaccessreviews/, 500, 'InternalError', 'webhook timed out');
      return undefined;
    },
    exit: 4,
    code: 'ClusterServerError',
    says: /^could not create selfsubjectaccessreviews: .* failed \(500\)$/,
  },
]);
