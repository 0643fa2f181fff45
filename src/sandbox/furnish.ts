/** What stands in a new cluster: its Nodes, what kubeadm leaves behind, ACK One's agent, and who may do what. */
import type { KubeObject, Objects } from './api/objects.ts';
import {
  apiVersion,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  daemonSets,
  endpointSlices,
  endpoints,
  namespaces,
  nodes,
  type Resource,
  roleBindings,
  roles,
} from './api/resources.ts';
import { configMapsOf } from './config-maps.ts';
import { type Description, type Machine, port } from './contexts.ts';
import { accessOf } from './roles.ts';

/** @param caPem The cluster's certificate authority. */
export function furnish(objects: Objects, description: Description, caPem: string): void {
  const put = (resource: Resource, name: string, fields: object, namespace?: string, labels?: object) => {
    const metadata = { name, ...(namespace && { namespace }), ...labels };
    objects.create(resource, {
      apiVersion: apiVersion(resource),
      kind: resource.kind,
      metadata,
      ...fields,
    } as KubeObject);
  };
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    const fields = { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } };
    put(namespaces, name, fields, undefined, { labels: { 'kubernetes.io/metadata.name': name } });
  }
  for (const machine of description.machines) objects.create(nodes, node(machine));
  for (const { name, namespace, data } of configMapsOf(description, caPem)) put(configMaps, name, { data }, namespace);
  const { address } = description;
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  put(endpoints, 'kubernetes', { subsets: [{ addresses: [{ ip: address }], ports }] }, 'default');
  const slice = { addressType: 'IPv4', endpoints: [{ addresses: [address], conditions: { ready: true } }], ports };
  put(endpointSlices, 'kubernetes', slice, 'default', { labels: { 'kubernetes.io/service-name': 'kubernetes' } });
  if (description.prepared) put(daemonSets, 'kube-proxy', { spec: {} }, 'kube-system');
  for (const { name, namespace, subjects, rules } of accessOf(description)) {
    const [role, binding] = namespace === undefined ? [clusterRoles, clusterRoleBindings] : [roles, roleBindings];
    const apiGroup = role.group;
    put(role, name, { rules }, namespace);
    if (subjects.length === 0) continue;
    put(
      binding,
      name,
      {
        subjects: subjects.map((subject) => ({ apiGroup, ...subject })),
        roleRef: { apiGroup, kind: role.kind, name },
      },
      namespace,
    );
  }
}

function node(machine: Machine): KubeObject {
  const { name, address, kubelet, runtime, os, kernel, labels, providerId } = machine;
  const now = new Date().toISOString().replace(/\.\d+/, '');
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', ...labels },
      annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': machine.criSocket },
    },
    spec: { podCIDR: '10.244.0.0/24', ...(providerId && { providerID: providerId }) },
    status: {
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'kubelet is posting ready status',
          lastHeartbeatTime: now,
          lastTransitionTime: now,
        },
      ],
      nodeInfo: {
        architecture: 'amd64',
        bootID: '',
        containerRuntimeVersion: runtime,
        kernelVersion: kernel,
        kubeProxyVersion: kubelet,
        kubeletVersion: kubelet,
        machineID: '',
        operatingSystem: 'linux',
        osImage: os,
        systemUUID: '',
      },
    },
  };
}
