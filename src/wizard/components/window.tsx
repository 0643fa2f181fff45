/** How much room there is. */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/** A line longer than this is hard to find the beginning of the next from; nothing here needs more. */
const widest = 300;

const WindowContext = createContext<WindowSize | undefined>(undefined);

/** Whose size it is. */
type Sized = Pick<NodeJS.WriteStream, 'columns' | 'rows' | 'on' | 'off'>;

/** Gives its children the terminal's size, new at each change. */
export function Window({ stream, children }: { readonly stream: Sized; readonly children: ReactNode }) {
  const [size, setSize] = useState(() => sizeOf(stream));
  useEffect(() => {
    const resized = () => setSize(sizeOf(stream));
    stream.on('resize', resized);
    return () => {
      stream.off('resize', resized);
    };
  }, [stream]);
  return <WindowContext.Provider value={size}>{children}</WindowContext.Provider>;
}

const sizeOf = ({ columns, rows }: Sized): WindowSize => ({
  columns: Math.min(columns || 80, widest),
  rows: rows || 24,
});

/** A part of the window, for what stands inside a border or beside something. */
export const Part = ({ size, children }: { readonly size: WindowSize; readonly children: ReactNode }) => (
  <WindowContext.Provider value={size}>{children}</WindowContext.Provider>
);

/** Columns (at most 300) and rows; 80 by 24 outside of a Window. */
export const useWindow = (): WindowSize => useContext(WindowContext) ?? { columns: 80, rows: 24 };
