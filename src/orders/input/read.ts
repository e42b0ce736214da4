import type { z } from 'zod';
import { SentenceError } from './sentenceError';
import { inJson, shown, shownField } from './shown';
import { issueInWords } from './words';

/**
 * An order that cannot be carried out as written. Its message names each field, its value and a way
 * out.
 */
export class BadOrderError extends SentenceError {
  override readonly name = 'BadOrderError';
}

/**
 * More bytes than any transaction has. Temporal keeps an order in several places of one message and
 * refuses messages of two megabytes. A larger order would be stuck for ever.
 */
export const orderBytesMax = 300_000;

/** Retries of many lines, beside the order. A payout keeps them in three places of one message. */
const generationsBytesMax = 200_000;

/** More than any order needs. A reader of values calls itself once for each level. */
const levelsMax = 64;

/** Number of faults that a message tells. */
const toldMax = 10;

type Issue = z.core.$ZodIssue;

/** Checks an order against its schema. Returns it normalised or throws a BadOrderError. */
export function readOrder<Schema extends z.ZodType>(
  schema: Schema,
  order: unknown,
): z.output<Schema> {
  const { generations, ...others } = isRecord(order) ? order : {};
  refuseManyRetries(generations);
  refuseOversize(generations === undefined ? order : others, 'The order', orderBytesMax);
  const parsed = schema.safeParse(order, { error: issueInWords });
  if (parsed.success) return parsed.data;
  const faults = onePerField(parsed.error.issues.flatMap(meant));
  const told = faults.slice(0, toldMax).map((issue) => sentence(issue, order));
  const more = faults.length - told.length;
  throw new BadOrderError([...told, ...(more > 0 ? [`And ${more} more.`] : [])].join(' '));
}

function refuseManyRetries(generations: unknown): void {
  refuseTooDeep(generations, 'The order');
  const bytes = jsonBytesOf(generations);
  if (bytes <= generationsBytesMax) return;
  throw new BadOrderError(
    `generations: has ${bytes} bytes as JSON, and may have ${generationsBytesMax}. Retry fewer ` +
      'lines at a time, by their ids. The others wait for the next retry.',
  );
}

/**
 * Refuses what is too long or too deep, before a schema reads it. The faults that a schema keeps
 * take many times the room of the value. Throws a BadOrderError.
 */
export function refuseOversize(value: unknown, what: string, bytesMax: number): void {
  const bytes = jsonBytesOf(value);
  if (bytes > bytesMax) {
    throw new BadOrderError(
      `${what} has ${bytes} bytes as JSON, and may have ${bytesMax}: no transaction carries more. ` +
        'Leave out what it does not need, or make several orders of it.',
    );
  }
  refuseTooDeep(value, what);
}

/** The bytes of a value as JSON. */
export function jsonBytesOf(value: unknown): number {
  return Buffer.byteLength(inJson(value));
}

function refuseTooDeep(value: unknown, what: string): void {
  if (!isDeeper(value, levelsMax)) return;
  throw new BadOrderError(
    `${what} has values inside values, more than ${levelsMax} levels deep. Leave such values out.`,
  );
}

function isDeeper(value: unknown, levels: number): boolean {
  if (!isRecord(value)) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/**
 * The faults of the one form of a union that the value has all fields of. If none or several forms
 * fit, the union's own words name them all.
 */
function meant(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const forms = issue.errors
    .map((issues) => issues.flatMap(meant))
    .filter((issues) => issues.every(isWithin));
  const [form, ...others] = forms;
  if (form === undefined || others.length > 0) return [issue];
  return form.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function isWithin({ code, path }: Issue): boolean {
  return path.length > 0 && code !== 'unrecognized_keys';
}

/** Keeps the first fault of each field. Where two bounds are broken, it keeps the narrower one. */
function onePerField(issues: readonly Issue[]): Issue[] {
  const byField = new Map<string, Issue>();
  for (const issue of issues) {
    const field = JSON.stringify([issue.path.map(String), issue.code === 'unrecognized_keys']);
    const { code = issue.code } = byField.get(field) ?? {};
    if (code === issue.code) byField.set(field, issue);
  }
  return [...byField.values()];
}

function sentence(issue: Issue, order: unknown): string {
  if (issue.code === 'unrecognized_keys') return tooMany(issue, order);
  if (issue.path.length > 0) return `${naming(issue.path, order)} ${issue.message}.`;
  const given = order === undefined ? 'is missing. It' : `is ${shown(order)}. It`;
  return `The order ${given} ${issue.message}.`;
}

function tooMany({ keys, path }: z.core.$ZodIssueUnrecognizedKeys, order: unknown): string {
  const told = keys.slice(0, toldMax).map((key) => naming([...path, key], order));
  const more = keys.length > toldMax ? ` and ${keys.length - toldMax} more` : '';
  const [have, them] = keys.length === 1 ? ['has', 'it'] : ['have', 'them'];
  return `${told.join(', ')}${more} ${have} no place in this order. Leave ${them} out.`;
}

/** The field and its value, as the subject of a sentence. */
function naming(path: readonly PropertyKey[], order: unknown): string {
  const value = path.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[String(key)] : undefined),
    order,
  );
  return `${shownField(path)}: ${value === undefined ? 'is missing. It' : shown(value)}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
