/** What stands in a new cluster: its Nodes, what kubeadm leaves behind, ACK One's agent, and who may do what. */
import { stringify } from 'yaml';
import type { Rule } from './api/access.ts';
import type { KubeObject, Objects } from './api/objects.ts';
import {
  apiVersion,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  namespaces,
  nodes,
  type Resource,
  roleBindings,
  roles,
} from './api/resources.ts';
import { type Description, type Machine, port } from './contexts.ts';

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
  for (const { name, namespace, subjects, rules } of accessOf(description)) {
    const [role, binding] = namespace === undefined ? [clusterRoles, clusterRoleBindings] : [roles, roleBindings];
    const apiGroup = role.group;
    put(role, name, { rules }, namespace);
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

interface ConfigMap {
  readonly name: string;
  readonly namespace: string;
  readonly data: Readonly<Record<string, string>>;
}

function configMapsOf(description: Description, caPem: string): readonly ConfigMap[] {
  const minor = minorOf(description);
  const agent = { enableNodepool: 'true', isInit: 'true' };
  return [
    { name: 'ack-agent-config', namespace: 'kube-system', data: agent },
    // kube-controller-manager publishes it from 1.20 on.
    ...(minor >= 20 ? [{ name: 'kube-root-ca.crt', namespace: 'kube-system', data: { 'ca.crt': caPem } }] : []),
    ...(description.kubeadm ? kubeadmConfigMaps(description, caPem) : []),
  ];
}

function kubeadmConfigMaps(description: Description, caPem: string): readonly ConfigMap[] {
  const { address, version, kubeProxyMode } = description;
  const minor = minorOf(description);
  const kubeadm = {
    apiVersion:
      minor < 15 ? 'kubeadm.k8s.io/v1beta1' : minor < 31 ? 'kubeadm.k8s.io/v1beta3' : 'kubeadm.k8s.io/v1beta4',
    certificatesDir: '/etc/kubernetes/pki',
    clusterName: 'kubernetes',
    controlPlaneEndpoint: `${address}:${port}`,
    imageRepository: 'registry.aliyuncs.com/google_containers',
    kind: 'ClusterConfiguration',
    kubernetesVersion: version,
    networking: { dnsDomain: 'cluster.local', podSubnet: '10.244.0.0/16', serviceSubnet: '10.96.0.0/12' },
  };
  const kubelet = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    authentication: { anonymous: { enabled: false }, x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' } },
    cgroupDriver: minor < 20 ? 'cgroupfs' : 'systemd',
    clusterDNS: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    kind: 'KubeletConfiguration',
    // kubeadm before 1.31 writes what it finds on the first host, here Ubuntu (kubernetes/kubeadm#3034).
    ...(minor >= 20 && { resolvConf: '/run/systemd/resolve/resolv.conf' }),
    rotateCertificates: true,
    staticPodPath: '/etc/kubernetes/manifests',
  };
  const kubeProxy = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    clusterCIDR: '10.244.0.0/16',
    kind: 'KubeProxyConfiguration',
    // kubeadm leaves the default empty.
    mode: kubeProxyMode === 'iptables' ? '' : kubeProxyMode,
  };
  const cluster = {
    'certificate-authority-data': Buffer.from(caPem).toString('base64'),
    server: `https://${address}:${port}`,
  };
  const clusterInfo = {
    apiVersion: 'v1',
    clusters: [{ cluster, name: '' }],
    contexts: null,
    'current-context': '',
    kind: 'Config',
    preferences: {},
    users: null,
  };
  const system = (name: string, key: string, document: object) => ({
    name,
    namespace: 'kube-system',
    data: { [key]: yaml(document) },
  });
  return [
    system('kubeadm-config', 'ClusterConfiguration', kubeadm),
    system(kubeletConfigName(minor), 'kubelet', kubelet),
    system('kube-proxy', 'config.conf', kubeProxy),
    { name: 'cluster-info', namespace: 'kube-public', data: { kubeconfig: yaml(clusterInfo) } },
  ];
}

const yaml = (document: object) => stringify(document, { lineWidth: 0 });
const minorOf = ({ version }: Description) => Number(/^v1\.(\d+)/.exec(version)?.[1]);
const kubeletConfigName = (minor: number) => (minor < 24 ? `kubelet-config-1.${minor}` : 'kubelet-config');

