import { parseDocument } from 'yaml';

/** The value of a YAML document, or where it is none: the line, as far as that is known. */
export type Yaml = { readonly value: unknown } | { readonly wrongAt: number | undefined };

/** No message of the library comes out: it quotes lines, which may be keys. Never throws. */
export function readYaml(text: string): Yaml {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) return { wrongAt: error.linePos?.[0].line };
  try {
    return { value: document.toJS() };
  } catch {
    // A few aliases of aliases can stand for more than memory holds, so the library counts them.
    return { wrongAt: undefined };
  }
}
