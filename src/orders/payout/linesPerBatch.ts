/** Lines of a batch where the order does not say. */
const usualLines = 100;

/**
 * The largest number of lines that one transaction of a payout pays. Undefined if each line is to
 * be paid by itself. Pure: workflows import it.
 */
export function linesPerBatch({
  batch,
}: {
  batch?: { linesMax: number } | false | undefined;
}): number | undefined {
  return batch === false ? undefined : (batch?.linesMax ?? usualLines);
}
