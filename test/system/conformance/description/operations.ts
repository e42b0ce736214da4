import { isRecord } from '../../../../src/custody/isRecord';
import { type Json, lookUp } from '../lookUp';

/** One method of one path, as a document of OpenAPI describes it. */
export type Operation = { path: string; method: string; pattern: RegExp };

/** The parts of a call that identify its operation. The path may have a query. */
type Called = { method: string; path: string };

const methods = ['get', 'put', 'post', 'patch', 'delete'];

export function operationsOf(document: Json): Operation[] {
  return Object.entries(lookUp(document, ['paths'])).flatMap(([path, described]) =>
    methods
      .filter((method) => isRecord(described) && method in described)
      .map((method) => ({
        path,
        method,
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      })),
  );
}

/** Finds the operation of a call. Undefined if none is described. */
export function operationFinder<Found extends Operation>(
  operations: readonly Found[],
): (call: Called) => Found | undefined {
  const parameters = ({ path }: Operation) => path.split('{').length;
  // When a fixed path and one with a parameter both match, the fixed one wins.
  const sorted = operations.toSorted((one, other) => parameters(one) - parameters(other));
  return (call) => {
    const path = call.path.split('?')[0] ?? '';
    const method = call.method.toLowerCase();
    return sorted.find((one) => one.method === method && one.pattern.test(path));
  };
}
