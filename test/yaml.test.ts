import { expect, it } from 'vitest';
import { readYaml } from '../src/yaml.ts';

it('gives the value of a document', () => {
  expect(readYaml('a: [1, b]')).toEqual({ value: { a: [1, 'b'] } });
});

it('tells the line of what is no YAML', () => {
  expect(readYaml('a: 1\nb: [')).toEqual({ wrongAt: 2 });
});

it('refuses aliases of aliases that stand for more than memory holds', () => {
  const levels = Array.from(
    { length: 9 },
    (_, level) => `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(', ')}]`,
  );
  expect(readYaml(['l0: &l0 x', ...levels].join('\n'))).toEqual({ wrongAt: undefined });
});
