/** What is made of the program's own tables; `npm run docs` renews it, and git shows the difference. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configJsonSchema } from '../../build/docs/config-schema.ts';
import { errorsPage } from '../../build/docs/errors-page.ts';
import { rows } from '../../src/questions.ts';

it('docs/errors.md is what explain says', () => expect(errorsPage()).toMatchFileSnapshot('../../docs/errors.md'));

it('docs/config.schema.json is what the table of answers says', () =>
  expect(configJsonSchema()).toMatchFileSnapshot('../../docs/config.schema.json'));

it('the schema knows every key, its values and its form', () => {
  const { properties } = JSON.parse(readFileSync(new URL('../../docs/config.schema.json', import.meta.url), 'utf8'));
  expect(Object.keys(properties)).toEqual(['schema', ...rows.map(([key]) => key)]);
  expect(properties.selinux).toMatchObject({ enum: ['disabled', 'permissive', 'keep'], default: 'disabled' });
  expect(properties.deadline).toMatchObject({ default: '15m', type: ['string', 'number'] });
  expect(properties.kubeVersion).toMatchObject({ type: 'string' });
  expect(properties.sysctl.anyOf).toContainEqual(expect.objectContaining({ type: 'array' }));
});
