/** A screen as an SVG that looks the same everywhere: text stays text, and lines of boxes are drawn. */
import type { IBufferCell } from '@xterm/headless';
import type { Screen } from './screen.ts';

export const themes = {
  light: {
    ground: '#ffffff',
    edge: '#d0d7de',
    text: '#1f2328',
    palette: ['#24292f', '#cf222e', '#116329', '#7d4e00', '#0550ae', '#8250df', '#1b6a72', '#57606a'],
    bright: ['#57606a', '#a40e26', '#1a7f37', '#633c01', '#0969da', '#6639ba', '#207b85', '#24292f'],
  },
  dark: {
    ground: '#0d1117',
    edge: '#30363d',
    text: '#e6edf3',
    palette: ['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4'],
    bright: ['#6e7681', '#ffa198', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#ffffff'],
  },
} as const;
type Theme = (typeof themes)[keyof typeof themes];

/** In pixels; the advance of most monospaced fonts is 0.6 of their size. */
const cell = { width: 9, height: 20, font: 15, baseline: 15 } as const;
const margin = 16;

/**
 * @param title for those who hear it
 * @param steady gives a line without what differs from run to run, in as many characters
 */
export function picture(screen: Screen, theme: Theme, title: string, steady: (line: string) => string): string {
  const count = screen.lines().findLastIndex((line) => line !== '') + 1;
  const width = screen.size.cols * cell.width + 2 * margin;
  const height = count * cell.height + 2 * margin;
  const rows = Array.from({ length: count }, (_, y) => row(screen.cells(y), y, theme, steady));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${theme.ground}" stroke="${theme.edge}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${cell.font}" xml:space="preserve">`,
    ...rows.flat(),
    '</g>',
    '</svg>',
  ].join('\n')}\n`;
}

/** Neighbouring cells of one look. */
interface Run {
  readonly x: number;
  readonly text: string;
  /** In cells. */
  readonly width: number;
  readonly look: Look;
}

interface Look {
  readonly fill: string;
  readonly ground: string | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
}

function row(
  cells: readonly IBufferCell[],
  y: number,
  theme: Theme,
  steady: (line: string) => string,
): readonly string[] {
  const shown = cells.filter((each) => each.getWidth() > 0);
  const told = [...steady(shown.map(charactersOf).join(''))];
  // What is combined of several code points differs in no run, and would shift what is behind it.
  const simple = shown.every((each) => [...charactersOf(each)].length === 1);
  const runs: Run[] = [];
  let x = 0;
  for (const [index, each] of shown.entries()) {
    const text = simple ? (told[index] ?? ' ') : charactersOf(each);
    const look = lookOf(each, theme);
    const last = runs.at(-1);
    if (last && sameLook(last.look, look) && isBox(last.text) === isBox(text)) {
      runs[runs.length - 1] = { ...last, text: last.text + text, width: last.width + each.getWidth() };
    } else runs.push({ x, text, width: each.getWidth(), look });
    x += each.getWidth();
  }
  return runs.flatMap((run) => drawn(run, y));
}

const charactersOf = (each: IBufferCell): string => each.getChars() || ' ';

function lookOf(each: IBufferCell, theme: Theme): Look {
  const text = each.isFgDefault() ? theme.text : colour(each.getFgColor(), each.isFgRGB(), theme);
  const ground = each.isBgDefault() ? undefined : colour(each.getBgColor(), each.isBgRGB(), theme);
  const inverse = each.isInverse() !== 0;
  return {
    fill: inverse ? (ground ?? theme.ground) : text,
    ground: inverse ? text : ground,
    bold: each.isBold() !== 0,
    dim: each.isDim() !== 0,
  };
}

function colour(value: number, rgb: boolean, { palette, bright, text }: Theme): string {
  if (rgb) return `#${value.toString(16).padStart(6, '0')}`;
  return palette[value] ?? bright[value - palette.length] ?? text;
}

const sameLook = (one: Look, other: Look): boolean => JSON.stringify(one) === JSON.stringify(other);

function drawn({ x, text, width, look }: Run, y: number): readonly string[] {
  const left = margin + x * cell.width;
  const top = margin + y * cell.height;
  const ground =
    look.ground === undefined
      ? []
      : [`<rect x="${left}" y="${top}" width="${width * cell.width}" height="${cell.height}" fill="${look.ground}"/>`];
  if (text.trim() === '') return ground;
  const dim = look.dim ? ' opacity="0.7"' : '';
  if (isBox(text))
    return [...ground, `<path d="${boxPath(text, left, top)}" stroke="${look.fill}" fill="none"${dim}/>`];
  const shown = text.trimEnd();
  const indent = shown.length - shown.trimStart().length;
  const length = (width - (text.length - shown.length) - indent) * cell.width;
  const weight = look.bold ? ' font-weight="600"' : '';
  return [
    ...ground,
    `<text x="${left + indent * cell.width}" y="${top + cell.baseline}" textLength="${length}" lengthAdjust="spacingAndGlyphs" fill="${look.fill}"${weight}${dim}>${escaped(shown.trimStart())}</text>`,
  ];
}

/** Towards which sides of its cell a line runs from the middle: left, right, up, down. */
const boxes: Readonly<Record<string, string>> = {
  '─': 'lr',
  '│': 'ud',
  '┌': 'rd',
  '┐': 'ld',
  '└': 'ru',
  '┘': 'lu',
  '├': 'rud',
  '┤': 'lud',
  '┬': 'lrd',
  '┴': 'lru',
  '┼': 'lrud',
  '╭': 'rd',
  '╮': 'ld',
  '╰': 'ru',
  '╯': 'lu',
};
const isBox = (text: string): boolean => text !== '' && [...text].every((character) => character in boxes);

/** Strokes from the middle of each character, and one for a whole row of `─`. */
function boxPath(text: string, left: number, top: number): string {
  const { width, height } = cell;
  const y = top + height / 2;
  return [...text.matchAll(/─+|./g)]
    .map(({ 0: part, index }) => {
      const [from, to] = [left + index * width, left + (index + part.length) * width];
      if (part.startsWith('─')) return `M${from} ${y}H${to}`;
      const x = (from + to) / 2;
      const strokes: Readonly<Record<string, string>> = {
        l: `H${from}`,
        r: `H${to}`,
        u: `V${top}`,
        d: `V${top + height}`,
      };
      return [...(boxes[part] ?? '')].map((side) => `M${x} ${y}${strokes[side]}`).join('');
    })
    .join('');
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
