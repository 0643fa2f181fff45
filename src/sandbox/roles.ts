/** Who may do what in a new cluster. */
import type { Rule } from './api/access.ts';
import { kubeletConfigName } from './config-maps.ts';
import { type Description, minorOf } from './contexts.ts';

interface Access {
  readonly name: string;
  /** Undefined: in the whole cluster. */
  readonly namespace?: string;
  /** None: a role that nobody is bound to. */
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
    ...bootstrapAccess(description),
    ...(description.kubeadm ? kubeadmAccess(minor) : []),
    ...(description.user === 'viewer' ? viewerAccess : []),
  ];
}

const requests = { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'] };
const approval = (kind: string): Rule => ({
  verbs: ['create'],
  apiGroups: requests.apiGroups,
  resources: [`certificatesigningrequests/${kind}`],
});

/** Roles that every API server has; whoever installs a cluster from binaries binds them (kubernetes.io, "TLS bootstrapping"). */
function bootstrapAccess({ kubeadm, prepared }: Description): readonly Access[] {
  const bound = (name: string) => (kubeadm || !prepared ? [] : ([{ kind: 'Group', name }] as const));
  const approver = (kind: string) => `system:certificates.k8s.io:certificatesigningrequests:${kind}`;
  return [
    {
      name: 'system:node-bootstrapper',
      subjects: bound('system:bootstrappers'),
      rules: [{ verbs: ['create', 'get', 'list', 'watch'], ...requests }],
    },
    { name: approver('nodeclient'), subjects: bound('system:bootstrappers'), rules: [approval('nodeclient')] },
    { name: approver('selfnodeclient'), subjects: bound('system:nodes'), rules: [approval('selfnodeclient')] },
    ...(kubeadm || !prepared
      ? []
      : [
          {
            name: 'bootstrappers:get-nodes',
            subjects: bound('system:bootstrappers'),
            rules: [{ verbs: ['get'], apiGroups: [''], resources: ['nodes'] }],
          },
        ]),
  ];
}

function kubeadmAccess(minor: number): readonly Access[] {
  const joining = [{ kind: 'Group', name: 'system:bootstrappers:kubeadm:default-node-token' }] as const;
  const nodesToo = [...joining, { kind: 'Group', name: 'system:nodes' }] as const;
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
    { name: 'kubeadm:node-autoapprove-bootstrap', subjects: joining, rules: [approval('nodeclient')] },
    {
      name: 'kubeadm:node-autoapprove-certificate-rotation',
      subjects: [{ kind: 'Group', name: 'system:nodes' }],
      rules: [approval('selfnodeclient')],
    },
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