interface Access {
  readonly name: string;
  /** Undefined: in the whole cluster. */
  readonly namespace?: string;
  readonly subjects: readonly { readonly kind: 'User' | 'Group'; readonly name: string }[];
  readonly rules: readonly Rule[];
}

/**
 * Roles and bindings, each role bound under its own name: those of kube-apiserver itself (kubernetes
 * plugin/pkg/auth/authorizer/rbac/bootstrappolicy) and those of kubeadm (kubernetes cmd/kubeadm/app/phases/bootstraptoken,
 * uploadconfig, kubelet, addons/proxy).
 */
function accessOf(description: Description): readonly Access[] {
  const minor = minorOf(description);
  const group = (name: string) => ({ kind: 'Group', name }) as const;
  const everybody = [group('system:authenticated')];
  const health = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
  const api = ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*'];
  const create = (apiGroup: string, ...names: string[]) => ({
    verbs: ['create'],
    apiGroups: [apiGroup],
    resources: names,
  });
  const server: Access[] = [
    {
      name: 'cluster-admin',
      subjects: [group('system:masters')],
      rules: [
        { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
        { verbs: ['*'], nonResourceURLs: ['*'] },
      ],
    },
    {
      name: 'system:basic-user',
      subjects: everybody,
      rules: [
        create('authorization.k8s.io', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'),
        create('authentication.k8s.io', 'selfsubjectreviews'),
      ],
    },
    {
      name: 'system:discovery',
      subjects: everybody,
      rules: [{ verbs: ['get'], nonResourceURLs: [...api, ...health] }],
    },
    {
      name: 'system:public-info-viewer',
      subjects: [...everybody, group('system:unauthenticated')],
      rules: [{ verbs: ['get'], nonResourceURLs: health }],
    },
  ];
  return [
    ...server,
    ...(description.kubeadm ? kubeadmAccess(minor) : []),
    ...(description.user === 'viewer' ? viewerAccess : []),
  ];
}

function kubeadmAccess(minor: number): readonly Access[] {
  const joining = [{ kind: 'Group', name: 'system:bootstrappers:kubeadm:default-node-token' }] as const;
  const nodesToo = [...joining, { kind: 'Group', name: 'system:nodes' }] as const;
  const requests = { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'] };
  const approval = { apiGroups: requests.apiGroups, resources: ['certificatesigningrequests/nodeclient'] };
  const readOne = (name: string): Rule => ({
    verbs: ['get'],
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: [name],
  });
  const system = { namespace: 'kube-system' };
  const kubelet = kubeletConfigName(minor);
  return [
    {
      name: 'kubeadm:kubelet-bootstrap',
      subjects: joining,
      rules: [{ verbs: ['create', 'get', 'list', 'watch'], ...requests }],
    },
    { name: 'kubeadm:node-autoapprove-bootstrap', subjects: joining, rules: [{ verbs: ['create'], ...approval }] },
    ...(minor >= 18
      ? [
          {
            name: 'kubeadm:get-nodes',
            subjects: joining,
            rules: [{ verbs: ['get'], apiGroups: [''], resources: ['nodes'] }],
          },
        ]
      : []),
    { ...system, name: 'kubeadm:nodes-kubeadm-config', subjects: nodesToo, rules: [readOne('kubeadm-config')] },
    { ...system, name: `kubeadm:${kubelet}`, subjects: nodesToo, rules: [readOne(kubelet)] },
    { ...system, name: 'kube-proxy', subjects: joining, rules: [readOne('kube-proxy')] },
    {
      name: 'kubeadm:bootstrap-signer-clusterinfo',
      namespace: 'kube-public',
      subjects: [{ kind: 'User', name: 'system:anonymous' }],
      rules: [readOne('cluster-info')],
    },
  ];
}

const viewerAccess: readonly Access[] = [
  {
    name: 'sandbox:viewer',
    subjects: [{ kind: 'Group', name: 'sandbox:viewers' }],
    rules: [
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['nodes', 'namespaces'] },
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] },
    ],
  },
];
