import type { z } from 'zod';

const types: Readonly<Record<string, string>> = {
  string: 'text, in quotes',
  number: 'a number, without quotes',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID such as "1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17"',
  datetime: 'a moment such as "2026-01-31T12:00:00Z"',
  url: 'a URL such as "https://example.com/contract.json"',
};

const units: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

/** Words for a field whose schema has none. They follow the field's value. */
export function issueInWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? `of the form ${issue.pattern}`}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_small':
      return measured('at least', issue.minimum, issue.origin);
    case 'too_big':
      return measured('at most', issue.maximum, issue.origin);
    case 'invalid_key':
      return issue.issues[0]?.message;
    default:
      return undefined;
  }
}

function measured(least: string, bound: number | bigint, origin: string): string {
  const [one, several] = units[origin] ?? [];
  if (one === undefined) return `must be ${least} ${bound}`;
  return `must have ${least} ${bound} ${bound === 1 ? one : several}`;
}
