import { Box, Text, useIsScreenReaderEnabled } from 'ink';
import { useWindow } from './window.tsx';

export interface FooterProps {
  /** In the order of their use; those that do not fit go to a second row. */
  readonly keys: readonly { readonly key: string; readonly does: string }[];
}

/** `↑↓ choose   enter take   esc back` */
export function Footer({ keys }: FooterProps) {
  const { columns } = useWindow();
  const spoken = useIsScreenReaderEnabled();
  if (spoken) return <Text>{`Keys: ${keys.map(({ key, does }) => `${key} ${does}`).join(', ')}`}</Text>;
  return (
    <Box flexWrap="wrap" columnGap={3} width={columns}>
      {keys.map(({ key, does }) => (
        <Text key={key}>
          <Text bold>{key}</Text>
          <Text dimColor> {does}</Text>
        </Text>
      ))}
    </Box>
  );
}
