/** Pads each cell to the width of its column, except in the last column. */
export function inColumns(rows: readonly (readonly string[])[]): string[][] {
  const lasts = Math.max(0, ...rows.map((row) => row.length)) - 1;
  const widths = Array.from({ length: lasts }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
}
