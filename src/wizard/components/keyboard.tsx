/** Key presses for whoever is on the screen. */
import { useStdin } from 'ink';
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type KeyHandler, KeyQueue, type KeyQueueOptions } from '../key-queue.ts';

const QueueContext = createContext<KeyQueue | undefined>(undefined);

export interface KeyboardProps extends Partial<Pick<KeyQueueOptions, 'onInterrupt' | 'onSuspend'>> {
  readonly children: ReactNode;
}

const nothing = () => {};

/**
 * Reads the keyboard for all that is inside. A burst (`↓↓⏎` in one chunk) is handed out key by key, the next one only
 * after React has committed what the last one did: so fast typing and pasting do what slow typing does, and no handler
 * need care for stale closures.
 */
export function Keyboard({ onInterrupt = nothing, onSuspend = nothing, children }: KeyboardProps) {
  const { stdin } = useStdin();
  const [turn, setTurn] = useState(0);
  const [queue] = useState(() => new KeyQueue({ onInterrupt, onSuspend, onTurn: setTurn }));
  // Effects of children run first: whoever listens by now is on the screen.
  useEffect(() => queue.committed(turn), [queue, turn]);
  useEffect(() => {
    const read = (chunk: Buffer | string) => queue.push(chunk);
    stdin.on('data', read);
    return () => {
      stdin.off('data', read);
      queue.close();
    };
  }, [stdin, queue]);
  return <QueueContext.Provider value={queue}>{children}</QueueContext.Provider>;
}

function useQueue(): KeyQueue {
  const queue = useContext(QueueContext);
  if (!queue) throw new Error('keys are read inside <Keyboard> only');
  return queue;
}

const HearingContext = createContext(true);

/** Whether what is inside hears keys; not while something stands in front of it. */
export const Hearing = ({ on, children }: { readonly on: boolean; readonly children: ReactNode }) => (
  <HearingContext.Provider value={on}>{children}</HearingContext.Provider>
);

/** Every key press goes to every active listener that hears, one after the other. */
export function useKeys(handler: KeyHandler, { active = true }: { readonly active?: boolean | undefined } = {}): void {
  const queue = useQueue();
  const listens = useContext(HearingContext) && active;
  const latest = useRef(handler);
  // Before anybody can answer what has just been drawn: Ink draws at the commit, and other effects run some time later.
  useLayoutEffect(() => {
    latest.current = handler;
  });
  useLayoutEffect(() => (listens ? queue.listen((key) => latest.current(key)) : undefined), [queue, listens]);
}

/**
 * For a question whose Enter is hard to take back: false until the screen that asks has been drawn and all that was
 * typed before is dropped. Show the key (`enter publish`) only when it is true: then what can be read is what is
 * accepted.
 */
export function useTypeAheadDropped(): boolean {
  const queue = useQueue();
  const hears = useContext(HearingContext);
  const [dropped, setDropped] = useState(false);
  useEffect(() => {
    if (!hears) return;
    const giveUp = queue.dropTypeAhead(() => setDropped(true));
    return () => {
      giveUp();
      setDropped(false);
    };
  }, [queue, hears]);
  return dropped;
}

/** While it is drawn, nobody hears a key: for a screen that cannot be seen. */
export function Deaf() {
  const queue = useQueue();
  useEffect(() => queue.drop(), [queue]);
  return null;
}
