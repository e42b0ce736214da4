import { conceal } from './conceal';
import type { CallOptions, Endpoint, EndpointName } from './endpoints';
import { type CustodyError, RefusedError, UnexpectedAnswerError } from './errors';
import { isRecord, jsonIn } from './isRecord';

/** An answer as it came off the wire. */
export type WireAnswer = {
  status: number;
  body: string;
  retryAfterMs: number | undefined;
  /** The pages beside the one that came, if the service tells of them. */
  links: Links | undefined;
  /** The secrets of the request. No message may repeat them, since histories and logs keep it. */
  secrets: readonly string[];
  /** The id by which the service knows the call. */
  requestId: string;
};

/** The cursor of the next page. Undefined on the last page. */
type Links = { next: string | undefined };

type Reading = Pick<Endpoint, 'output'> & { salvage?: CallOptions['salvage'] | undefined };

const shownCharactersMax = 200;
/** The service's own sentences are short. A proxy in front of it may send anything. */
const sentenceCharactersMax = 1_000;

/** The parsed answer, or the error that it stands for. Bodies come wrapped in `data`, or bare. */
export function readAnswer(
  name: EndpointName,
  answer: WireAnswer,
  { output, salvage }: Reading,
): unknown {
  const facts = factsOf(answer);
  const body = jsonIn(answer.body);
  if (answer.status < 200 || answer.status > 299) throw errorOf(name, body, answer);
  const content = unwrap(answer.body === '' ? empty(output) : body);
  let parsed = output.safeParse(content);
  if (!parsed.success && salvage !== undefined) {
    parsed = output.safeParse(salvaged(content, parsed.error.issues, salvage));
  }
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'the body'}: ${issue.message}`);
  const message =
    `The answer to ${name} is not the interface. Expected ${expected(output)}, ` +
    `got ${shown(answer.body)} (${beginning(faults.join('; '), sentenceCharactersMax)}).`;
  throw new UnexpectedAnswerError(conceal(message, answer.secrets), facts);
}

/** The same content, with the best that can be made of those items of a list that are at fault. */
function salvaged(
  content: unknown,
  issues: readonly { path: PropertyKey[] }[],
  salvage: (item: unknown) => unknown,
): unknown {
  if (!isRecord(content)) return content;
  const faulty = new Set(issues.map(({ path: [field, at] }) => JSON.stringify([field, at])));
  const lists = Object.entries(content).map(([field, list]) => [
    field,
    Array.isArray(list)
      ? list.map((item, at) => (faulty.has(JSON.stringify([field, at])) ? salvage(item) : item))
      : list,
  ]);
  return Object.fromEntries(lists);
}

function errorOf(name: EndpointName, body: unknown, answer: WireAnswer): CustodyError {
  const facts = factsOf(answer);
  if (isRecord(body) && typeof body.code === 'number' && typeof body.message === 'string') {
    const sentence = conceal(beginning(body.message, sentenceCharactersMax), answer.secrets);
    return new RefusedError(
      `${name} was answered with ${answer.status}, code ${body.code}: ${sentence}`,
      { ...facts, code: body.code },
    );
  }
  const came = conceal(shown(answer.body), answer.secrets);
  return new UnexpectedAnswerError(
    `${name} was answered with ${answer.status}. Expected {code, message}, got ${came}.`,
    facts,
  );
}

function factsOf({ status, retryAfterMs, requestId }: WireAnswer) {
  return { status, retryAfterMs, requestId };
}

/** `Retry-After` in milliseconds, from seconds or a date. The most is ten minutes. */
export function readRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Number.NaN;
  const delayMs = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000;
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(delayMs, 0), 600_000);
}

/** The pages that a header `Link` names. Undefined if it names none, or is not there. */
export function readLinks(header: string | string[] | undefined): Links | undefined {
  const links = [...String(header ?? '').matchAll(/<([^>]*)>((?:\s*;[^,<]*)*)/g)];
  if (links.length === 0) return undefined;
  const next = links.find(([, , about = '']) => /;\s*rel="?([^";]* )?next[ ";]/.test(`${about};`));
  return { next: next?.[1] };
}

function unwrap(body: unknown): unknown {
  const isWrapped = isRecord(body) && (isRecord(body.data) || Array.isArray(body.data));
  return isWrapped ? body.data : body;
}

/** Reads an empty body: undefined where the endpoint allows it, else an object without fields. */
function empty(output: Endpoint['output']): object | undefined {
  return output.type === 'optional' ? undefined : {};
}

function expected(output: Endpoint['output']): string {
  if (output.type === 'optional') return expected(output.unwrap());
  return output.type === 'object' ? Object.keys(output.shape).join(', ') : 'a list';
}

function shown(body: string): string {
  return body === '' ? 'an empty body' : beginning(body, shownCharactersMax);
}

function beginning(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}
