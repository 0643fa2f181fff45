/** `npm start`: the wizard on the sandbox where somebody can be asked, else the whole job without a question. */
const { stdin, stderr, env } = process;
const asks = stdin.isTTY && stderr.isTTY && env.TERM !== 'dumb' && !env.CI;
process.argv.push('init', '--sandbox', ...(asks ? [] : ['--yes']));
await import(new URL('../bin/ackone-join.js', import.meta.url).href);
