/** What is taken apart and put together again starts the same: read by a second reader, after src/basic/extract-word.c. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownUnit } from '../../src/script/own-unit.ts';
import { parseVersion } from '../../src/script/versions.ts';

const client = { kube: parseVersion('1.28.3')!, runtime: 'containerd', criSocket: 'unix:///a' } as const;

/** Character by character, with the escapes that the units below hold: of a backslash, of quotes and of a blank. */
function startedBy(unit: string): readonly string[] {
  const [, ...lines] = unit.slice(unit.indexOf('\nExecStart=')).split('\n');
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  const text = lines.join('\n').slice('ExecStart='.length);
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    if (char === '\\') {
      at += 1;
      if (text[at] !== '\n') word = (word ?? '') + (text[at] === 's' ? ' ' : text[at]!);
      else if (word !== undefined) throw new Error('a word goes on in the next line');
    } else if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) {
      quote = char;
      word ??= '';
    } else if (quote === '' && (char === ' ' || char === '\n')) {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (char === '\n') break;
    } else word = (word ?? '') + char;
  }
  return words;
}

const quotings = {
  bare: (text: string) => text.replace(/[\\"']/g, '\\$&').replaceAll(' ', '\\s'),
  double: (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`,
  single: (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`,
  partly: (text: string) => text.replace(/=(.*)$/s, (_, value: string) => `="${value.replace(/[\\"]/g, '\\$&')}"`),
};
const piece = fc.constantFrom('a', 'é', '%%', '$A', '${B}', ';', '#', '=', ',', '-', ' ', '\\', '"', "'", 's');
const flag = fc.tuple(
  fc.constantFrom('--x', '--v', '--max-pods', '--feature-gates'),
  fc.array(piece, { maxLength: 6 }),
);
const written = fc.tuple(
  flag.map(([name, value]) => `${name}=${value.join('')}`),
  fc.constantFrom(...Object.values(quotings)),
  fc.constantFrom(' ', '  ', ' \\\n', ' \\\n  # more of them:\n ', '\\\n\t'),
);

test('every flag of the user’s reaches kubelet as it is, whatever its quotes and lines', () => {
  fc.assert(
    fc.property(fc.array(written, { maxLength: 8 }), (flags) => {
      const command = flags.map(([text, quoted, gap]) => gap + quoted(text)).join('');
      const { value, findings } = ownUnit(`[Service]\nExecStart=/k/kubelet${command}\nRestart=always\n`, client);
      expect(findings.filter(({ severity }) => severity === 'stop')).toEqual([]);
      expect(startedBy(value!.text)).toEqual([
        '/k/kubelet',
        ...flags.map(([text]) => text),
        '--kubeconfig=/etc/kubernetes/kubelet.conf',
        '--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf',
        '--config=/var/lib/kubelet/config.yaml',
        '$KUBELET_EXTRA_ARGS',
      ]);
      expect(value!.text).toMatch(/\$KUBELET_EXTRA_ARGS\nRestart=always\n/);
    }),
    { numRuns: 500 },
  );
});
