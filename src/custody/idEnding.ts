/** Number of an id's last digits that tell a transaction from the others of its account. */
export const endingDigits = 8;

/** The end of an id, by which a watcher names a transaction. */
export function endingOf(id: string): string {
  return id.slice(-endingDigits);
}
