import type { ApiError } from '../errors/errors';

/** The greatest depth of JSON. No call needs that much. */
const depthMax = 32;

/** Gives up at the limit, however deep the value is. */
export function isDeeper(value: unknown, depth = depthMax): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/** The value of a JSON text. Any other text is refused as the caller says. */
export function readJson(text: string, refusal: () => ApiError): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal();
  }
}
