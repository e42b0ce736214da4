/** Characters of a reference that people can read. */
const readableMax = 60;

type Named = { workflowId: string; step: string; item: string };

/** Ids and paths have no other characters. A space would end the part, and begin what decides. */
const foreign = /[^\w.:/#-]/g;

/** The readable part of a write's reference. Only the end of a long one is kept. */
export function readableOf(parts: Named): string {
  return plainOf(parts).slice(-readableMax);
}

/** True if a write's reference names its order whole, so that a notice can find it. */
export function isNamedWhole(parts: Named): boolean {
  const { workflowId, step, item } = parts;
  const plain = plainOf(parts);
  return plain === `${workflowId} ${step}/${item}` && plain.length <= readableMax;
}

function plainOf({ workflowId, step, item }: Named): string {
  const [order, path] = [workflowId, `${step}/${item}`].map((text) => {
    return String(text).replace(foreign, '_');
  });
  return `${order} ${path}`;
}
