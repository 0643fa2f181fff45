/** Who may do what in a new cluster. */
import type { Rule } from './api/access.ts';
import { kubeletConfigName } from './config-maps.ts';
import { type Description, minorOf } from './contexts.ts';

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
export function accessOf(description: Description): readonly Access[] {
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
