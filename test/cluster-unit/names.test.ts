import { expect, test } from 'vitest';
import { clusterNameOf } from '../../src/cluster/names.ts';

test.each([
  ['prod-hz', 'any', 'prod-hz'],
  ['kubernetes', 'prod', 'prod'],
  [undefined, 'prod', 'prod'],
  ['kubernetes', 'lab_2.example', 'lab_2.example'],
])('of kubeadm %s and context %s it is %s', (kubeadmName, context, name) => {
  expect(clusterNameOf(kubeadmName, context)).toBe(name);
});

/** The digits are the start of `printf %s NAME | sha256sum`. */
test.each([
  ['kubernetes-admin@kubernetes', 'kubernetes-admin-kubernetes-564fc13e'],
  ['arn:aws:eks:r:000000000000:cluster/x', 'arn-aws-eks-r-000000000000-cluster-x-8a73f5cb'],
  ['my lab', 'my-lab-e283ee3c'],
  ['../../x', 'x-9cdf6a50'],
  ['生产集群', '21c8215e'],
  ['..', '5ec1f7e7'],
  ['a//b', 'a-b-7a9acf33'],
])('H6 context %s becomes %s', (context, name) => {
  expect(clusterNameOf(undefined, context)).toBe(name);
});

test('H6 a name of 120 characters is cut to 63, and stays its own', () => {
  const [one, other] = ['a', 'b'].map((end) => clusterNameOf(undefined, `${'x'.repeat(119)}${end}`));
  expect(one).toHaveLength(63);
  expect(one).not.toBe(other);
});

test('H6 no odd name can leave its folder, hide, or need an escape in a URL', () => {
  for (const context of ['../../x', './x', '/etc', 'a/../../b', '.hidden', 'a\nb', '%2e%2e/', "$(rm -rf /)'", '']) {
    expect(clusterNameOf(undefined, context)).toMatch(/^[a-zA-Z0-9_][a-zA-Z0-9_-]*(\.[a-zA-Z0-9_-]+)*$/);
  }
});
