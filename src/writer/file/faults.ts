import type { z } from 'zod';
import { SentenceError } from '../../orders/input/sentenceError';
import { shown, shownField } from '../../orders/input/shown';
import type { Located, TextPlace } from './located';

/** A policy that cannot be used. Its message has one line for each fault, with its place. */
export class PolicyError extends SentenceError {
  override readonly name = 'PolicyError';
}

export type Fault = { place: TextPlace; words: string };

const toldMax = 20;

/** Throws the faults of a policy file, in the order of their places. */
export function refusePolicy(file: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const sorted = [...faults].sort(
    ({ place: one }, { place: other }) => one.line - other.line || one.column - other.column,
  );
  const told = sorted
    .slice(0, toldMax)
    .map(({ place: { line, column }, words }) => `${file}:${line}:${column}: ${words}.`);
  const more = sorted.length - told.length;
  throw new PolicyError([...told, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n'));
}

/** A limit with a misspelt name limits nothing. */
const misspelt = 'Correct it: without it the policy may allow more';

/** The faults of a schema's issues. Each word that the schema lacks is a fault of its own. */
export function faultsOf(issues: readonly z.core.$ZodIssue[], file: Located): Fault[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      return [{ place: file.placeOf(issue.path), words: sentence(issue, file.value) }];
    }
    return issue.keys.map((key) => ({
      place: file.placeOfKey(issue.path, key),
      words: `${shownField([...issue.path, key])}: is no word of a policy. ${misspelt}`,
    }));
  });
}

function sentence({ path, message }: z.core.$ZodIssue, whole: unknown): string {
  const value = path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? Object.entries(inner).find(([name]) => name === String(key))?.[1]
        : undefined,
    whole,
  );
  const given = value === undefined ? 'is missing. It' : shown(value);
  return path.length === 0 ? `The policy ${message}` : `${shownField(path)}: ${given} ${message}`;
}
