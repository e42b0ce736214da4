import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { isRecord } from '../../custody/isRecord';
import { parseJson, RepeatedName } from '../../orders/input/parseJson';
import { shown } from '../../orders/input/shown';
import { messageOf } from '../../orders/input/systemFault';
import { type FileRow, rowCharactersMax } from './row';

/** Reads JSON Lines: one object a line. Skips blank lines. */
export async function* readJsonLines(path: string): AsyncGenerator<FileRow, void> {
  let row = 0;
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      row += 1;
      if (line.trim() !== '') yield rowOf(row, line);
    }
    if (rest.length > rowCharactersMax) return yield { row: row + 1, fault: tooLong };
  }
  if (rest.trim() !== '') yield rowOf(row + 1, rest);
}

/** A larger list would fill the memory. JSON Lines have no limit. */
const listBytesMax = 64_000_000;

/** Reads a JSON list of objects, all at once. */
export async function* readJsonList(path: string): AsyncGenerator<FileRow, void> {
  const { size } = await stat(path);
  if (size > listBytesMax) {
    const fault = `has ${size} bytes, and a list may have ${listBytesMax}. ${wayOut}`;
    return yield { row: 1, fault };
  }
  let list: unknown;
  try {
    list = parsed(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof RepeatedName) {
      return yield { row: Number(error.path[0] ?? 0) + 1, fault: error.message };
    }
    return yield { row: 1, fault: `the list is not JSON: ${messageOf(error)}. ${wayOut}` };
  }
  if (!Array.isArray(list)) return yield { row: 1, fault: noList };
  for (const [index, value] of list.entries()) yield objectOf(index + 1, value);
}

const wayOut = 'Write one object a line into a .jsonl: its faults are told by row.';
const noList =
  'holds no list. Lines are [{"lineId": "a-1", "to": "0x…", "amount": "12.50", …}, …].';
const tooLong = `is longer than ${rowCharactersMax} characters. A quote or a bracket may be open.`;

function rowOf(row: number, text: string): FileRow {
  try {
    return objectOf(row, parsed(text));
  } catch (error) {
    if (error instanceof RepeatedName) return { row, fault: error.message };
    return { row, fault: `${shown(text.trim())} is not JSON.` };
  }
}

/** A byte order mark counts as white space here, and not in JSON. */
function parsed(text: string): unknown {
  return parseJson(text.trim());
}

function objectOf(row: number, value: unknown): FileRow {
  if (isLost(value)) return { row, fault: lostLetter };
  if (isRecord(value)) return { row, values: value };
  return { row, fault: `${shown(value)} is not an object such as {"lineId": "a-1", …}.` };
}

/** True for a value with the mark that stands for bytes that are no UTF-8. */
function isLost(value: unknown): boolean {
  return typeof value === 'string'
    ? value.includes('\ufffd')
    : isRecord(value) && Object.entries(value).flat().some(isLost);
}

const lostLetter = 'is not UTF-8: a letter in it is lost. Save the file as UTF-8.';
