import { Text, useIsScreenReaderEnabled } from 'ink';
import { useEffect, useState } from 'react';
import { visible } from '../../masking.ts';
import { Prose } from './Prose.tsx';
import { useFrame } from './spinner.ts';

export interface WaitingProps {
  /** What it waits for, as it ends "Waiting for …": `the API server of prod-hz`. */
  readonly what: string;
  /** Date.now() when it began. */
  readonly since: number;
}

/** `⠋ Waiting for the API server of prod-hz, 3 s` */
export function Waiting({ what, since }: WaitingProps) {
  const spoken = useIsScreenReaderEnabled();
  const frame = useFrame(!spoken);
  const seconds = useSeconds(since, !spoken);
  if (spoken) return <Text>{`Waiting for ${visible(what)}`}</Text>;
  return (
    <Prose>
      <Text color="cyan">{frame}</Text> Waiting for {visible(what)}, {seconds} s
    </Prose>
  );
}

function useSeconds(since: number, running: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(0, Math.floor((now - since) / 1000));
}
