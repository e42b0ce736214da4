/** Characters of a reference that people can read. */
const readableMax = 60;

type Named = { workflowId: string; step: string; item: string };

/** The readable part of a write's reference. Only the end of a long one is kept. */
export function readableOf(parts: Named): string {
  return wholeOf(parts).slice(-readableMax);
}

/** True if a write's reference names its order whole, so that a notice can find it. */
export function isNamedWhole(parts: Named): boolean {
  return wholeOf(parts).length <= readableMax;
}

function wholeOf({ workflowId, step, item }: Named): string {
  return `${workflowId} ${step}/${item}`;
}
