import { Text, type TextProps, Transform } from 'ink';

/** Text that may take several lines. Ink keeps the blanks where it breaks a full one, and would begin the next with them. */
export const Prose = (props: TextProps) => (
  <Transform transform={withoutIndent}>
    <Text {...props} />
  </Transform>
);

/** Behind colours, which Ink sets anew in each line. */
const indent = /^((?:\u001b\[[\d;]*m)*) +/;
const withoutIndent = (line: string, index: number) => (index === 0 ? line : line.replace(indent, '$1'));
