/** docs/config.schema.json: the config file as a JSON Schema, made of the table of answers. */
import * as z from 'zod';
import { configSchema } from '../../src/config-files.ts';
import { durationText } from '../../src/durations.ts';
import { type Question, rows } from '../../src/questions.ts';

/** Draft 7 is what the YAML servers of editors know best. */
export function configJsonSchema(): string {
  const properties = Object.fromEntries(rows.map(([key, row]) => [key, property(row)]));
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: configSchema,
    description: 'Config file of ackone-join: ackone-join.yaml in a project, ackone-join/config.yaml of a user.',
    type: 'object',
    additionalProperties: false,
    properties: { schema: { const: configSchema, description: 'form of this file' }, ...properties },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function property(row: Question): object {
  const { $schema: _, ...form } = z.toJSONSchema(row.check, { io: 'input', target: 'draft-7' });
  const isDuration = row.hint === 'duration';
  const fixed = row.default?.({}, {});
  return {
    description: row.help,
    ...form,
    ...(isDuration && { examples: ['90s', '15m', '24h', '30d'] }),
    ...(fixed !== undefined && { default: isDuration && fixed !== 0 ? durationText(Number(fixed)) : fixed }),
  };
}
