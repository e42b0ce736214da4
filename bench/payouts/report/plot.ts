import { median } from '../../measure';
import type { Column, Results } from '../results';

const size = { width: 760, height: 380 };
const area = { left: 64, top: 84, width: 672, height: 236 };
const colours = ['#8a8f98', '#3a6ea5', '#c98a2b', '#2b8a5a', '#a04a7a'];
const ticks = 5;
const title = 'Lines a second, by how many transfers may be open';

/** Lines a second of each contender at each level, as a picture of bars. */
export function plotOf({ columns: part }: Results): string | undefined {
  const columns = part?.columns.filter(({ rounds }) => rounds.length > 0) ?? [];
  if (columns.length === 0) return undefined;
  const names = [...new Set(columns.map(({ contender }) => contender))];
  const levels = [...new Set(columns.map(({ open }) => open))].sort((one, other) => one - other);
  const top = roundUp(Math.max(...columns.map(paceOf)));
  const y = (perS: number): number => area.top + area.height * (1 - perS / top);
  const groupWidth = area.width / levels.length;
  const barWidth = (groupWidth * 0.8) / names.length;
  const bars = columns.map((column) => {
    const group = area.left + groupWidth * (levels.indexOf(column.open) + 0.1);
    const x = group + barWidth * names.indexOf(column.contender);
    const perS = paceOf(column);
    const fill = colours[names.indexOf(column.contender)];
    return [
      `<rect x="${at(x)}" y="${at(y(perS))}" width="${at(barWidth - 4)}"`,
      ` height="${at(area.height + area.top - y(perS))}" fill="${fill}"/>`,
      text(x + barWidth / 2 - 2, y(perS) - 4, perS.toFixed(0), 'middle'),
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}"`,
    ' font-family="sans-serif" font-size="12">',
    `<title>${title}</title>`,
    `<rect width="${size.width}" height="${size.height}" fill="#ffffff"/>`,
    text(area.left, 20, title, 'start'),
    ...names.map((name, index) => legend(name, index)),
    ...Array.from({ length: ticks + 1 }, (_, tick) => rule((top * tick) / ticks, y)),
    ...bars,
    ...levels.map((open, index) =>
      text(area.left + groupWidth * (index + 0.5), 340, `${open} open`, 'middle'),
    ),
    text(area.left, 368, `${part?.date}, ${part?.machine}`, 'start'),
    '</svg>\n',
  ].join('\n');
}

function paceOf({ rounds }: Column): number {
  return median(rounds.map(({ linesPerS }) => linesPerS));
}

function legend(name: string, index: number): string {
  const x = area.left + (index % 2) * 240;
  const y = 30 + Math.floor(index / 2) * 16;
  const box = `<rect x="${x}" y="${y}" width="10" height="10" fill="${colours[index]}"/>`;
  return box + text(x + 15, y + 9, name, 'start');
}

function rule(perS: number, y: (perS: number) => number): string {
  const right = area.left + area.width;
  const line = `<line x1="${area.left}" x2="${right}" y1="${at(y(perS))}" y2="${at(y(perS))}"`;
  return `${line} stroke="#d8dbe0"/>${text(area.left - 8, y(perS) + 4, perS.toFixed(0), 'end')}`;
}

type Anchor = 'start' | 'middle' | 'end';

function text(...[x, y, words, anchor, points = 12]: [number, number, string, Anchor, number?]) {
  const safe = words.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  const place = `x="${at(x)}" y="${at(y)}" text-anchor="${anchor}" font-size="${points}"`;
  return `<text ${place} fill="#24292f">${safe}</text>`;
}

function at(pixels: number): string {
  return pixels.toFixed(1);
}

/** The next half of a power of ten, so that the rules have round numbers. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value)) / 2;
  return Math.ceil(value / unit) * unit;
}
