import ts from 'typescript';
import { type Finding, isCode, lineOf, parse, type Source, walk } from './source';

/** Names that say nothing, and what to write instead. */
const emptyNames: Record<string, string> = {
  util: 'the verb it does',
  utils: 'the verb it does',
  helper: 'the verb it does',
  helpers: 'the verb it does',
  common: 'what the parts have in common',
  manager: 'the noun it holds',
  managers: 'the noun it holds',
  misc: 'one file for each thing',
};

/** Casts that stand for a reason that a comment beside them gives: how many a file may have. */
const castsMax: Record<string, number> = {
  'src/client/bareClient.ts': 1,
  'src/custody/client.ts': 1,
  'src/custody/endpoints/index.ts': 1,
  'sandbox/handlers/contracts/abiCall.ts': 1,
  'sandbox/store/records/records.ts': 1,
  'sandbox/http/carryOut.ts': 1,
  'sandbox/store/statements.ts': 1,
  'workflows/order/runOrder.ts': 3,
  'workflows/write/once.ts': 1,
  'workflows/write/write.ts': 1,
};

const mayReadEnvironment = new RegExp(
  /^(src\/(config|worker\/workerConfig|(client\/(answers|privacy)|telemetry|writer\/signing|notices)\/config|local\/bareEnvironment)|sandbox\/(config\/config|service\/run))\.ts$/
    .source + /|^(scripts|test|bench)\/|^proof\/kill\/shiftClock\.js$/.source,
);
const mayPrint = /^(scripts|proof|bench)\//;

/** What a workflow would do at another time in every replay, and what to use instead. */
const notInWorkflows: Record<string, string> = {
  'Math.random': 'the order itself, so that a run after a reset decides alike',
  uuid4: 'a key made of the workflow id and the step',
  setTimeout: 'sleep or condition',
  setInterval: 'sleep or condition',
};

/** Words and constructs that have a better replacement. */
export function checkWords(source: Source): Finding[] {
  const tree = parse(source);
  const findings: Finding[] = emptyPathNames(source);
  const add = (node: ts.Node, rule: string): void => {
    findings.push({ path: source.path, line: lineOf(tree, node), rule });
  };
  // Tests pass on purpose what the types forbid.
  let casts = source.path.startsWith('test/') ? Infinity : (castsMax[source.path] ?? 0);
  walk(tree, (node) => {
    const { path } = source;
    const rule =
      constructRule(node) ?? placeRule(node, path) ?? secretRule(node, path) ?? nameRule(node);
    if (rule !== undefined) add(node, rule);
    if (isCast(node)) casts -= 1;
    if (isCast(node) && casts < 0) add(node, 'No cast: parse the value, or narrow its type.');
  });
  return findings;
}

function emptyPathNames({ path }: Source): Finding[] {
  return path
    .split(/[/.]/)
    .filter((part) => Object.hasOwn(emptyNames, part))
    .map((part) => ({ path, line: 1, rule: emptyNameRule(part) }));
}

function constructRule(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'No any: say unknown and narrow it.';
  if (ts.isEnumDeclaration(node)) return 'No enum: a union of strings is the same without code.';
  if (ts.isExportAssignment(node) && !node.isExportEquals) return defaultRule;
  if (node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent)) {
    return defaultRule;
  }
  if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) {
    return 'No spread of a literal: name its properties in the object itself.';
  }
  return undefined;
}

const defaultRule = 'No default export: an import should have the name of what it imports.';

function placeRule(node: ts.Node, path: string): string | undefined {
  const text = ts.isPropertyAccessExpression(node) || ts.isIdentifier(node) ? node.getText() : '';
  if (text === 'process.env' && !mayReadEnvironment.test(path)) {
    return 'The environment is read in src/config.ts alone: take what you need as an option.';
  }
  if (/^console\.\w+$/.test(text) && !mayPrint.test(path)) {
    return 'No console: programs write to process.stdout, everything else to the log.';
  }
  if (path.startsWith('workflows/') && Object.hasOwn(notInWorkflows, text)) {
    return `No ${text} in a workflow: use ${notInWorkflows[text]}.`;
  }
  return undefined;
}

/** Names of what only a comparison that always takes as long may look at. */
const secretName = /(apiKey|secret|password|bearer|authorization|cookie|hmac)$/i;
const comparisons = [
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
];

/** A secret may be held against nothing but its absence. */
function secretRule(node: ts.Node, path: string): string | undefined {
  if (!/^(src|sandbox)\//.test(path) || !ts.isBinaryExpression(node)) return undefined;
  if (!comparisons.includes(node.operatorToken.kind)) return undefined;
  const sides = [node.left, node.right].map((side) => side.getText());
  if (sides.some((side) => /^(undefined|null|'.*')$/.test(side))) return undefined;
  if (!sides.some((side) => secretName.test(side))) return undefined;
  return 'No === for a secret: timingSafeEqual does not tell how much of it was right.';
}

/** Only what others see: a top-level declaration. */
function nameRule(node: ts.Node): string | undefined {
  const isDeclared =
    ts.isFunctionDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node);
  const words = isDeclared ? (node.name?.text ?? '').split(/(?=[A-Z])/) : [];
  const empty = words
    .map((word) => word.toLowerCase())
    .find((word) => Object.hasOwn(emptyNames, word));
  return empty === undefined ? undefined : emptyNameRule(empty);
}

function emptyNameRule(name: string): string {
  return `"${name}" says nothing: name ${emptyNames[name]}.`;
}

function isCast(node: ts.Node): boolean {
  if (ts.isTypeAssertionExpression(node)) return true;
  return ts.isAsExpression(node) && node.type.getText() !== 'const';
}

// Each is put together from two parts, so that this file does not contain it.
const foreignWords: readonly [word: string, reason: string][] = [
  ['/wor' + 'k/', 'is a path of one machine'],
  ['/roo' + 't/', 'is a path of one machine'],
  ['registry.' + 'npmjs', 'is a package registry: whoever installs chooses that'],
  ['proxy.' + 'golang', 'is a package registry: whoever installs chooses that'],
  ['"reso' + 'lved": "http', 'ties the lock file to one registry'],
  ['TO' + 'DO', 'is work not done: do it, or leave it out'],
  ['FIX' + 'ME', 'is work not done: do it, or leave it out'],
  ['npx ' + 'steadfast', 'may run a package of somebody else: write npx --no-install steadfast'],
];

/** Words that do not belong into any file of the project, whatever its kind. */
export function checkForeignWords({ path, text }: Source): Finding[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      foreignWords
        .filter(([word]) => line.includes(word))
        .map(([word, reason]) => ({ path, line: index + 1, rule: `"${word}" ${reason}.` })),
    );
}

/** All the rules about words, for a file of any kind. */
export function checkAllWords(source: Source): Finding[] {
  const everywhere = checkForeignWords(source);
  return isCode(source) ? [...everywhere, ...checkWords(source)] : everywhere;
}
