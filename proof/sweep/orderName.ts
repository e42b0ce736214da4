/**
 * The name of a swept order: always as long, so that it is found in any bytes. The ids of all that
 * belongs to it have it in them.
 */
export function orderName(number: number): string {
  return `sweep-${String(number).padStart(6, '0')}`;
}

const pattern = /sweep-\d{6}/g;

/** The orders that are named in some bytes or text, each once. */
export function orderNames(text: Buffer | string): string[] {
  const found = (typeof text === 'string' ? text : text.toString('latin1')).match(pattern);
  return [...new Set(found)];
}
