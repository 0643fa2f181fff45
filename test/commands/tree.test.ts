/** The command line is a contract: this is all of it, and a change shows in the snapshot. Wording is not in it. */
import { describe, expect, it } from 'vitest';
import { commandTree, type FlagInfo, flagsOf } from '../../src/commands/tree.ts';
import { flagOf, rows, variableOf } from '../../src/questions.ts';

const keyOf = ({ name }: FlagInfo) => rows.map(([key]) => key).find((key) => flagOf(key) === name);

function line(flag: FlagInfo, isAnswer: boolean): string {
  const { name, short, value, choices, many, negatable } = flag;
  const key = isAnswer ? keyOf(flag) : undefined;
  return [
    short,
    name,
    ...(value === undefined ? [] : [`<${choices?.join('|') ?? value}>${many ? '…' : ''}`]),
    ...(negatable ? [name.replace('--', '--no-')] : []),
    ...(key === undefined ? [] : [`= ${variableOf(key)} = ${key}`]),
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

it('the whole command tree', () => {
  const text = commandTree
    .map(({ name, argument, answers, flags, exits }) =>
      [
        `ackone-join ${name}${argument ? ` <${argument.name}>` : ''}`,
        ...answers.map((flag) => `  ${line(flag, true)}`),
        ...flags.map((flag) => `  ${line(flag, false)}`),
        `  exit codes ${exits.join(' ')}`,
      ].join('\n'),
    )
    .join('\n\n');
  return expect(`${text}\n`).toMatchFileSnapshot('tree.txt');
});

describe('every question', () => {
  it.each(rows.map(([key, row]) => [key, row] as const))(
    '%s has a flag, a variable, a config key and help',
    (key, row) => {
      for (const command of commandTree.filter(({ name }) => (row.for as readonly string[]).includes(name))) {
        const flag = command.answers.find(({ name }) => name === flagOf(key));
        expect(flag?.help).toContain(row.help);
        expect(flag?.group).toBe(row.group);
        expect(flag?.value === undefined).toBe(row.prompt === 'confirm');
      }
      expect(row.for.length).toBeGreaterThan(0);
      expect(variableOf(key)).toMatch(/^ACKONE_JOIN_[A-Z0-9_]+$/);
      expect(key).toMatch(/^[a-z][A-Za-z0-9]+$/);
    },
  );

  it('is in config, which shows all of them', () => {
    const config = commandTree.find(({ name }) => name === 'config')!;
    expect(config.answers.map(({ name }) => name).sort()).toEqual(rows.map(([key]) => flagOf(key)).sort());
  });
});

it('no command has two flags of one spelling', () => {
  for (const command of commandTree) {
    const spellings = flagsOf(command).flatMap(({ name, short }) => (short ? [name, short] : [name]));
    expect(new Set(spellings).size).toBe(spellings.length);
  }
});
