import ts from 'typescript';
import { type Finding, isCode, lineOf, parse, type Source, walk } from './source';

export const englishLimits = { sentenceWords: 25, readmeLines: 150, readmeMedianWords: 16 };

/** Data and recorded words of others. */
const notOurs = /^(test\/tidy\/|test\/workflows\/histories\/|docs\/(openapi|schemas)|LICENSE)/;

/** Phrases that have a standard term, and that term. */
const phrases: readonly (readonly [phrase: RegExp, better: string])[] = [
  [/\banew\b/i, 'again, or retry'],
  [/\bheld against\b/i, 'compared with, or checked against'],
  [/\b(come|comes|came|coming) to nothing\b/i, 'had no effect, or failed'],
  [/\b(it|they|order|run|each|that) (came|comes) to\b/i, 'its result, or its outcome'],
  [/\bof itself\b/i, 'by itself, or on its own'],
  [/\bsuch that\b/i, 'so that, or name the thing'],
  [/\btaken\b/i, 'accepted, received, restored or parsed'],
];

/** A comment that begins like this leaves its noun to the reader. */
const bareStart =
  /^(What|Who|Whose|Whom|Whoever|Whatever|Which|Whichever|How|That|Where|Whether|Such)\b/;

/** A sentence of a comment begins with its thing, not with the thing that it belongs to. */
const belonging = /^Of\b/;

/** A sentence that begins like this leaves out its noun. A colon may begin one, too. */
const openings = [
  'that of|those (of|that|who|whose|with|in|at|above|beyond)|of (one|two|those)',
  '(the )?one (of (them|those|these)|that|who|whose|with|in|for|up)|the one of',
  'whoever|whatever|whichever',
];
const nounless = new RegExp(`(?:^|: )(${openings.join('|')})\\b`, 'i');

type Text = { line: number; text: string };

/** Sentences of a source that break a rule of plain English. */
export function checkEnglish(source: Source): Finding[] {
  if (notOurs.test(source.path)) return [];
  if (source.path.endsWith('.md')) return prose(source.text).flatMap(in_(source, checkPhrases));
  if (!isCode(source)) return [];
  return [
    ...comments(source).flatMap(in_(source, checkComment)),
    ...messages(source).flatMap(in_(source, checkMessage)),
  ];
}

function in_({ path }: Source, check: (text: string) => string[]): (text: Text) => Finding[] {
  return ({ line, text }) => check(text).map((rule) => ({ path, line, rule }));
}

function checkPhrases(text: string): string[] {
  return phrases.flatMap(([phrase, better]) => {
    const found = phrase.exec(withoutCode(text));
    return found === null ? [] : [`"${found[0]}": say ${better}.`];
  });
}

function checkComment(text: string): string[] {
  const start = bareStart.exec(text);
  const named = start === null ? [] : [`A comment names the thing first, not "${start[0]} …".`];
  const belongs = sentences(text).some(([first = '']) => belonging.test(first));
  if (belongs) named.push('A sentence of a comment names its thing first, not "Of …".');
  return [...named, ...checkNouns(text), ...checkSentences(text)];
}

function checkMessage(text: string): string[] {
  return messageStart.test(text)
    ? [...checkNouns(text), ...checkSentences(text)]
    : checkSentences(text);
}

function checkNouns(text: string): string[] {
  return sentences(text).flatMap((words) => {
    const found = nounless.exec(words.join(' '));
    return found === null ? [] : [`A sentence names its thing: not "${found[1]} …".`];
  });
}

function checkSentences(text: string): string[] {
  const long = sentences(text).filter((words) => words.length > englishLimits.sentenceWords);
  const found = checkPhrases(text);
  if (/[\w)…]; \w/.test(withoutCode(text))) found.push('No semicolon: end the sentence.');
  const rule = `A sentence has at most ${englishLimits.sentenceWords} words`;
  return [...found, ...long.map((words) => `${rule}: "${words.slice(0, 6).join(' ')} …".`)];
}

