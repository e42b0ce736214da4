import { type LocalTime, localAt } from './localTime';

const fields = ['yyyy', 'MM', 'dd', 'HH', 'mm', 'ss', 'ww'] as const;
type Field = (typeof fields)[number];
type Piece = { field: Field } | { text: string };

const pieceForm = /'([^']*)'|yyyy|MM|dd|HH|mm|ss|ww|[^A-Za-z']/y;
const plain = /^[\w.:-]*$/;
const dayMs = 86_400_000;

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
  const local = localAt(atMs, timeZone);
  const pieces = piecesOf(template) ?? [];
  const isByWeek = pieces.some((piece) => 'field' in piece && piece.field === 'ww');
  const week = weekOf(local);
  const values: Record<Field, number> = {
    // A week at the turn of the year belongs to one year, whole (ISO 8601).
    yyyy: isByWeek ? week.year : local.year,
    MM: local.month,
    dd: local.day,
    HH: local.hour,
    mm: local.minute,
    ss: local.second,
    ww: week.number,
  };
  return pieces
    .map((piece) =>
      'text' in piece ? piece.text : String(values[piece.field]).padStart(piece.field.length, '0'),
    )
    .join('');
}

/**
 * A span of time that holds every moment of a period, in any time zone. Undefined if the text is no
 * period of the template.
 */
export function spanOf(
  template: string,
  period: string,
): [fromMs: number, toMs: number] | undefined {
  const pieces = piecesOf(template) ?? [];
  const form = pieces
    .map((piece) =>
      'text' in piece
        ? piece.text.replaceAll('.', '\\.')
        : `(?<${piece.field}>\\d{${piece.field.length}})`,
    )
    .join('');
  const found = new RegExp(`^${form}$`).exec(period)?.groups;
  if (found === undefined) return undefined;
  const { yyyy, MM, dd, ww } = found;
  const year = Number(yyyy);
  const widened = (from: number, to: number): [number, number] => [from - dayMs, to + dayMs];
  if (ww !== undefined) {
    // The first week is the one with the fourth of January.
    const from = Date.UTC(year, 0, 4 + 7 * (Number(ww) - 1));
    return widened(from - 7 * dayMs, from + 7 * dayMs);
  }
  if (MM === undefined) return widened(Date.UTC(year), Date.UTC(year + 1));
  const month = Number(MM) - 1;
  if (dd === undefined) return widened(Date.UTC(year, month), Date.UTC(year, month + 1));
  return widened(Date.UTC(year, month, Number(dd)), Date.UTC(year, month, Number(dd) + 1));
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

/** The week of a day (ISO 8601) and the week's year, which is its Thursday's. */
function weekOf({ year, month, day }: LocalTime): { year: number; number: number } {
  const at = Date.UTC(year, month - 1, day);
  const fromMonday = (new Date(at).getUTCDay() + 6) % 7;
  const thursday = at + (3 - fromMonday) * dayMs;
  const weekYear = new Date(thursday).getUTCFullYear();
  return {
    year: weekYear,
    number: 1 + Math.floor((thursday - Date.UTC(weekYear)) / (7 * dayMs)),
  };
}
