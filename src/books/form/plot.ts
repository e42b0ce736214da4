import type { StatementRow } from '../statement';
import { element } from './xml';

const size = { width: 860, panel: 240 };
const area = { left: 80, width: 750, top: 40, height: 160 };
const colours = { balance: '#3a6ea5', in: '#2b8a5a', out: '#c4553b', grid: '#d8dbe0' };
const dayMs = 86_400_000;
const daysMax = 366;

/** The picture of one token: the sum of the balances, and the amounts in and out by the day. */
type Panel = {
  token: string;
  balances: Map<string, number>;
  /** The sum after each step, for at most as many steps as there are pixels. */
  steps: { timeMs: number; sum: number }[];
  days: Map<number, { in: number; out: number }>;
};

/** Collects rows for a picture as they pass by. It holds a few hundred numbers a token. */
export function plotter() {
  const panels = new Map<string, Panel>();
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = 0;
  return {
    async *passing(rows: AsyncIterable<StatementRow>): AsyncGenerator<StatementRow, void> {
      for await (const row of rows) {
        const timeMs = Date.parse(row.time);
        firstMs = Math.min(firstMs, timeMs);
        lastMs = Math.max(lastMs, timeMs);
        add(panelOf(panels, row.token), row, timeMs);
        yield row;
      }
    },
    /** The picture as SVG, for people. The amounts beside it are exact, and its shapes no books. */
    svg: (): string => draw([...panels.values()], firstMs, Math.max(lastMs, firstMs + 1)),
  };
}

function panelOf(panels: Map<string, Panel>, token: string): Panel {
  const known = panels.get(token);
  if (known !== undefined) return known;
  const panel: Panel = { token, balances: new Map(), steps: [], days: new Map() };
  panels.set(token, panel);
  return panel;
}

function add(panel: Panel, row: StatementRow, timeMs: number): void {
  const { balances, steps, days } = panel;
  balances.set(row.wallet, Number(row.balance ?? balances.get(row.wallet) ?? 0));
  const sum = [...balances.values()].reduce((all, one) => all + one, 0);
  steps.push({ timeMs, sum });
  // Every second step goes, so that the picture stays small. Days keep their exact sums.
  if (steps.length > 2 * area.width) panel.steps = steps.filter((_, index) => index % 2 === 0);
  if (row.row !== 'in' && row.row !== 'out' && row.row !== 'fee') return;
  const day = Math.floor(timeMs / dayMs);
  const sums = days.get(day) ?? { in: 0, out: 0 };
  sums[row.row === 'in' ? 'in' : 'out'] += Number(row.amount);
  if (days.size < daysMax) days.set(day, sums);
}

function draw(panels: readonly Panel[], firstMs: number, lastMs: number): string {
  const height = size.panel * panels.length + 10;
  const drawn = panels.map((panel, index) =>
    element('g', panelParts(panel, firstMs, lastMs), {
      transform: `translate(0 ${index * size.panel})`,
    }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}"`,
    ' font-family="sans-serif" font-size="12">',
    '<title>Balances, and amounts in and out a day</title>',
    `<rect width="${size.width}" height="${height}" fill="#ffffff"/>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function panelParts({ token, steps, days }: Panel, firstMs: number, lastMs: number): string[] {
  const rules = rulesUpTo(Math.max(1e-9, ...steps.map(({ sum }) => sum)));
  const most = Number(rules.at(-1));
  const x = (ms: number): number => area.left + (area.width * (ms - firstMs)) / (lastMs - firstMs);
  const y = (amount: number): number => area.top + area.height * (1 - amount / most);
  const bars = [...days].flatMap(([day, sums]) => {
    const from = Math.max(x(day * dayMs), area.left);
    const until = Math.min(x((day + 1) * dayMs), area.left + area.width);
    const width = Math.max(1, (until - from) / 2 - 1);
    return (['in', 'out'] as const).map((side, index) => {
      const top = y(Math.min(sums[side], most));
      return bar({ x: from + index * (width + 1), y: top, width, fill: colours[side] });
    });
  });
  const path = steps.map(({ timeMs, sum }, index) =>
    index === 0 ? `M${at(x(timeMs))} ${at(y(sum))}` : `H${at(x(timeMs))}V${at(y(sum))}`,
  );
  const line = `<path d="${path.join('')}" fill="none" stroke="${colours.balance}"`;
  return [
    text(area.left, 18, `${token}: balance`, { fill: colours.balance }),
    text(area.left + 150, 18, 'in a day', { fill: colours.in }),
    text(area.left + 220, 18, 'out a day', { fill: colours.out }),
    ...rules.map((words) => rule(words, y(Number(words)))),
    ...bars,
    `${line} stroke-width="1.5"/>`,
    text(area.left, area.top + area.height + 18, shownTime(firstMs), {}),
    text(area.left + area.width, area.top + area.height + 18, shownTime(lastMs), { anchor: 'end' }),
  ];
}

function shownTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function bar({ x, y, width, fill }: { x: number; y: number; width: number; fill: string }): string {
  const height = area.top + area.height - y;
  const box = `x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}"`;
  return `<rect ${box} fill="${fill}" fill-opacity="0.45"/>`;
}

/** Amounts beside the picture, each exact: the last one is at least the largest amount. */
function rulesUpTo(most: number): string[] {
  const exponent = Math.floor(Math.log10(most)) - 1;
  const tenths = most / 10 ** exponent;
  const step = tenths <= 20 ? 5 : tenths <= 50 ? 10 : 25;
  const count = Math.ceil(tenths / step);
  return Array.from({ length: count + 1 }, (_, at) => decimal(at * step, exponent));
}

/** A whole number times a power of ten. */
function decimal(digits: number, exponent: number): string {
  if (exponent >= 0) return digits === 0 ? '0' : `${digits}${'0'.repeat(exponent)}`;
  return (digits / 10 ** -exponent).toFixed(-exponent).replace(/\.?0+$/, '');
}

function rule(words: string, y: number): string {
  const right = area.left + area.width;
  const ends = `x1="${area.left}" x2="${right}" y1="${at(y)}" y2="${at(y)}"`;
  const label = text(area.left - 8, y + 4, words, { anchor: 'end' });
  return `<line ${ends} stroke="${colours.grid}"/>${label}`;
}

function text(
  ...[x, y, words, { anchor = 'start', fill = '#24292f' }]: [
    number,
    number,
    string,
    { anchor?: string; fill?: string },
  ]
): string {
  return element('text', words, { x: at(x), y: at(y), 'text-anchor': anchor, fill });
}

function at(pixels: number): string {
  return pixels.toFixed(1);
}
