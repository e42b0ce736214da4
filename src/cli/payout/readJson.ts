import { createReadStream } from 'node:fs';
import { shown } from '../../orders/input/shown';
import { type Row, rowCharactersMax } from './columns';

/** Reads JSON Lines: one object a line. Skips blank lines. */
export async function* readJsonLines(path: string): AsyncGenerator<Row, void> {
  let row = 0;
  let rest = '';
  for await (const chunk of textOf(path)) {
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

/** Reads a JSON list of objects, entry by entry. */
export async function* readJsonList(path: string): AsyncGenerator<Row, void> {
  let row = 0;
  const list = listScanner();
  for await (const chunk of textOf(path)) {
    for (const entry of list.read(chunk)) {
      row += 1;
      yield rowOf(row, entry);
    }
    const fault = list.fault();
    if (fault !== undefined) return yield { row: row + 1, fault };
  }
  if (!list.isOver()) yield { row: row + 1, fault: 'the file ends before its list does.' };
}

/** Cuts a JSON list into its entries, without parsing them. */
function listScanner() {
  let entry = '';
  /** The number of open brackets, with the list's own. */
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isOver = false;
  let isEmpty = true;
  let fault: string | undefined;

  /** Reads a character within the list. Returns true when an entry ends with it. */
  const take = (character: string): boolean => {
    if (isText) {
      if (isEscaped) isEscaped = false;
      else if (character === '\\') isEscaped = true;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    else return character === ',' && depth === 1;
    return depth === 0;
  };
  /** Reads a character before or after the list. */
  const begin = (character: string): void => {
    if (character.trim() === '') return;
    if (isOver || character !== '[') fault = isOver ? afterTheList : noList;
    else depth = 1;
  };

  return {
    isOver: () => isOver,
    fault: () => fault ?? (entry.length > rowCharactersMax ? tooLong : undefined),
    *read(chunk: string): Generator<string, void> {
      let from = 0;
      for (let at = 0; at < chunk.length && fault === undefined; at += 1) {
        const character = chunk.charAt(at);
        if (depth === 0) {
          begin(character);
          from = at + 1;
        } else if (take(character)) {
          const text = `${entry}${chunk.slice(from, at)}`;
          entry = '';
          from = at + 1;
          isOver = depth === 0;
          // Only an empty list may end without an entry.
          if (!isOver || !isEmpty || text.trim() !== '') yield text;
          isEmpty = false;
        }
      }
      entry += chunk.slice(from);
    },
  };
}

const noList =
  'holds no list. Lines are [{"lineId": "a-1", "to": "0x…", "amount": "12.50", …}, …].';
const afterTheList = 'something stands behind the list. One JSON object a line goes into a .jsonl.';
const tooLong = `is longer than ${rowCharactersMax} characters. A quote or a bracket may be open.`;

function rowOf(row: number, text: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { row, fault: `${shown(text.trim())} is not JSON.` };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { row, values: { ...value } };
  }
  return { row, fault: `${shown(value)} is not an object such as {"lineId": "a-1", …}.` };
}

async function* textOf(path: string): AsyncGenerator<string, void> {
  let isFirst = true;
  for await (const chunk of createReadStream(path, 'utf8')) {
    yield isFirst ? String(chunk).replace(/^\ufeff/, '') : String(chunk);
    isFirst = false;
  }
}
