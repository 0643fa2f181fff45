import { Text } from 'ink';
import { useState } from 'react';
import { whyInvalid } from '../../answers.ts';
import { target } from '../../oss/address.ts';
import type { BucketName } from '../../oss/bucket.ts';
import type { Answers } from '../../questions.ts';
import { Prose } from '../components/Prose.tsx';
import { type Choice, Select } from '../components/Select.tsx';
import { TextField } from '../components/TextField.tsx';
import { cut } from '../components/width.ts';
import { useWindow } from '../components/window.tsx';
import { gained, resultOf, troubleWith } from '../flow.ts';
import type { Event, Trouble } from '../model.ts';
import * as words from '../words.ts';
import { chooseKeys, Frame, filterKeys, type ScreenProps, typeKeys, useRoom } from './frame.tsx';
import { TroubleMenu, TroubleNotice, whatOf } from './Trouble.tsx';
import { Wait } from './Wait.tsx';

export function Where(props: ScreenProps) {
  const { state } = props;
  const listed = gained(state, 'buckets');
  const refused = troubleWith(state, 'access');
  const [typing, setTyping] = useState(false);
  const [again, setAgain] = useState(false);
  if (refused && !again) return <Refused {...props} trouble={refused} another={() => setAgain(true)} />;
  if (!resultOf(state, 'buckets')) return <Wait {...props} work="buckets" name="" />;
  const names = listed?.known ? listed.value : [];
  return names.length === 0 || typing ? (
    <TypedBucket {...props} />
  ) : (
    <ListedBuckets {...props} names={names} type={() => setTyping(true)} />
  );
}

interface RefusedProps extends ScreenProps {
  readonly trouble: Trouble;
  readonly another: () => void;
}

function Refused({ trouble, another, ...props }: RefusedProps) {
  const { question } = words.screens.where;
  const room = useRoom(question, chooseKeys);
  const menu = Math.min(5, Math.max(2, room - 4));
  return (
    <Frame state={props.state} dispatch={props.dispatch} question="" keys={chooseKeys}>
      <TroubleNotice trouble={trouble} room={room - menu} />
      <Text bold>{question}</Text>
      <TroubleMenu
        {...props}
        trouble={trouble}
        room={menu}
        first={{ label: words.choices.otherBucket, run: another }}
      />
    </Frame>
  );
}

interface ListedProps extends ScreenProps {
  readonly names: readonly BucketName[];
  readonly type: () => void;
}

function ListedBuckets({ state, dispatch, names, type }: ListedProps) {
  const { columns } = useWindow();
  const { question } = words.screens.where;
  const room = useRoom(question, filterKeys);
  const { answers } = state.resolved;
  const regions = gained(state, 'found')?.facts.nodeRegions ?? [];
  const isNear = ({ region }: BucketName) => regions.length === 0 || regions.includes(region);
  const sorted = [...names.filter(isNear), ...names.filter((name) => !isNear(name))];
  const preferred = answers.bucket ?? gained(state, 'found')?.lastBucket;
  const choices: readonly Choice<BucketName | undefined>[] = [
    ...sorted.map((bucket) => ({
      value: bucket,
      label: bucket.name,
      detail: isNear(bucket) ? bucket.region : words.elsewhere(bucket.region),
    })),
    { value: undefined, label: words.choices.typed },
  ];
  const first = Math.max(
    0,
    sorted.findIndex(({ name }) => name === preferred),
  );
  const [highlighted, setHighlighted] = useState(sorted[first]);
  const urls = highlighted ? urlsOf(highlighted, answers) : [];
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={filterKeys}>
      <Select
        choices={choices}
        initial={first}
        filter
        rows={Math.max(2, room - 2)}
        onHighlight={setHighlighted}
        onSelect={(chosen) => (chosen ? dispatch(bucketAnswer(chosen, answers)) : type())}
        onCancel={() => dispatch({ type: 'went-back' })}
      />
      {urls.map((line) => (
        <Text key={line} dimColor>
          {cut(line, columns)}
        </Text>
      ))}
    </Frame>
  );
}

const bucketAnswer = ({ name, region }: BucketName, answers: Answers): Event => ({
  type: 'answered',
  values: { bucket: name, ...(region !== answers.region && { region }) },
});

/** Where a script in this bucket is uploaded, and where nodes read it. */
function urlsOf({ name, region }: BucketName, answers: Answers): readonly string[] {
  const { ossEndpoint, ossCname, nodeEndpoint } = answers;
  try {
    const where = target({ bucket: name, region, ossEndpoint, ossCname, nodeEndpoint });
    return [`Upload by      ${where.endpoint}`, `Nodes read by  ${where.nodeBaseUrl}/…`];
  } catch {
    // Why it cannot be used is said when it is chosen.
    return [];
  }
}

function TypedBucket({ state, dispatch }: ScreenProps) {
  const { question, help } = words.screens.where;
  const listed = gained(state, 'buckets');
  const unlisted = troubleWith(state, 'buckets');
  const why = listed && !listed.known ? listed.why : unlisted && whatOf(unlisted);
  const { bucket } = state.resolved.answers;
  const [error, setError] = useState<string>();
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={typeKeys}>
      <Prose dimColor>{why === undefined ? help.join(' ') : words.notListed(why)}</Prose>
      <TextField
        initial={bucket ?? gained(state, 'found')?.lastBucket ?? ''}
        placeholder="bucket"
        {...(error !== undefined && { error })}
        onSubmit={(value) => {
          const wrong = whyInvalid('bucket', value);
          setError(wrong);
          if (wrong === undefined) dispatch({ type: 'answered', values: { bucket: value } });
        }}
        onCancel={() => dispatch({ type: 'went-back' })}
      />
    </Frame>
  );
}
