import { Box, Text, useIsScreenReaderEnabled } from 'ink';
import { useMemo, useState } from 'react';
import stringWidth from 'string-width';
import { visible } from '../../masking.ts';
import { useTyped } from './help-key.ts';
import { useKeys } from './keyboard.tsx';
import { matches, reduceSelect, searchText, within } from './select-state.ts';
import { cut, padded } from './width.ts';
import { useWindow } from './window.tsx';

export interface Choice<T> {
  readonly value: T;
  /** Must be unique: it is what one types to find it. */
  readonly label: string;
  /** Beside the label, dimmed; cut first when there is no room. */
  readonly detail?: string | undefined;
}

export interface SelectProps<T> {
  readonly choices: readonly Choice<T>[];
  /** Index of the choice that is highlighted at first. */
  readonly initial?: number | undefined;
  /** Typing narrows the list (words, in any order). No filter begins with `?`, so that it can ask for help. */
  readonly filter?: boolean | undefined;
  /** Lines it may take, the line with filter and position among them. */
  readonly rows: number;
  readonly active?: boolean | undefined;
  readonly onSelect: (value: T) => void;
  /** Another choice is highlighted now; not called for the first one, which `initial` names. */
  readonly onHighlight?: ((value: T) => void) | undefined;
  /** Esc, when there is no filter text that it clears first. So leave Esc to the Select while it is active. */
  readonly onCancel?: (() => void) | undefined;
}

/** A list to choose one of. Only what is shown is laid out, so a thousand choices cost no more than ten. */
export function Select<T>({
  choices,
  initial = 0,
  filter = false,
  rows,
  active,
  onSelect,
  onHighlight,
  onCancel,
}: SelectProps<T>) {
  const spoken = useIsScreenReaderEnabled();
  const { columns } = useWindow();
  const [state, setState] = useState({ query: '', at: initial, top: initial });
  const texts = useMemo(() => choices.map(({ label }) => searchText(label)), [choices]);
  const found = useMemo(() => matches(texts, state.query), [texts, state.query]);
  const tells = filter || choices.length > rows;
  const size = Math.max(1, rows - (tells ? 1 : 0));
  const { query, at, top } = within(state, found.length, size);
  const highlighted = choices[found[at] ?? -1];

  useTyped(query !== '');
  useKeys(
    (key) => {
      if (key.name === 'enter') {
        if (highlighted) onSelect(highlighted.value);
      } else if (key.name === 'escape' && query === '') onCancel?.();
      else {
        const next = reduceSelect(state, key, { texts, filter, size });
        setState(next);
        const choice = choices[matches(texts, next.query)[next.at] ?? -1];
        if (choice && choice !== highlighted) onHighlight?.(choice.value);
      }
    },
    { active },
  );

  const position = found.length === 0 ? 'nothing matches' : `${at + 1} of ${found.length}`;
  if (spoken)
    return (
      <Box flexDirection="column">
        {query !== '' && <Text>{`Filter: ${visible(query)}`}</Text>}
        <Text>{`${position}${highlighted ? `: ${visible(titleOf(highlighted))}` : ''}`}</Text>
      </Box>
    );
  const shown = found.slice(top, top + size).flatMap((index) => choices[index] ?? []);
  const room = columns - 2;
  const labelWidth = Math.min(room, Math.max(0, ...shown.map((choice) => stringWidth(visible(choice.label)))));
  return (
    <Box flexDirection="column">
      {tells && (
        <Text>
          {filter && `Filter: ${cut(query, Math.max(8, room - 30))}▏  `}
          <Text dimColor>{query === '' && filter ? `type to narrow, ${position}` : position}</Text>
        </Text>
      )}
      {shown.map((choice) => (
        <Line
          key={choice.label}
          choice={choice}
          highlighted={choice === highlighted}
          labelWidth={labelWidth}
          detailWidth={room - labelWidth - 2}
        />
      ))}
    </Box>
  );
}

const titleOf = ({ label, detail }: Choice<unknown>) => (detail === undefined ? label : `${label}, ${detail}`);

interface LineProps {
  readonly choice: Choice<unknown>;
  readonly highlighted: boolean;
  readonly labelWidth: number;
  readonly detailWidth: number;
}

/** Fewer columns than this tell nothing. */
const leastDetail = 6;

function Line({ choice: { label, detail }, highlighted, labelWidth, detailWidth }: LineProps) {
  const told = detail !== undefined && detailWidth >= leastDetail;
  return (
    <Text>
      <Text bold={highlighted} {...(highlighted && { color: 'cyan' })}>
        {highlighted ? '› ' : '  '}
        {told ? padded(label, labelWidth) : cut(label, labelWidth)}
      </Text>
      {told && <Text dimColor>{`  ${cut(detail, detailWidth)}`}</Text>}
    </Text>
  );
}
