import { quoted } from '../../orders/input/shown';

/** The fields that a line in a file must have. */
export const neededFields = ['lineId', 'to', 'amount', 'token'] as const;
/** The fields of a line in a file. */
export const lineFields = [...neededFields, 'reference'] as const;
export type LineField = (typeof lineFields)[number];

/** Names of columns, with their fields. Case, spaces, _ and - are ignored. */
const names: Readonly<Record<string, LineField>> = {
  lineid: 'lineId',
  id: 'lineId',
  to: 'to',
  address: 'to',
  amount: 'amount',
  token: 'token',
  reference: 'reference',
};

/** The field that a column or a JSON key holds, or undefined. */
export function fieldOf(column: string): LineField | undefined {
  const name = column.toLowerCase().replace(/[\s_-]/g, '');
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

/** Faults in the columns of a file of lines, each as a sentence. */
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
  if (column === '') return `${known}. Give it a name, or remove it.`;
  return `${known}. Remove it, or have it ignored with --ignore ${named(column)}.`;
}

function named(column: string): string {
  return /^[\w.-]+$/.test(column) ? column : quoted(JSON.stringify(column));
}
/** A row as written in the file, or the fault of its form. */
export type Row = {
  /** Its number, as a spreadsheet counts. In a JSON list, from 1. */
  row: number;
} & ({ values: Readonly<Record<string, unknown>> } | { fault: string });

/** Longer than any line. Limits a quote that is never closed. */
export const rowCharactersMax = 10_000;