/** The words of each sentence; a list item, a tag or an empty line ends one too. */
export function sentences(text: string): string[][] {
  return withoutCode(text)
    .split(/(?<=[.!?])["')]*\s+|\n\s*\n|\n\s*(?=[-*@] ?)/)
    .map((sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)))
    .filter((words) => words.length > 0);
}

/** A piece of code counts as one word. A drawing has none. */
function withoutCode(text: string): string {
  return text
    .replace(/^.*[─│▼▲].*$/gm, '')
    .replace(/`[^`]*`/g, 'code')
    .replace(/\{@link [^}]*\}/g, 'code');
}

const directive = /^(biome-ignore|@ts-|istanbul|eslint|#)/;

/** Comments, with those on lines one below the other as one. */
function comments(source: Source): Text[] {
  const tree = parse(source);
  const found = new Map<number, Text>();
  const add = (range: ts.CommentRange): void => {
    const raw = source.text.slice(range.pos, range.end);
    const text = raw.replace(/^\/\*+|\*+\/$|^\/\//g, '').replace(/^[ \t]*\*? ?/gm, '');
    const line = tree.getLineAndCharacterOfPosition(range.pos).line + 1;
    if (!directive.test(text.trim())) found.set(range.pos, { line, text: text.trim() });
  };
  walk(tree, (node) => {
    for (const range of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) {
      add(range);
    }
    for (const range of ts.getTrailingCommentRanges(source.text, node.end) ?? []) add(range);
  });
  return joined([...found.values()]);
}

function joined(texts: readonly Text[]): Text[] {
  const sorted = [...texts].sort((one, other) => one.line - other.line);
  const result: (Text & { end: number })[] = [];
  for (const { line, text } of sorted) {
    const last = result.at(-1);
    if (last !== undefined && last.end + 1 === line && !text.includes('\n')) {
      last.text = `${last.text}\n${text}`;
      last.end = line;
    } else result.push({ line, text, end: line + text.split('\n').length - 1 });
  }
  return result;
}

const statement = /^(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|ALTER|PRAGMA|BEGIN|DROP)\b/;

/** The beginning of a message: a capital, or the field or the flag that it is about. */
const messageStart = /^(["“]?[A-Z…]|(--)?[a-z][\w.-]*(, (--)?[a-z][\w.-]*)*: \S)/;

/** Strings that a person reads: those that begin like a sentence, and the names of tests. */
function messages(source: Source): Text[] {
  const tree = parse(source);
  const found: Text[] = [];
  walk(tree, (node) => {
    const text = isPiece(node) ? undefined : textOf(node);
    if (text === undefined || text.split(/\s+/).length < 4) return;
    const isName = ts.isCallExpression(node.parent) && isTestName(node.parent, node);
    const isMessage = messageStart.test(text) && !statement.test(text);
    if (isName || isMessage) found.push({ line: lineOf(tree, node), text });
  });
  return found;
}

function isSum(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
}

function isPiece({ parent }: ts.Node): boolean {
  return parent !== undefined && isSum(parent);
}

function isTestName({ expression, arguments: given }: ts.CallExpression, node: ts.Node): boolean {
  return given[0] === node && /^(test|it|describe)\b/.test(expression.getText());
}

/** The text of a string, also of one in several pieces. A value in it is an ellipsis. */
function textOf(node: ts.Node): string | undefined {
  if (isSum(node)) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    const isText = left !== undefined || right !== undefined;
    return isText ? `${left ?? '…'}${right ?? '…'}` : undefined;
  }
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const rest = node.templateSpans.map(({ literal }) => `…${literal.text}`);
  return [node.head.text, ...rest].join('');
}

/** Paragraphs and list items of a page, without code, tables, headings and pictures. */
export function prose(page: string): Text[] {
  const found: Text[] = [];
  let isCodeBlock = false;
  let open: Text | undefined;
  for (const [index, raw] of page.split('\n').entries()) {
    const isFence = /^\s*(```|~~~)/.test(raw);
    if (isFence) isCodeBlock = !isCodeBlock;
    const isText = !isFence && !isCodeBlock && /\S/.test(raw) && !/^\s*(#|\||!\[|<)/.test(raw);
    const begins = /^\s*([-*]|\d+\.) /.test(raw);
    if (!isText || begins) open = undefined;
    if (!isText) continue;
    const text = raw.replace(/^\s*([-*]|\d+\.) /, '');
    if (open === undefined) {
      open = { line: index + 1, text };
      found.push(open);
    } else open.text = `${open.text} ${text}`;
  }
  return found;
}
