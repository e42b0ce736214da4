import { DateTime } from 'luxon';

const fields = ['yyyy', 'MM', 'dd', 'HH', 'mm', 'ss', 'ww'] as const;
type Field = (typeof fields)[number];
type Piece = { field: Field } | { text: string };

const pieceForm = /'([^']*)'|yyyy|MM|dd|HH|mm|ss|ww|[^A-Za-z']/y;
const plain = /^[\w.:-]*$/;

/** The field that each field divides. Without it, the same period would come again. */
const within: Readonly<Partial<Record<Field, Field>>> = {
  MM: 'yyyy',
  ww: 'yyyy',
  dd: 'MM',
  HH: 'dd',
  mm: 'HH',
  ss: 'mm',
};

/** The fault of a template of periods. Undefined if it has none. */
export function templateFault(template: string): string | undefined {
  const pieces = piecesOf(template);
  const way =
    "give yyyy, MM, dd, HH, mm, ss or ww, and other letters in quotes: yyyy-MM, yyyy-'W'ww";
  if (pieces === undefined) return `is not a template: ${way}`;
  const given = pieces.flatMap((piece) => ('field' in piece ? [piece.field] : []));
  if (!given.includes('yyyy')) return 'has no yyyy, so its periods would come again every year';
  if (new Set(given).size < given.length) return 'names a field twice';
  const loose = given.find((field) => within[field] && !given.includes(within[field]));
  if (loose !== undefined) return `has ${loose} without ${within[loose]}`;
  if (given.includes('ww') && given.includes('MM')) return 'has both MM and ww: give one of them';
  const isPlain = pieces.every((piece) => 'field' in piece || plain.test(piece.text));
  return isPlain ? undefined : 'may have letters, digits and . _ : - alone, as ids may';
}

/** The period that a moment belongs to, by the calendar of a time zone. */
export function periodAt(template: string, atMs: number, timeZone: string): string {
  return DateTime.fromMillis(atMs, { zone: timeZone }).toFormat(formatOf(template), english);
}

/**
 * A span of time that holds every moment of a period, in any time zone. Undefined if the text is no
 * period of the template.
 */
export function spanOf(
  template: string,
  period: string,
): [fromMs: number, toMs: number] | undefined {
  const format = formatOf(template);
  const begins = DateTime.fromFormat(period, format, { zone: 'UTC', ...english });
  if (!begins.isValid) return undefined;
  // It reads letters of either case. A period has the ones that its id will have.
  if (begins.toFormat(format, english) !== period) return undefined;
  const pieces = piecesOf(template) ?? [];
  const unit = unitIn(pieces);
  const span = begins.minus({ days: 1 });
  return [span.toMillis(), begins.plus(lasting[unit]).plus({ days: 1 }).toMillis()];
}

/** The template of months. */
export const monthly = 'yyyy-MM';

/** The part of the calendar that periods of a template are named after. */
export type Unit = 'year' | 'month' | 'week' | 'day';

/** Undefined for a template with hours, which names moments. */
export function unitOf(template: string): Unit | undefined {
  const pieces = piecesOf(template) ?? [];
  return has(pieces, 'HH') ? undefined : units[unitIn(pieces)];
}

const units = { ww: 'week', dd: 'day', MM: 'month', yyyy: 'year' } as const;

function unitIn(pieces: readonly Piece[]): keyof typeof units {
  return (['ww', 'dd', 'MM'] as const).find((field) => has(pieces, field)) ?? 'yyyy';
}

const english = { locale: 'en-US', numberingSystem: 'latn' } as const;
const lasting = { ww: { weeks: 1 }, dd: { days: 1 }, MM: { months: 1 }, yyyy: { years: 1 } };

/** A template in luxon's tokens. A week at the turn of the year belongs to one year (ISO 8601). */
function formatOf(template: string): string {
  const pieces = piecesOf(template) ?? [];
  const isByWeek = has(pieces, 'ww');
  return pieces
    .map((piece) => {
      if ('text' in piece) return `'${piece.text}'`;
      if (!isByWeek) return piece.field;
      return { ww: 'WW', yyyy: 'kkkk' }[String(piece.field)] ?? piece.field;
    })
    .join('');
}

function has(pieces: readonly Piece[], field: Field): boolean {
  return pieces.some((piece) => 'field' in piece && piece.field === field);
}

function piecesOf(template: string): Piece[] | undefined {
  const pieces: Piece[] = [];
  pieceForm.lastIndex = 0;
  for (let end = 0; end < template.length; end = pieceForm.lastIndex) {
    const match = pieceForm.exec(template);
    if (match === null) return undefined;
    const field = fields.find((known) => known === match[0]);
    pieces.push(field === undefined ? { text: match[1] ?? match[0] } : { field });
  }
  return pieces.length === 0 ? undefined : pieces;
}
