import { expect, test } from 'vitest';
import type { JsonTestResults } from 'vitest/node';
import { judge } from './outcome.mjs';

type File = JsonTestResults['testResults'][number];

const file = (statuses: File['assertionResults'][number]['status'][], rest: Partial<File> = {}): File => ({
  name: 'a.test.ts',
  status: statuses.includes('failed') ? 'failed' : 'passed',
  message: '',
  startTime: 0,
  endTime: 0,
  assertionResults: statuses.map((status, index) => ({
    fullName: `test ${index}`,
    title: `test ${index}`,
    ancestorTitles: [],
    status,
    failureMessages: status === 'failed' ? ['expected 1 to be 2'] : [],
    meta: {},
    tags: [],
  })),
  ...rest,
});

/** What vitest writes of such files, as far as it is read. */
const report = (...testResults: File[]) => {
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  return {
    testResults,
    numPassedTests: statuses.filter((status) => status === 'passed').length,
    numPendingTests: statuses.filter((status) => status === 'skipped').length,
    numTodoTests: 0,
  } as JsonTestResults;
};

const run = (change: Partial<Parameters<typeof judge>[0]>) =>
  judge({ code: 0, timedOut: false, output: '', report: undefined, mustRunAll: false, ...change });

test('what passed is counted', () => {
  expect(run({ report: report(file(['passed', 'passed'])) })).toEqual({
    passed: 2,
    failed: 0,
    skipped: 0,
    messages: [],
  });
});

test('a failed test gives its file, name and message', () => {
  const { messages, ...counts } = run({ code: 1, report: report(file(['passed', 'failed'])) });
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(messages).toEqual(['a.test.ts: test 1\nexpected 1 to be 2']);
});

test.each([
  [
    'a file that cannot be loaded',
    { code: 1, report: report(file([], { status: 'failed', message: 'no module' })) },
    'a.test.ts\nno module',
  ],
  [
    'a hook that fails',
    { code: 1, report: report(file(['passed'], { status: 'failed' })) },
    'a.test.ts\nA hook failed.',
  ],
  [
    'an error between tests',
    { code: 1, report: report(file(['passed'])), output: 'Unhandled' },
    'vitest ended with 1:\nUnhandled',
  ],
  ['a run without a report', { code: 1, output: 'no such project' }, 'vitest ended with 1:\nno such project'],
  ['a run without tests', { report: report() }, 'There are no tests.'],
  ['a run that lasts too long', { code: null, timedOut: true }, 'Stopped: the time of this part was up.'],
  [
    'a skipped test where all must run',
    { report: report(file(['skipped'])), mustRunAll: true },
    'With CI=true every test must run, and 1 did not.',
  ],
])('%s is one failure', (_, change, message) => {
  expect(run(change)).toMatchObject({ failed: 1, messages: [message] });
});

test('a skipped test is none where the machine may lack something, and says why', () => {
  const output = 'RUN\nNot run: the host part, no systemd-nspawn here.\nnoise';
  expect(run({ report: report(file(['passed', 'skipped'])), output })).toEqual({
    passed: 1,
    failed: 0,
    skipped: 1,
    messages: ['Not run: the host part, no systemd-nspawn here.'],
  });
});
