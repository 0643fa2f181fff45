/** The engine, loaded by its first use: with it come the clients of cluster and OSS, and the first frame needs none. */
import type { Engine, EngineOptions } from './engine.ts';

/** @param drawn When it may be loaded at the earliest: loading it holds up whatever else this process does. */
export function engineLater(options: EngineOptions, drawn: Promise<void>): Engine {
  let loading: Promise<Engine> | undefined;
  const engine = () => {
    loading ??= drawn.then(() => import('./engine.ts')).then(({ openEngine }) => openEngine(options));
    return loading;
  };
  return {
    found: async (...given) => (await engine()).found(...given),
    buckets: async (...given) => (await engine()).buckets(...given),
    access: async (...given) => (await engine()).access(...given),
    review: async (...given) => (await engine()).review(...given),
    publish: async (...given) => (await engine()).publish(...given),
    forget() {
      // What is asked for after this waits longer, so it is forgotten in time.
      loading?.then(
        (opened) => opened.forget(),
        () => {},
      );
    },
  };
}
