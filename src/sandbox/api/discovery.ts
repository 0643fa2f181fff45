/** What a client asks before it knows which resources there are. kubectl asks all of it. */
import { apiVersion, type Resource } from './resources.ts';

/** @returns undefined when nothing is served at the path. */
export function discovery(path: string, served: readonly Resource[]): object | undefined {
  const groups = [...new Set(served.map(({ group }) => group).filter((group) => group !== ''))];
  const [, root, group, version] = /^\/(apis?)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
  if (root === 'api') {
    if (group === undefined) return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
    return group === 'v1' && version === undefined ? resourceList('', served) : undefined;
  }
  if (root !== 'apis') return undefined;
  if (group === undefined) return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(apiGroup) };
  if (!groups.includes(group)) return undefined;
  if (version === undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group) };
  return version === 'v1' ? resourceList(group, served) : undefined;
}

function apiGroup(name: string) {
  const version = { groupVersion: `${name}/v1`, version: 'v1' };
  return { name, versions: [version], preferredVersion: version };
}

function resourceList(group: string, served: readonly Resource[]) {
  const members = served.filter((resource) => resource.group === group);
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: members[0] && apiVersion(members[0]),
    resources: members.map(({ name, kind, namespaced, verbs, shortNames }) => ({
      name,
      singularName: kind.toLowerCase(),
      namespaced,
      kind,
      verbs,
      ...(shortNames && { shortNames }),
    })),
  };
}
