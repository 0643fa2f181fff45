/** The checks of kubernetes pkg/apis/core/validation that an object of ours could fail. */
import type { KubeObject } from './objects.ts';
import type { Resource } from './resources.ts';
import { invalid, invalidValue } from './status.ts';

type Causes = Parameters<typeof invalid>[3];

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const labelName = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/;
const labelNameRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/;
const labelValueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
/** kubernetes pkg/apis/core MaxSecretSize; a ConfigMap has the same. */
const maxBytes = 1024 * 1024;

/** @throws Refusal 422 with every cause. */
export function validate(resource: Resource, object: KubeObject, standing?: KubeObject): void {
  const causes = [
    ...nameCauses(resource, object),
    ...labelCauses(object),
    ...dataCauses(object),
    ...(standing ? changeCauses(object, standing) : []),
  ];
  if (causes.length > 0) throw invalid(resource.kind, resource.group, object.metadata.name, causes);
}

function nameCauses(resource: Resource, { metadata: { name } }: KubeObject): Causes {
  const field = 'metadata.name';
  if (name === '') {
    return [{ reason: 'FieldValueRequired', message: 'Required value: name or generateName is required', field }];
  }
  // Roles may have any name that is one segment of a path.
  const valid = resource.group === '' ? subdomain.test(name) && name.length <= 253 : !/[/%]|^\.\.?$/.test(name);
  return valid ? [] : [invalidValue(field, name, subdomainRule)];
}

function labelCauses({ metadata: { labels = {} } }: KubeObject): Causes {
  return Object.entries(labels).flatMap(([name, value]) => [
    ...(labelName.test(name) ? [] : [invalidValue('metadata.labels', name, labelNameRule)]),
    ...(labelValue.test(value) ? [] : [invalidValue('metadata.labels', value, labelValueRule)]),
  ]);
}

function dataCauses(object: KubeObject): Causes {
  const data = dataOf(object);
  const keys = Object.keys(data).filter((key) => !/^[-._a-zA-Z0-9]{1,253}$/.test(key));
  const bytes = Object.values(data).reduce((sum, text) => sum + sizeOf(object, text), 0);
  return [
    ...keys.map((key) => invalidValue(`data[${key}]`, key, keyRule)),
    ...(bytes <= maxBytes
      ? []
      : [{ reason: 'FieldValueTooLong', message: `Too long: may not be more than ${maxBytes} bytes`, field: 'data' }]),
  ];
}

const sizeOf = ({ kind }: KubeObject, text: string) => Buffer.byteLength(text, kind === 'Secret' ? 'base64' : 'utf8');

function changeCauses(object: KubeObject, standing: KubeObject): Causes {
  const causes: Causes[number][] = [];
  const { uid } = object.metadata;
  if (uid && uid !== standing.metadata.uid) causes.push(invalidValue('metadata.uid', uid, 'field is immutable'));
  if (object.kind === 'Secret' && object.type !== standing.type) {
    causes.push(invalidValue('type', object.type, 'field is immutable'));
  }
  const frozen = standing.immutable === true;
  if (frozen && JSON.stringify(dataOf(object)) !== JSON.stringify(dataOf(standing))) {
    const message = 'Forbidden: field is immutable when `immutable` is set';
    causes.push({ reason: 'FieldValueForbidden', message, field: 'data' });
  }
  return causes;
}

const dataOf = (object: KubeObject) => (object.data ?? {}) as Readonly<Record<string, string>>;
