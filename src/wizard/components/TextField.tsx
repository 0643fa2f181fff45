import { Box, Text, useIsScreenReaderEnabled } from 'ink';
import { useState } from 'react';
import stringWidth from 'string-width';
import { visible } from '../../masking.ts';
import { useTyped } from './help-key.ts';
import { useKeys } from './keyboard.tsx';
import { Prose } from './Prose.tsx';
import { reduceText, type TextState } from './text-state.ts';
import { cut, from, graphemesOf } from './width.ts';
import { useWindow } from './window.tsx';

export interface TextFieldProps {
  readonly initial?: string | undefined;
  /** Shown dimmed while the field is empty. */
  readonly placeholder?: string | undefined;
  /** Why the value that was submitted (or `initial`) will not do; stands below it until it is edited. */
  readonly error?: string | undefined;
  /** Shows no character of it. */
  readonly secret?: boolean | undefined;
  readonly active?: boolean | undefined;
  readonly onSubmit: (value: string) => void;
  /** Esc. */
  readonly onCancel?: (() => void) | undefined;
}

/** One line of text. In an empty field `?` writes nothing, so it can ask for help. */
export function TextField({
  initial = '',
  placeholder = '',
  error,
  secret = false,
  active,
  onSubmit,
  onCancel,
}: TextFieldProps) {
  const spoken = useIsScreenReaderEnabled();
  const { columns } = useWindow();
  const [text, setText] = useState<TextState>({ before: initial, after: '' });
  const [refused, setRefused] = useState(true);
  const [said, setSaid] = useState(initial);
  const value = text.before + text.after;
  const shown = (part: string) => (secret ? '•'.repeat(graphemesOf(part).length) : part);

  useTyped(value !== '');
  useKeys(
    (key) => {
      if (key.name === 'enter') {
        setRefused(true);
        onSubmit(value);
      } else if (key.name === 'escape') onCancel?.();
      else {
        const next = reduceText(text, key);
        setText(next);
        if (next.before + next.after !== value) setRefused(false);
        // Screen readers speak what is typed by themselves.
        if (key.name !== key.text) setSaid(next.before + next.after);
      }
    },
    { active },
  );

  const complaint = refused && error !== undefined && (
    <Prose>
      <Text color="red" bold>
        ✘
      </Text>{' '}
      {visible(error)}
    </Prose>
  );
  return (
    <Box flexDirection="column">
      {spoken ? (
        <Text>
          {said === '' ? `Empty${placeholder && `, for example ${placeholder}`}` : `Text: ${visible(shown(said))}`}
        </Text>
      ) : (
        <Text>
          <Text color="cyan">› </Text>
          {aroundCursor({ before: shown(text.before), after: shown(text.after) }, columns - 3)}
          {value === '' && <Text dimColor>{cut(placeholder, columns - 3)}</Text>}
        </Text>
      )}
      {complaint}
    </Box>
  );
}

/** As much of the text as there is room for, with the cursor in it. */
function aroundCursor({ before, after }: TextState, columns: number): string {
  const shown = visible(before);
  const tooMuch = stringWidth(shown) - columns;
  const left = tooMuch > 0 ? `…${from(shown, tooMuch + 1)}` : shown;
  return `${left}▏${cut(after, columns - stringWidth(left))}`;
}
