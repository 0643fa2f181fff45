import { Failure, type FailureCode } from '../../errors.ts';
import { agentConfig, agentConfigSource, readAgentConfig } from '../agent-config.ts';
import type { ClusterClient } from '../connect.ts';
import type { AgentConfigFact } from '../types.ts';
import { patchKey } from './merge-patch.ts';

type Client = Pick<ClusterClient, 'core'>;

/** Other keys of the ConfigMap change now and then: a conflict alone says nothing about ours. */
const attempts = 5;
/** After these the API server may have made the change all the same. */
const undecided: readonly FailureCode[] = [
  'ClusterTimeout',
  'ClusterUnreachable',
  'ClusterServerError',
  'ClusterAnswerInvalid',
];

/**
 * Sets addNodeScriptPath, if it still holds what `from` held, and reads it back.
 * @param url Already checked by the agent's rules.
 * @throws Failure LiveScriptChanged when somebody else changed it; AgentConfigMissing; SwitchedButUnverified when it
 *   may have changed and can't be read, or holds something else at the end
 */
export async function switchScript(client: Client, from: AgentConfigFact, url: string): Promise<AgentConfigFact> {
  let current = from;
  let failure: Failure | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    failure = await tryPatch(client, current, url);
    const mayHaveChanged = failure === undefined || undecided.includes(failure.code);
    current = mayHaveChanged ? await readBack(client, url, failure) : await readAgain(client);
    if (current.addNodeScriptPath === url) return current;
    if (failure === undefined) {
      throw new Failure(
        'SwitchedButUnverified',
        `addNodeScriptPath was set to ${url}, and holds ${shown(current)} now`,
      );
    }
    if (current.addNodeScriptPath !== from.addNodeScriptPath) {
      const what = `addNodeScriptPath held ${shown(from)} when this run began, and holds ${shown(current)} now`;
      throw new Failure('LiveScriptChanged', what);
    }
  }
  throw failure ?? new Failure('Bug', 'the switch was never tried');
}

const shown = ({ addNodeScriptPath }: AgentConfigFact) => addNodeScriptPath ?? 'nothing';

/** @returns what it failed with, where trying again or reading may help */
async function tryPatch(client: Client, current: AgentConfigFact, url: string): Promise<Failure | undefined> {
  const { resourceVersion } = current;
  try {
    await patchKey(client, agentConfig, { key: 'addNodeScriptPath', value: url, resourceVersion });
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'ClusterNotFound') throw missing();
    if (error.code !== 'ClusterConflict' && !undecided.includes(error.code)) throw error;
    return error;
  }
}

const missing = () => new Failure('AgentConfigMissing', `${agentConfigSource} does not exist`);

async function readAgain(client: Client): Promise<AgentConfigFact> {
  const found = await readAgentConfig(client);
  if (!found) throw missing();
  return found;
}

async function readBack(client: Client, url: string, failure: Failure | undefined): Promise<AgentConfigFact> {
  try {
    return await readAgain(client);
  } catch (error) {
    const done = failure ? `addNodeScriptPath may hold ${url} now` : `addNodeScriptPath was set to ${url}`;
    const causes = [...(failure ? [failure.message] : []), error instanceof Error ? error.message : 'unknown reason'];
    throw new Failure('SwitchedButUnverified', `${done}, and reading it back failed`, { causes, cause: error });
  }
}
