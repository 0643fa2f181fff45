import { useEffect, useState } from 'react';

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
/** Seen as motion, and few enough draws for a slow line. */
const frameMs = 120;

/** The sign of something that goes on; it stands still when not running. */
export function useFrame(running: boolean): string {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setCount((last) => last + 1), frameMs);
    return () => clearInterval(timer);
  }, [running]);
  return frames[count % frames.length] ?? '';
}
