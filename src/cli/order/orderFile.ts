import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { parse } from 'yaml';
import { isRecord } from '../../custody/isRecord';
import { exactScalars } from '../../orders/input/exactScalars';
import { parseJson } from '../../orders/input/parseJson';
import { InputError, messageOf } from '../exit';
import type { Fields } from './fields';

/** Three times an order's limit as JSON, for comments and indentation. */
const fileBytesMax = 1_000_000;

/**
 * Reads an order from a .json or .yaml file. Every fault of the file is one sentence with its path.
 */
export function readOrderFile(path: string): Fields {
  const read = readers[extname(path).toLowerCase()];
  if (read === undefined) {
    throw new InputError(`--file: ${path} is neither .json nor .yaml.`);
  }
  const order = parsed(path, read);
  if (isRecord(order)) return order;
  throw new InputError(`--file: ${path} does not hold one order: {"amount": "12.50", …}.`);
}

/** The parser would print its warnings. A wrong field is refused by name anyway. */
const parseYaml = (text: string): unknown =>
  parse(text, { customTags: exactScalars, logLevel: 'error' });

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  '.json': parseJson,
  '.yaml': parseYaml,
  '.yml': parseYaml,
};

function parsed(path: string, read: (text: string) => unknown): unknown {
  let bytes: Buffer;
  try {
    refuseLarge(path);
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`--file: ${path} cannot be read: ${reasonOf(error)}.`);
  }
  if (!isUtf8(bytes)) throw new InputError(`--file: ${path} is not UTF-8. Save it as UTF-8.`);
  try {
    return read(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new InputError(`--file: ${path} is malformed: ${reasonOf(error)}.`);
  }
}

/** Refuses a file too large for an order before it fills the memory. */
function refuseLarge(path: string): void {
  const { size } = statSync(path);
  if (size <= fileBytesMax) return;
  throw new InputError(
    `--file: ${path} has ${size} bytes, and an order file may have ${fileBytesMax}. ` +
      'Is it a file of lines? Those are paid by "steadfast payout".',
  );
}

/** The first line of a message. Parsers add the source text below it. */
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  if (message.includes('multiple documents')) return 'give each of its documents a file of its own';
  return (message.split('\n')[0] ?? message).replace(/[.:]$/, '');
}
