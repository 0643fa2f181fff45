/** A failure, and what can be done about it from here. */
import { Text } from 'ink';
import { Failure } from '../../errors.ts';
import { visible } from '../../masking.ts';
import { flagOf, type Key } from '../../questions.ts';
import { Notice } from '../components/Notice.tsx';
import { Prose } from '../components/Prose.tsx';
import { type Choice, Select } from '../components/Select.tsx';
import { cut } from '../components/width.ts';
import { useWindow } from '../components/window.tsx';
import { contextsOf, keysNamed } from '../flow.ts';
import type { Event, Trouble } from '../model.ts';
import { placeOf } from '../place-of.ts';
import * as words from '../words.ts';
import type { ScreenProps } from './frame.tsx';

export const whatOf = (trouble: Trouble): string => (trouble instanceof Failure ? trouble.message : words.cancelled);

/** It is longer than a screen, and to be piped: it comes at the end, as without the wizard. */
const manifestOf = ({ manifest }: Failure): readonly string[] => (manifest === undefined ? [] : [words.manifestAtEnd]);

interface TroubleNoticeProps {
  readonly trouble: Trouble;
  /** Lines that it may take. */
  readonly room: number;
}

/** What, what to do, causes and why, in this order of importance: as much of it as there is room for. */
export function TroubleNotice({ trouble, room }: TroubleNoticeProps) {
  const { columns } = useWindow();
  const what = whatOf(trouble);
  const next = trouble instanceof Failure ? [...trouble.next, ...manifestOf(trouble)] : [];
  const why = trouble instanceof Failure ? [trouble.kind.why] : [];
  const more = [...trouble.causes.map((cause) => `- ${cause}`), ...why];
  // Words that do not fit at the end of a line leave it shorter.
  const height = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + Math.ceil((text.length + 9) / (columns - 5)), 0);
  if (height([what, ...next]) > room) {
    if (height([what]) <= room) return <Notice tone="problem" what={what} />;
    return <Text>{cut(`Problem: ${what}`, columns * room - 1)}</Text>;
  }
  const whole = height([what, ...next, ...more]) <= room;
  const shown = whole ? more : more.slice(0, Math.max(0, room - height([what, ...next])));
  return (
    <>
      <Notice tone="problem" what={what} next={next} />
      {shown.map((line) => (
        <Prose key={line}>{whole ? `  ${visible(line)}` : cut(`  ${line}`, columns)}</Prose>
      ))}
    </>
  );
}

/** What a text tells to give can be given here. */
export const answerChoices = (texts: readonly string[]): readonly Choice<Event>[] =>
  keysNamed(texts).map((key) => answerChoice(key));

const answerChoice = (key: Key): Choice<Event> => ({
  value: { type: 'went', to: placeOf(key) },
  label: words.questionOf(key).replace(/[:?]$/, ''),
  detail: flagOf(key),
});

interface TroubleMenuProps extends ScreenProps {
  readonly trouble: Trouble;
  readonly room: number;
  /** A choice of the screen's own. */
  readonly first?: { readonly label: string; readonly run: () => void };
}

export function TroubleMenu({ state, dispatch, leave, trouble, room, first }: TroubleMenuProps) {
  const rights = trouble instanceof Failure && trouble.code === 'ClusterForbidden';
  const secretsOnly =
    rights && trouble.causes.length > 0 && trouble.causes.every((cause) => cause.includes(' secrets '));
  const choices: readonly Choice<Event | (() => void)>[] = [
    ...(first ? [{ value: first.run, label: first.label }] : []),
    ...(trouble instanceof Failure ? answerChoices(trouble.next) : []),
    ...(rights ? [{ value: { type: 'opened', overlay: 'role' }, label: words.choices.showRole } as const] : []),
    ...(secretsOnly
      ? [
          {
            value: { type: 'went', to: { screen: 'edit', key: 'joinCommand' } },
            label: words.choices.pasteJoin,
          } as const,
        ]
      : []),
    { value: { type: 'tried-again' }, label: words.choices.tryAgain },
    ...(contextsOf(state).length > 1 && state.at.screen !== 'cluster'
      ? [{ value: { type: 'went', to: { screen: 'cluster' } }, label: words.choices.otherCluster } as const]
      : []),
    ...(['review', 'failed'].includes(state.at.screen)
      ? [{ value: { type: 'went', to: { screen: 'change' } }, label: words.choices.changeAnswer } as const]
      : []),
    { value: leave, label: words.choices.leave },
  ];
  return (
    <Select
      choices={choices}
      rows={room}
      onSelect={(act) => (typeof act === 'function' ? act() : dispatch(act))}
      onCancel={() => dispatch({ type: 'went-back' })}
    />
  );
}
