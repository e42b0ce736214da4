/** The greatest depth of JSON. No call needs that much. */
const depthMax = 32;

/** Gives up at the limit, however deep the value is. */
export function isDeeper(value: unknown, depth = depthMax): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
