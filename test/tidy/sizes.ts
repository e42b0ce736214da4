import ts from 'typescript';
import { type Finding, lineOf, parse, type Source, walk } from './source';

export const limits = {
  fileLines: 250,
  /** The machine of a write is one table: each event, and its rules beside it. */
  tableLines: 500,
  /** A table of cases is long without being hard to read. */
  testFileLines: 350,
  fileLinesMedian: 100,
  functionLines: 60,
  functionLinesMedian: 12,
  columns: 100,
  parameters: 3,
  fileBytes: 400 * 1024,
};

/** A line that is one string, title or pattern, or an address: nobody can break it. */
const isOneText = /^\s*(?:[\w.]+\()*[`'"/]|https?:\/\/\S{60}/;

/** Files that hold too many lines, and lines that hold too many columns. */
export function checkLines({ path, text }: Source): Finding[] {
  const lines = text.split('\n');
  const wide = lines.flatMap((line, index) =>
    [...line].length > limits.columns && !isOneText.test(line)
      ? [{ path, line: index + 1, rule: `A line has at most ${limits.columns} columns.` }]
      : [],
  );
  const linesMax = linesMaxOf(path);
  if (linesOf(text) <= linesMax) return wide;
  const rule = `A file has at most ${linesMax} lines: split this one by noun.`;
  return [...wide, { path, line: lines.length, rule }];
}

function linesMaxOf(path: string): number {
  if (path.endsWith('.test.ts')) return limits.testFileLines;
  return path === 'workflows/write/machine/machine.ts' ? limits.tableLines : limits.fileLines;
}

export function linesOf(text: string): number {
  return text.trimEnd().split('\n').length;
}

type Body = { node: ts.SignatureDeclaration; line: number; lines: number; ownLines: number };

/** Functions with a body; what a test file hands to describe and test is none. */
export function functionsOf(source: Source): Body[] {
  const tree = parse(source);
  const isTest = /\.test\.ts$/.test(source.path);
  const found: Body[] = [];
  walk(tree, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    if (isTest && ts.isCallExpression(node.parent)) return;
    const line = lineOf(tree, node);
    const lines = tree.getLineAndCharacterOfPosition(node.end).line + 2 - line;
    found.push({ node, line, lines, ownLines: lines });
  });
  return found.map((body) => ({ ...body, ownLines: ownLines(body, found) }));
}

/** Functions inside a function count themselves; it is as long as what is around them. */
function ownLines(body: Body, all: readonly Body[]): number {
  const inner = all.filter(({ node }) => parentFunction(node) === body.node);
  return inner.reduce((rest, { lines }) => rest - (lines - 1), body.lines);
}

function parentFunction(node: ts.Node): ts.Node | undefined {
  return ts.findAncestor(node.parent, ts.isFunctionLike);
}

/** Functions that are too long or take too many parameters. */
export function checkFunctions(source: Source): Finding[] {
  return functionsOf(source).flatMap(({ node, ownLines: lines, line }) => {
    const findings: Finding[] = [];
    if (lines > limits.functionLines) {
      const rule = `A function has at most ${limits.functionLines} lines; this one has ${lines}.`;
      findings.push({ path: source.path, line, rule });
    }
    if (node.parameters.length > limits.parameters) {
      const rule = `A function takes at most ${limits.parameters} parameters, then an object.`;
      findings.push({ path: source.path, line, rule });
    }
    return findings;
  });
}

/** Lines of the functions that count for the median: those that are more than an expression. */
export function functionLines(source: Source): number[] {
  return functionsOf(source).flatMap(({ node, lines }) => {
    const isNamed = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
    return isNamed ? [lines] : [];
  });
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
