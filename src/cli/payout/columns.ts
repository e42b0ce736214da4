import { quoted } from '../../orders/shown';

/** What a file of lines tells of each. */
export const lineFields = ['lineId', 'to', 'amount', 'token'] as const;
export type LineField = (typeof lineFields)[number];

/** What people call them; case, spaces, _ and - make no difference. */
const names: Readonly<Record<string, LineField>> = {
  lineid: 'lineId',
  id: 'lineId',
  to: 'to',
  address: 'to',
  amount: 'amount',
  token: 'token',
};

/** The field that a column holds, or a key of a JSON object; undefined where it holds none. */
export function fieldOf(column: string): LineField | undefined {
  const name = column.toLowerCase().replace(/[\s_-]/g, '');
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

/** What keeps columns from being those of a file of lines, each as a sentence. */
export function columnFaults(columns: readonly string[], ignored: ReadonlySet<string>): string[] {
  const read = columns.filter((column) => !ignored.has(column));
  const unknown = read.filter((column) => fieldOf(column) === undefined);
  const twice = lineFields.filter(
    (field) => read.filter((column) => fieldOf(column) === field).length > 1,
  );
  return [
    ...unknown.map((column) => `column ${named(column)} has no place here. ${wayOut(column)}`),
    ...twice.map((field) => `there are several columns for ${field}. Leave one.`),
  ];
}

function wayOut(column: string): string {
  const known = `Columns are ${lineFields.join(', ')}`;
  if (column === '') return `${known}; give it a name, or take it out.`;
  return `${known}; take it out, or have it left alone with --ignore ${named(column)}.`;
}

function named(column: string): string {
  return /^[\w.-]+$/.test(column) ? column : quoted(JSON.stringify(column));
}
