/** What answers of the Kubernetes API look like, observed on kube-apiserver 1.34.4. */
import { type Connection, call } from '../support/raw-api.ts';

export const mergePatch = 'application/merge-patch+json';
export const configMaps = '/api/v1/namespaces/kube-system/configmaps';
export const secrets = '/api/v1/namespaces/kube-system/secrets';
export const clusterInfo = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
export const accessReviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** Gives a connection as an administrator; called when the tests run, not when they are declared. */
export type Admin = () => Connection;

/** A refused request: status, and the Status object in the body. */
export const failure = (code: number, reason: string, message: string, details?: object) => ({
  status: code,
  contentType: 'application/json',
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, ...(details && { details }) },
});

/** A refused request whose message is the server's own affair. */
export const refused = (code: number, reason: string, details?: object) => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, ...(details && { details }) },
});

export const configMap = (name: string, data?: Record<string, unknown>, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...(data && { data }),
});

/** Creates a ConfigMap in kube-system anew, whatever a test before has left there, and gives its resourceVersion. */
export async function freshConfigMap(admin: Connection, name: string, data: Record<string, string>): Promise<string> {
  await call(admin, 'DELETE', `${configMaps}/${name}`);
  const { body } = await call(admin, 'POST', configMaps, configMap(name, data));
  return (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}
