/** The keys that explain a question: `?` where nothing is typed yet, and ctrl-g (as in nano) or F1 at any time. */
import { createContext, useContext, useLayoutEffect, useState } from 'react';
import { useKeys } from './keyboard.tsx';

/** As the footer names them: while there is no text, and always. */
export const helpKeys = { untyped: '?', always: 'ctrl-g' } as const;

/** Is told whether the component inside that takes text holds any: then `?` is a character of it. */
export const TypedContext = createContext<(typed: boolean) => void>(() => {});

/** Says whether this component holds text that was typed, or can be edited. */
export function useTyped(typed: boolean): void {
  const tell = useContext(TypedContext);
  useLayoutEffect(() => {
    tell(typed);
    return () => tell(false);
  }, [tell, typed]);
}

/** @returns the key that asks for help now, and the value for a TypedContext around whatever takes text */
export function useHelpKey(onHelp: () => void): readonly [string, (typed: boolean) => void] {
  const [typed, setTyped] = useState(false);
  useKeys(({ name }) => {
    if (name === helpKeys.always || name === 'f1' || (name === helpKeys.untyped && !typed)) onHelp();
  });
  return [typed ? helpKeys.always : helpKeys.untyped, setTyped];
}
