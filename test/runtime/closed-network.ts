/** A network whose only registry has a certificate of a CA of its own. */
import { Host } from '../script/bash.ts';
import { makeCa, makeCertificate } from '../script/tls-server.ts';
import { type Registry, startRegistry } from './registry.ts';

export interface ClosedNetwork {
  readonly registry: Registry;
  /** PEM of the CA that the registry's certificate comes from. */
  readonly ours: string;
  /** PEM of another one. */
  readonly theirs: string;
  /** An empty folder. */
  readonly scratch: string;
}

export async function closedNetwork(): Promise<ClosedNetwork> {
  const host = new Host();
  const [ours, theirs] = [makeCa(host, 'ours'), makeCa(host, 'theirs')];
  const names = 'subjectAltName=DNS:registry.example.com,DNS:mirror.example.com';
  makeCertificate(host, 'ours', 'server', '/CN=registry', names);
  return { registry: await startRegistry(host.read('server.pem')), ours, theirs, scratch: host.path('scratch') };
}
