/** Rows of a table with each cell as wide as the widest of its column; the last one is left. */
export function inColumns(rows: readonly (readonly string[])[]): string[][] {
  const lasts = Math.max(0, ...rows.map((row) => row.length)) - 1;
  const widths = Array.from({ length: lasts }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
}
