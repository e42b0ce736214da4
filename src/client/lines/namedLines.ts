import type { LineResult } from '../../orders/payout';

/** Lines with names that are known now. A name in their file comes first. */
export async function* namedLines(
  lines: AsyncIterable<LineResult>,
  nameOf: (address: string) => string | undefined,
): AsyncGenerator<LineResult, void> {
  for await (const line of lines) {
    const name = line.name ?? nameOf(line.to);
    yield name ? { ...line, name } : line;
  }
}
