/**
 * Makes any text one word of bash that stands for exactly that text: the only way in which a value enters a script.
 * NUL cannot be in a bash word, so it is left out.
 */
export const quote = (value: string): string => `'${value.replaceAll('\0', '').replaceAll("'", "'\\''")}'`;
