/** A sandbox and a folder, and the ways in which rows spoil them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { KubeObject } from '../../src/sandbox/api/objects.ts';
import { configMaps, nodes, roleBindings } from '../../src/sandbox/api/resources.ts';
import type { Cluster, Effect, Sandbox } from '../../src/sandbox/index.ts';

export interface Kubeconfig {
  'current-context': string;
  clusters: { name: string; cluster: Record<string, unknown> }[];
  contexts: { name: string; context: Record<string, unknown> }[];
  users: { name: string; user: Record<string, unknown> }[];
}

/** What a Node says of itself, as far as rows change it. */
export interface NodeReport {
  readonly kubelet?: string;
  readonly runtime?: string;
  readonly providerId?: string;
}

export class World {
  readonly sandbox: Sandbox;
  readonly folder: string;

  constructor(sandbox: Sandbox, folder: string) {
    this.sandbox = sandbox;
    this.folder = folder;
    mkdirSync(folder);
  }

  /** That of context `containerd`. */
  get cluster(): Cluster {
    return this.sandbox.clusters.get('containerd')!;
  }

  /** @returns its path */
  file(name: string, content: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  /** The sandbox's kubeconfig with something changed in what belongs to context `containerd`. @returns KUBECONFIG */
  kubeconfig(
    change: (cluster: Record<string, unknown>, user: Record<string, unknown>, whole: Kubeconfig) => void,
  ): NodeJS.ProcessEnv {
    const whole = parse(readFileSync(this.sandbox.kubeconfig, 'utf8')) as Kubeconfig;
    change(whole.clusters[0]!.cluster, whole.users[0]!.user, whole);
    return { KUBECONFIG: this.file('config', stringify(whole)) };
  }

  /** Every request of that form is answered so, from now on. */
  answers(request: RegExp, effect: Effect): void {
    this.sandbox.faults.add({ request, effect, times: Number.POSITIVE_INFINITY });
  }

  /** As the API server refuses. */
  refuses(request: RegExp, status: number, reason: string, message: string): void {
    const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code: status });
    this.answers(request, { status, headers: { 'content-type': 'application/json' }, body });
  }

  /** As OSS refuses. */
  ossRefuses(request: RegExp, status: number, code: string, message: string, more = ''): void {
    const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`;
    this.answers(request, { status, headers: { 'content-type': 'application/xml' }, body });
  }

  /** Every node that may be a model for new ones. */
  controlPlane(report: NodeReport): void {
    for (const node of this.cluster.objects.list(nodes)) {
      if (node.metadata.name.startsWith('cp-')) this.replaceNode(node, report);
    }
  }

  node(name: string, report: NodeReport): void {
    this.replaceNode(this.cluster.objects.get(nodes, undefined, name), report);
  }

  private replaceNode(node: KubeObject, { kubelet, runtime, providerId }: NodeReport): void {
    const status = node.status as { nodeInfo: Record<string, string> };
    const nodeInfo = {
      ...status.nodeInfo,
      ...(kubelet !== undefined && { kubeletVersion: kubelet }),
      ...(runtime !== undefined && { containerRuntimeVersion: runtime }),
    };
    const spec = { ...(node.spec as object), ...(providerId !== undefined && { providerID: providerId }) };
    this.cluster.objects.replace(nodes, { ...node, spec, status: { ...status, nodeInfo } });
  }

  removeNodes(names = /./): void {
    for (const { metadata } of this.cluster.objects.list(nodes)) {
      if (names.test(metadata.name)) this.cluster.objects.delete(nodes, undefined, metadata.name);
    }
  }

  /** Another node of the control plane. */
  addNode(name: string, report: NodeReport): void {
    const model = this.cluster.objects.get(nodes, undefined, 'cp-1');
    const { labels } = model.metadata;
    this.replaceNode(
      this.cluster.objects.create(nodes, { ...model, metadata: { name, ...(labels && { labels }) } }),
      report,
    );
  }

  /** The version, wherever this cluster tells it. */
  version(version: string): void {
    const body = JSON.stringify({ major: '1', minor: '', gitVersion: version });
    this.answers(/^GET \/version/, { status: 200, headers: { 'content-type': 'application/json' }, body });
    this.controlPlane({ kubelet: version });
    this.yaml('kube-system/kubeadm-config', 'ClusterConfiguration', (config) => {
      config.kubernetesVersion = version;
    });
  }

  /** @param name `kube-system/kubeadm-config` */
  data(name: string, change: (data: Record<string, string>) => void): void {
    const [namespace = '', own = ''] = name.split('/');
    const found = this.cluster.objects.get(configMaps, namespace, own);
    const data = { ...(found.data as Record<string, string>) };
    change(data);
    this.cluster.objects.replace(configMaps, { ...found, data });
  }

  /** A key of a ConfigMap that holds YAML. */
  yaml(name: string, key: string, change: (document: Record<string, unknown>) => void): void {
    this.data(name, (data) => {
      const document = parse(data[key]!) as Record<string, unknown>;
      change(document);
      data[key] = stringify(document, { lineWidth: 0 });
    });
  }

  /** The one cluster in the kubeconfig of cluster-info. */
  clusterInfo(change: (cluster: Record<string, unknown>) => void): void {
    this.yaml('kube-public/cluster-info', 'kubeconfig', (config) => {
      change((config.clusters as { cluster: Record<string, unknown> }[])[0]!.cluster);
    });
  }

  addConfigMap(name: string, data: Record<string, string>): void {
    const metadata = { name, namespace: 'kube-system' };
    this.cluster.objects.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  }

  removeRoleBinding(namespace: string, name: string): void {
    this.cluster.objects.delete(roleBindings, namespace, name);
  }

  removeConfigMap(name: string): void {
    const [namespace = '', own = ''] = name.split('/');
    this.cluster.objects.delete(configMaps, namespace, own);
  }
}
