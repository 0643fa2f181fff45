/** The API server's address as nodes use it, and whether a new ECS host can reach it. */
import type { Finding } from '../errors.ts';
import { note, stop, warning } from './findings.ts';
import type { ScriptInput } from './types.ts';

export interface HostPort {
  /** Lower-case name, IPv4, or IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
  /** `host:port` */
  readonly text: string;
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dnsName = new RegExp(`^${label}(\\.${label})*\\.?$`);
const ipv4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

const isIpv4 = (host: string) =>
  ipv4
    .exec(host)
    ?.slice(1)
    .every((part) => String(Number(part)) === part && Number(part) < 256);
const isIpv6 = (host: string) => /^\[[0-9a-f:.]+\]$/.test(host) && URL.canParse(`https://${host}`);
/** A name whose last label is a number is meant as an address, and resolves nowhere. */
const isName = (host: string) => host.length <= 253 && dnsName.test(host) && !/(^|\.)(\d+|0x[0-9a-f]*)\.?$/.test(host);

/** `name[:port]`, `192.0.2.10[:port]` or `[2001:db8::1][:port]`; undefined when it is none of them. */
export function parseHostPort(text: string, defaultPort: number): HostPort | undefined {
  const match = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text.toLowerCase());
  const host = match?.[1] ?? '';
  const port = match?.[2] === undefined ? defaultPort : Number(match[2]);
  if (!(isIpv4(host) || isIpv6(host) || isName(host)) || port < 1 || port > 65535) return undefined;
  return { host, port, text: `${host}:${port}` };
}

/**
 * The server of a kubeconfig, `https://host[:port]`. Without a port it is 443, as for any https URL: client-go and so
 * the node's kubelet will connect there. (kubeadm's own `--print-join-command` only cuts off `https://`, and its join
 * then refuses the rest for its missing port: cmd/kubeadm/app/cmd/util/join.go, ValidateDiscoveryTokenAPIServer.)
 * @returns undefined for another scheme, or when there is a path, as behind Rancher: kubeadm asks a host and a port.
 */
export function parseServer(server: string): HostPort | undefined {
  const match = /^https:\/\/([^/?#@\\]+)\/?$/i.exec(server.trim());
  return match?.[1] === undefined ? undefined : parseHostPort(match[1], 443);
}

/** Suffixes that no DNS serves: installers write such names into the hosts files of their own nodes. */
const localSuffix = /(^|\.)(local|localhost|localdomain|svc|invalid)$/;
/** Suffixes of private DNS zones: they resolve where the zone is known, which may or may not be the VPC. */
const privateSuffix = /(^|\.)(internal|intranet|private|corp|lan|home|home\.arpa)$/;

/** Addresses that reach nothing, or something else, from another machine. */
const noRoute: readonly (readonly [address: RegExp, why: string])[] = [
  [/^127\.|^\[::1\]$|^\[::ffff:7f/, 'is the loopback address'],
  [/^169\.254\.|^\[fe[89ab][0-9a-f]:|^\[::ffff:a9fe:/, 'is a link-local address'],
  [/^0\.|^2(2[4-9]|[345]\d)\.|^\[::\]$|^\[::ffff:0:|^\[ff/, 'is no address of a host'],
  [/^10\.103\.97\.2$/, 'is the address that sealos sets up on each of its own nodes'],
];
/** URL writes an IPv6 address in its shortest form. */
const whyNoRoute = (host: string) =>
  noRoute.find(([address]) => address.test(new URL(`https://${host}`).hostname))?.[1];

/** Why only the old hosts know a name. */
function whyNoName(host: string): string | undefined {
  const name = host.replace(/\.$/, '');
  if (localSuffix.test(name)) return 'is a name that no DNS of the VPC knows; the old hosts have it in /etc/hosts';
  return name.includes('.') ? undefined : 'is a name without a domain, which only the old hosts know';
}

const hostsLineNotNeeded = ({ text }: HostPort) =>
  note('HostsLineNotNeeded', `nodes use the API server by its address ${text}, so --api-server-ip is not used`);

/** Does the node know the API server by a name, which a hosts line can lead to an address? Beside kubeadm's --config it knows neither. */
export function namesServer(input: ScriptInput): boolean {
  const endpoint = input.style === 'kubeadm' ? input.join.endpoint : input.endpoint;
  const host = endpoint.replace(/:\d+$/, '');
  return host !== '' && !isIpv4(host) && !isIpv6(host);
}

/**
 * Can a new ECS host reach the server that cluster-info names? Nodes use that one whatever the join command says.
 * @param correct What to do instead, a sentence.
 * @param apiServerIp `--api-server-ip`: written to the node's hosts file, so it helps a name but no address.
 */
export function serverFindings(
  server: HostPort,
  apiServerIp: string | undefined,
  correct = 'Correct the server in ConfigMap kube-public/cluster-info.',
): readonly Finding[] {
  const { host } = server;
  if (apiServerIp !== undefined) {
    const why = whyNoRoute(apiServerIp.includes(':') ? `[${apiServerIp}]` : apiServerIp);
    if (why) {
      return [
        stop(
          'ServerUnreachableFromEcs',
          `the value of --api-server-ip, ${apiServerIp}, ${why}`,
          'Give an address of the API server that the VPC can route to.',
        ),
      ];
    }
  }
  if (isIpv4(host) || isIpv6(host)) {
    const why = whyNoRoute(host);
    if (!why && apiServerIp !== undefined) return [hostsLineNotNeeded(server)];
    return why ? [stop('ServerUnreachableFromEcs', `the API server's address ${server.text} ${why}`, correct)] : [];
  }
  if (apiServerIp !== undefined) return [];
  const why = whyNoName(host);
  if (why) {
    return [
      stop(
        'ServerUnreachableFromEcs',
        `the API server's name in ${server.text} ${why}`,
        'Give --api-server-ip with an address of the API server that the VPC can route to.',
        correct,
      ),
    ];
  }
  const next = 'Resolve it on an ECS host of the VPC, or give --api-server-ip.';
  return privateSuffix.test(host)
    ? [
        warning(
          'ServerNamePrivate',
          `the API server's name ${host} is one of a private DNS zone, which the VPC must know`,
          next,
        ),
      ]
    : [note('ServerNameInVpc', `nodes must be able to resolve the API server's name ${host}`, next)];
}
