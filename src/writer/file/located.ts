import { type Document, isMap, LineCounter, type Node, parseDocument } from 'yaml';
import { exactScalars } from '../../orders/input/exactScalars';

/** A place in a text, counted from 1. */
export type TextPlace = { line: number; column: number };

/** A parsed text that knows where each of its values stands. */
export type Located = {
  value: unknown;
  /** The place of a value, or of the nearest value around it. */
  placeOf(path: readonly PropertyKey[]): TextPlace;
  /** The place of a key in an object. */
  placeOfKey(path: readonly PropertyKey[], key: string): TextPlace;
};

/** A text that cannot be parsed, with the place of its first fault. */
export class MalformedText extends Error {
  override readonly name = 'MalformedText';

  constructor(
    message: string,
    readonly place: TextPlace,
  ) {
    super(message);
  }
}

/** Parses YAML, of which JSON is a part. A key that stands twice is a fault. */
export function parseLocated(text: string): Located {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    customTags: exactScalars,
    lineCounter: lines,
    logLevel: 'error',
    prettyErrors: false,
    uniqueKeys: true,
  });
  const at = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const [fault] = document.errors;
  if (fault !== undefined) throw new MalformedText(plainly(fault.message), at(fault.pos[0]));
  return {
    value: javascriptOf(document, at),
    placeOf: (path) => at(offsetOf(document, path)),
    placeOfKey: (path, key) => {
      const map = nodeAt(document, path);
      const pair = isMap(map) ? map.items.find((item) => String(item.key) === key) : undefined;
      return at(startOf(pair?.key) ?? offsetOf(document, path));
    },
  };
}

/** Aliases are refused when they would make a small text large. */
function javascriptOf(document: Document, at: (offset: number) => TextPlace): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new MalformedText(plainly(message), at(0));
  }
}

function nodeAt(document: Document, path: readonly PropertyKey[]): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true);
}

/** The offset of a value. A value that is missing has that of what should contain it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  const own = startOf(nodeAt(document, path));
  if (own !== undefined) return own;
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}

function startOf(node: unknown): number | undefined {
  const hasRange = typeof node === 'object' && node !== null && 'range' in node;
  const range: Node['range'] = hasRange && Array.isArray(node.range) ? rangeOf(node.range) : null;
  return range?.[0];
}

function rangeOf(range: unknown[]): [number, number, number] {
  const [start, valueEnd, end] = range.map(Number);
  return [start ?? 0, valueEnd ?? 0, end ?? 0];
}

function plainly(message: string): string {
  const [first = ''] = message.split('\n');
  return first.replace(/[.:]$/, '');
}
