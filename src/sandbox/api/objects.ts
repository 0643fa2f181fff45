import { randomUUID } from 'node:crypto';
import { apiVersion, type Resource } from './resources.ts';
import { alreadyExists, conflict, internal, notFound, preconditionFailed } from './status.ts';

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly creationTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An object of the API; what is beside `metadata` depends on its kind. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
}

/** What state.json keeps of a cluster. */
export interface SavedObjects {
  readonly resourceVersion: number;
  readonly objects: readonly KubeObject[];
}

export interface Precondition {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

const modified = 'the object has been modified; please apply your changes to the latest version and try again';

/** The objects of one cluster, as etcd and the registry would keep them. */
export class Objects {
  readonly #byKey = new Map<string, KubeObject>();
  readonly #changed: () => void;
  #resourceVersion = 1;

  /** @param changed Called after each change. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get resourceVersion(): string {
    return String(this.#resourceVersion);
  }

  load(saved: SavedObjects): void {
    this.#resourceVersion = saved.resourceVersion;
    for (const object of saved.objects) this.#byKey.set(keyOf(object.kind, object.metadata), object);
  }

  save(): SavedObjects {
    return { resourceVersion: this.#resourceVersion, objects: [...this.#byKey.values()] };
  }

  find(resource: Resource, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#byKey.get(keyOf(resource.kind, { name, ...(namespace && { namespace }) }));
  }

  get(resource: Resource, namespace: string | undefined, name: string): KubeObject {
    const found = this.find(resource, namespace, name);
    if (!found) throw notFound(resource, name);
    return found;
  }

  /** Sorted by namespace and name, as etcd's keys are. */
  list(resource: Resource, namespace?: string): readonly KubeObject[] {
    return [...this.#byKey]
      .filter(([, object]) => object.kind === resource.kind)
      .filter(([, object]) => namespace === undefined || object.metadata.namespace === namespace)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object);
  }

  /** @param dryRun Answer as if, and keep nothing. */
  create(resource: Resource, given: KubeObject, dryRun = false): KubeObject {
    const { name, namespace, labels, annotations } = given.metadata;
    if (given.metadata.resourceVersion) throw internal('resourceVersion should not be set on objects to be created');
    if (this.find(resource, namespace, name)) throw alreadyExists(resource, name);
    const metadata = {
      name,
      ...(namespace && { namespace }),
      uid: randomUUID(),
      creationTimestamp: new Date().toISOString().replace(/\.\d+/, ''),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    };
    const object = { ...given, apiVersion: apiVersion(resource), kind: resource.kind, metadata };
    return dryRun ? object : this.#keep(object);
  }

  /** @throws Refusal 409 when `given` names another resourceVersion than the one that stands. */
  checkVersion(resource: Resource, { metadata: { resourceVersion, namespace, name } }: KubeObject): void {
    const standing = this.get(resource, namespace, name);
    if (!resourceVersion || resourceVersion === standing.metadata.resourceVersion) return;
    if (/^\d+$/.test(resourceVersion)) throw conflict(resource, name, modified);
    throw internal(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
  }

  /** A write that changes nothing leaves the resourceVersion as it is, like the real server. */
  replace(resource: Resource, given: KubeObject, dryRun = false): KubeObject {
    this.checkVersion(resource, given);
    const { namespace, name } = given.metadata;
    const standing = this.get(resource, namespace, name);
    const { uid, creationTimestamp, resourceVersion } = standing.metadata as Required<Metadata>;
    const next: KubeObject = { ...given, metadata: { ...given.metadata, uid, creationTimestamp, resourceVersion } };
    return dryRun || same(next, standing) ? next : this.#keep(next);
  }

  delete(resource: Resource, namespace: string | undefined, name: string, only: Precondition = {}, dryRun = false) {
    const standing = this.get(resource, namespace, name);
    const { uid, resourceVersion } = standing.metadata;
    if (only.uid && only.uid !== uid) {
      const differs = `the UID in the precondition (${only.uid}) does not match the UID in record (${uid})`;
      throw preconditionFailed(resource, name, `${differs}. The object might have been deleted and then recreated`);
    }
    if (only.resourceVersion && only.resourceVersion !== resourceVersion) {
      const record = `the ResourceVersion in record (${resourceVersion})`;
      const differs = `the ResourceVersion in the precondition (${only.resourceVersion}) does not match ${record}`;
      throw preconditionFailed(resource, name, `${differs}. The object might have been modified`);
    }
    if (dryRun) return standing;
    this.#resourceVersion += 1;
    this.#byKey.delete(keyOf(resource.kind, standing.metadata));
    this.#changed();
    return standing;
  }

  #keep(object: KubeObject): KubeObject {
    this.#resourceVersion += 1;
    const kept = { ...object, metadata: { ...object.metadata, resourceVersion: this.resourceVersion } };
    this.#byKey.set(keyOf(object.kind, object.metadata), kept);
    this.#changed();
    return kept;
  }
}

const keyOf = (kind: string, { namespace = '', name }: Pick<Metadata, 'name' | 'namespace'>) =>
  `${kind}/${namespace}/${name}`;

const same = (a: unknown, b: unknown) => sorted(a) === sorted(b);

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
