/** One context: its certificates, its objects, its API server, its controllers. */
import { createServer, type Server } from 'node:https';
import { cleanTokens, signClusterInfo } from './api/bootstrap-tokens.ts';
import { type KubeObject, Objects, type SavedObjects } from './api/objects.ts';
import { apiHandler } from './api/server.ts';
import type { Pair } from './certificates.ts';
import * as certificates from './certificates.ts';
import { configz } from './configz.ts';
import { type Description, port } from './contexts.ts';
import type { Traffic } from './faults.ts';
import { furnish } from './furnish.ts';
import { listen } from './http.ts';

export interface SavedCluster {
  readonly authority: Pair;
  readonly server: Pair;
  readonly client: Pair;
  readonly objects: SavedObjects;
}

export class Cluster {
  readonly objects: Objects;
  readonly version: string;
  /** `192.0.2.10:6443` */
  readonly endpoint: string;
  /** kube-apiserver's --anonymous-auth. */
  anonymousAuth = true;
  /** False: as if kube-controller-manager ran without bootstrapsigner and tokencleaner. */
  controllers = true;
  readonly authority: Pair;
  readonly client: Pair;
  readonly configz: (node: KubeObject) => object;
  readonly #server: Pair;

  /** @param changed Called after each change of an object. */
  constructor(description: Description, pairs: Omit<SavedCluster, 'objects'>, changed: () => void) {
    this.objects = new Objects(changed);
    this.version = description.version;
    this.configz = (node) => configz(node, description);
    this.endpoint = `${description.address}:${port}`;
    this.authority = pairs.authority;
    this.client = pairs.client;
    this.#server = pairs.server;
  }

  save(): SavedCluster {
    return { authority: this.authority, server: this.#server, client: this.client, objects: this.objects.save() };
  }

  /** The server does not listen: connections are handed to it. */
  createServer(name: string, traffic: Traffic): Server {
    const { cert, key } = this.#server;
    const options = { cert, key, ca: this.authority.cert, requestCert: true, rejectUnauthorized: false };
    return createServer(options, listen(name, apiHandler(this), traffic));
  }

  runControllers(now: Date): void {
    if (!this.controllers) return;
    cleanTokens(this.objects, now);
    signClusterInfo(this.objects, now);
  }
}

export async function createCluster(description: Description, changed: () => void): Promise<Cluster> {
  const authority = await certificates.createAuthority(description.authority);
  const [name, group] =
    description.user === 'admin' ? ['kubernetes-admin', 'system:masters'] : ['viewer', 'sandbox:viewers'];
  const server = await certificates.createServer(authority, [description.address, '127.0.0.1']);
  const client = await certificates.createClient(authority, name, [group]);
  const cluster = new Cluster(description, { authority, server, client }, changed);
  furnish(cluster.objects, description, authority.cert);
  return cluster;
}

export function restoreCluster(description: Description, saved: SavedCluster, changed: () => void): Cluster {
  const cluster = new Cluster(description, saved, changed);
  cluster.objects.load(saved.objects);
  return cluster;
}
