import { columnsOf, type FileReading, neededFields } from '../columns';

/** Excel writes the separator into a first row of its own: "sep=;". */
export const separatorForm = /^"?sep=(.?)"?$/i;

/** A line of a table. A value in double quotes may have several lines of text. */
const lineForm = /(?:"(?:[^"]|"")*"|[^\r\n])+/g;

const separators = [';', '\t', ','] as const;
/** More lines than anybody writes above a header. */
const linesMax = 20;

/** The separator of a CSV file, and the lines above its header. */
type CsvHead = { separator: string; titles: string[] };

/** Reads the first lines of a CSV file. The header is the first one that names two columns. */
export function csvHead(text: string, reading: FileReading): CsvHead {
  const lines = text.replace(/^\ufeff/, '').match(lineForm) ?? [];
  const told = separatorForm.exec((lines[0] ?? '').trim())?.[1];
  const own = lines
    .slice(told === undefined ? 0 : 1, linesMax)
    .filter((line) => /[^\s,;]/.test(line));
  const known = told === undefined || told === '' ? separators : [told];
  for (const [at, line] of own.entries()) {
    const separator = known.find((one) => namedBy(line.split(one), reading) > 1);
    if (separator !== undefined) return { separator, titles: own.slice(0, at) };
  }
  const [first = ''] = own;
  return { separator: told || (separators.find((one) => first.includes(one)) ?? ','), titles: [] };
}

/** The number of fields that the cells of a line name. */
function namedBy(cells: readonly string[], reading: FileReading): number {
  const columns = columnsOf(
    cells.map((cell) => cell.trim().replace(/^"(.*)"$/s, '$1')),
    reading,
  );
  return neededFields.filter((field) => columns.of(field) !== undefined).length;
}
