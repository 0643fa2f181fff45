/** The pause image, which every pod's sandbox runs. */

/** First Kubernetes minor → tag (kubeadm's PauseVersion in cmd/kubeadm/app/constants, facts/versions.md). */
const pauseTags: readonly (readonly [minor: number, tag: string])[] = [
  [12, '3.1'],
  [18, '3.2'],
  [21, '3.4.1'],
  [22, '3.5'],
  [23, '3.6'],
  [24, '3.7'],
  [25, '3.8'],
  [26, '3.9'],
  [31, '3.10'],
  [34, '3.10.1'],
  [36, '3.10.2'],
];

/** The oldest Kubernetes minor that is understood, and the newest whose values are known rather than carried on. */
export const oldestMinor = 12;
export const newestMinor = 37;

/** Tag of the pause image that kubeadm of this minor uses; a newer minor keeps the last one known. */
export const pauseTag = (minor: number): string => pauseTags.findLast(([first]) => first <= minor)?.[1] ?? '3.1';

/** What kubeadm-config holds when nobody chose a repository; ECS hosts in China cannot reach these. */
const upstreamRepositories = ['registry.k8s.io', 'k8s.gcr.io', 'gcr.io/google_containers', 'gcr.io/google-containers'];
const aliyunRepository = 'registry.aliyuncs.com/google_containers';

/** Is it a registry's name with a path, as an image reference may begin? Keeps quotes and spaces out of config files. */
export const isImageReference = (text: string): boolean =>
  text.length <= 255 &&
  /^[a-z0-9]([\w.-]*[a-z0-9])?(:\d{1,5})?(\/[a-z0-9][\w.-]*)*(:[\w.-]+)?(@sha256:[0-9a-f]{64})?$/i.test(text);

/** A cluster's repository that nodes should use as well; undefined when it is only the default. */
export function ownRepository(imageRepository: string | undefined): string | undefined {
  const repository = imageRepository?.trim().replace(/\/+$/, '');
  return repository && !upstreamRepositories.includes(repository) ? repository : undefined;
}

/** Whole reference of the pause image in a repository, by default the Aliyun mirror of the upstream one. */
export const pauseImage = (minor: number, repository = aliyunRepository): string =>
  `${repository.replace(/\/+$/, '')}/pause:${pauseTag(minor)}`;

/** The registry that an image comes from: `docker.io` where its name says none (distribution/reference, splitDockerDomain). */
export function registryOf(reference: string): string {
  const [first = '', ...rest] = reference.split('/');
  const named = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  if (!named) return 'docker.io';
  return /^(index|registry-1)\.docker\.io$/.test(first) ? 'docker.io' : first;
}

/** Anybody's, whose certificates are trusted everywhere. */
export const isPublicRegistry = (registry: string): boolean =>
  ['docker.io', ...[...upstreamRepositories, aliyunRepository].map((name) => registryOf(`${name}/pause`))].includes(
    registry,
  );
