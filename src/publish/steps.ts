/** The effects of a publication in their order, as a plan shows them. Pure. */
import { durationText } from '../durations.ts';
import type { Answers } from '../questions.ts';
import type { Place } from './place.ts';
import type { Live, Survey } from './survey.ts';
import type { Step } from './types.ts';

/** An ACL that is not known is taken for none. */
export const hasOtherAcl = ({ isPublic = false }: Live, access: Answers['access']) =>
  isPublic !== (access === 'public-read');

interface StepNames extends Place {
  readonly tokenId: string | undefined;
  readonly tokenIsNew: boolean;
  /** The object holds this very script already. */
  readonly isUploaded: boolean;
  readonly changes: boolean;
}

export function steps(survey: Survey, answers: Answers, names: StepNames): readonly Step[] {
  const { changes, object } = names;
  const act = (action: Step['action']) => (changes ? action : 'keep');
  const ttl = answers.tokenTtl === 0 ? 'never expires' : `expires after ${durationText(answers.tokenTtl)}`;
  const list: Step[] = [
    {
      id: 'history',
      action: act(survey.historyVersion === undefined ? 'create' : 'update'),
      what: 'ConfigMap kube-system/ackone-join: a pending entry',
      verifies: 'no other run is publishing',
      undo: 'the entry is marked as failed',
    },
  ];
  if (names.tokenId !== undefined) {
    list.push({
      id: 'token',
      action: names.tokenIsNew ? act('create') : 'keep',
      what: `Secret kube-system/bootstrap-token-${names.tokenId}${names.tokenIsNew ? `, ${ttl}` : ''}`,
      verifies: `${survey.decision.input?.style === 'binary' ? '' : 'cluster-info is signed for it, and '}a node could join with it`,
      undo: names.tokenIsNew ? 'the Secret is deleted' : 'none needed',
    });
  }
  if (answers.access === 'vpc') {
    list.push({
      id: 'policy',
      action: names.policy ? act('update') : 'keep',
      what: `bucket policy of ${object?.bucket}: read from ${answers.vpcId}`,
      verifies: 'nodes can read the object',
      undo: 'none: the statement stays, it opens nothing that is not published',
    });
  }
  if (object) {
    list.push({
      id: 'upload',
      action: !names.isUploaded ? 'create' : changes && hasOtherAcl(survey.live, answers.access) ? 'update' : 'keep',
      what: `oss://${object.bucket}/${object.key}${answers.access === 'public-read' ? ', for everybody to read' : ''}`,
      verifies: 'what is read back is what was sent, byte for byte',
      undo: names.isUploaded ? 'none needed' : 'the object is deleted',
    });
  }
  list.push(
    {
      id: 'switch',
      action: names.served ? act('update') : 'keep',
      what: `ConfigMap kube-system/ack-agent-config: addNodeScriptPath = ${names.url}${names.served ? '' : ', once it gives the script'}`,
      verifies: 'what is read back is that URL',
      undo: 'a failed switch leaves the old URL',
    },
    {
      id: 'complete',
      action: act('update'),
      what: `ConfigMap kube-system/ackone-join: the entry ${names.served ? 'is live' : 'waits for its script to be served'}`,
      verifies: 'written on the version that was read',
      undo: 'none needed',
    },
  );
  return list;
}
