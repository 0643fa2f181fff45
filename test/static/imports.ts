import { build } from 'esbuild';

/** One import that is there when the program runs; paths as `src/oss/store.ts`, packages by name. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** Every import below `src/` of a folder, type imports left out: esbuild has erased them. */
export async function importsBelow(folder: string): Promise<readonly Import[]> {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['src/**/*.ts', 'src/**/*.tsx'],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'unused',
    logLevel: 'silent',
    write: false,
    metafile: true,
  });
  return Object.entries(metafile.inputs).flatMap(([from, { imports }]) =>
    imports.map(({ path }) => ({ from, to: path })),
  );
}

/** Room → the other rooms that it may import (DESIGN.md section 2). Files straight in src/ are of the room `base`, but for those that start it all. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  output: ['base'],
  script: ['base'],
  cluster: ['base', 'script'],
  oss: ['base', 'script'],
  publish: ['base', 'script', 'cluster', 'oss'],
  sandbox: ['base', 'script', 'cluster', 'oss'],
  wizard: ['base', 'output', 'script', 'cluster', 'oss', 'publish'],
  commands: ['base', 'output', 'script', 'cluster', 'oss', 'publish', 'sandbox', 'wizard'],
  main: ['base', 'output', 'commands'],
};

const writes = /^src\/(cluster|oss)\/write\//;
/** Modules that open sockets. What is taken from node:net, which also knows addresses, Biome looks at. */
const sockets = /^(node:(dgram|dns|http|http2|https|tls)\b|(@alicloud\/.*|@kubernetes\/client-node|ali-oss|hpagent)$)/;

/** Imports against the one direction of flow, a line each. */
export const violations = (imports: readonly Import[]): readonly string[] =>
  imports.flatMap((each) => {
    const why = whyNot(each);
    return why === undefined ? [] : [`${each.from} imports ${each.to}: ${why}`];
  });

function whyNot({ from, to }: Import): string | undefined {
  const room = roomOf(from);
  if (!to.startsWith('src/'))
    return sockets.test(to) && !['cluster', 'oss', 'sandbox'].includes(room)
      ? 'only cluster/, oss/ and sandbox/ open sockets'
      : undefined;
  const other = roomOf(to);
  if (writes.test(to) && room !== 'publish' && !writes.test(from)) return 'only publish/ imports what writes';
  return room === other || mayImport[room]?.includes(other) ? undefined : `${room} may not import ${other}`;
}

/** `src/oss/write/object.ts` → `oss`, `src/errors.ts` → `base`, `src/main.ts` → `main` */
function roomOf(path: string): string {
  if (['src/main.ts', 'src/program.ts'].includes(path)) return 'main';
  const [, room = '', ...rest] = path.split('/');
  return rest.length > 0 ? room : 'base';
}
