/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} messages why a test failed or could not run, a paragraph each
 */

/**
 * What a run of vitest amounts to. Whatever is wrong with it counts as a failure, so that no run passes by saying nothing.
 * @param {object} run
 * @param {number | null} run.code
 * @param {boolean} run.timedOut
 * @param {string} run.output
 * @param {import('vitest/node').JsonTestResults | undefined} run.report undefined when vitest wrote none
 * @param {boolean} run.mustRunAll a skipped test is a failure
 * @returns {Outcome}
 */
export function judge({ code, timedOut, output, report, mustRunAll }) {
  const failures = report?.testResults.flatMap(failuresOf) ?? [];
  const passed = report?.numPassedTests ?? 0;
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
  if (timedOut) failures.push('Stopped: the time of this part was up.');
  else if (code !== 0 && failures.length === 0) failures.push(`vitest ended with ${code}:\n${lastLines(output)}`);
  else if (passed + skipped + failures.length === 0) failures.push('There are no tests.');
  if (mustRunAll && skipped > 0) failures.push(`With CI=true every test must run, and ${skipped} did not.`);
  return { passed, failed: failures.length, skipped, messages: [...notes(output), ...failures] };
}

/**
 * @param {import('vitest/node').JsonTestResults['testResults'][number]} file
 * @returns {string[]}
 */
function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  // A file that cannot be loaded, or whose hooks fail, has no failed test: it counts as one.
  if (status === 'failed' && failed.length === 0) return [`${name}\n${message || 'A hook failed.'}`];
  return failed.map((test) => `${name}: ${test.fullName}\n${test.failureMessages?.join('\n')}`);
}

/** Lines by which tests say what this machine cannot run, or what else should be seen. @param {string} output */
const notes = (output) => output.match(/^(?:Not run|Note): .*$/gm) ?? [];

/** @param {string} output */
const lastLines = (output) => output.trim().split('\n').slice(-30).join('\n');
