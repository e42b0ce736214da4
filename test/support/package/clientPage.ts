import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parse, read, root } from '../../tidy/source';

/** The page of the client, which is made from the docstrings of its sources. */
export const page = join(root, 'docs', 'reference', 'client.md');

/** A part of the page: a heading, and what it shows of which file. */
type Chapter = readonly [
  heading: string,
  ...shown: (readonly [path: string, ...names: string[]])[],
];

const chapters: readonly Chapter[] = [
  ['Connect', ['src/client/client.ts', 'connectSteadfast', 'createSteadfast']],
  ['Orders', ['src/client/steadfast.ts', 'Steadfast']],
  ['Payouts', ['src/client/payouts.ts', 'Payouts']],
  ['Schedules', ['src/client/schedules/schedules.ts', 'Schedules']],
  [
    'Amounts in a currency',
    ['src/orders/exchange/exchanged.ts', 'exchanged', 'CurrencyAmount', 'Exchanged'],
    ['src/orders/exchange/exchange.ts', 'DayRate'],
  ],
  [
    'What calls are given',
    ['src/client/options.ts', 'SteadfastOptions', 'RequestSigning'],
    ['src/client/waiting/waiting.ts', 'Waiting'],
    ['src/writer/signing/sign.ts', 'Signer', 'sshSigner'],
    ['src/client/payout/parts.ts', 'Lines'],
    ['src/client/find/orderList.ts', 'OrderFilter'],
    ['src/client/rates.ts', 'RateChange'],
    ['src/orders/progress/resolve.ts', 'Finding'],
    ['src/telemetry/traceStarts.ts', 'traceStarts'],
  ],
  [
    'What calls return',
    ['src/client/started.ts', 'Started'],
    ['src/client/temporal/startOnce.ts', 'StartedOrder', 'StartedPeriod'],
    ['src/client/orderStatus.ts', 'OrderStatus'],
    ['src/orders/progress/status.ts', 'Progress', 'PayoutProgress', 'Moment'],
    ['src/orders/progress/plan.ts', 'Plan'],
    ['src/client/find/orderList.ts', 'ListedOrder'],
    ['src/client/payouts.ts', 'HandedOver'],
    ['src/client/cancelOrder.ts', 'Cancelled'],
    ['src/client/rates.ts', 'Rates'],
    ['src/client/schedules/schedules.ts', 'ListedSchedule'],
    ['src/client/schedules/parts.ts', 'ComingPeriod'],
  ],
  [
    'Errors',
    ['src/orders/input/read.ts', 'BadOrderError'],
    ['src/client/started.ts', 'OrderError'],
    ['src/client/waiting/waiting.ts', 'StillRunningError'],
    ['src/client/temporal/inSentences.ts', 'TemporalError'],
    ['src/client/temporal/unreachableError.ts', 'UnreachableError'],
    ['src/variables.ts', 'ConfigError'],
  ],
];

const lead = `# The client

All that \`@steadfast/client\` exports, and what that is made of. It comes from the docstrings
(\`npx tsx test/support/package/clientPage.ts\`). A test fails when it is not current.
[Pay a list from your backend](../how-to/pay-a-list-from-your-backend.md) installs it.

\`OrderKind\` is the name of a workflow. \`Order\`, \`ReadOrder\` and \`Receipt\` are its JSON.
[Workflows](workflows.md) lists them, and \`docs/schemas\` has their schemas. \`PayoutLine\` and
\`LineResult\` are the lines of a payout.
`;

type Declaration = ts.TypeAliasDeclaration | ts.FunctionDeclaration | ts.ClassDeclaration;
type Documented = Declaration | ts.VariableStatement | ts.TypeElement;

/** The text of the page. */
export function clientPage(): string {
  return `${[lead, ...chapters.map(chapter)].join('\n')}`;
}

/** Methods and exports that the page shows without a docstring. */
export function undocumented(): string[] {
  return chapters.flatMap(([, ...shown]) =>
    shown.flatMap(([path, ...names]) =>
      names.flatMap((name) => {
        const declared = declarationOf(path, name);
        const methods = methodsOf(declared);
        const all: [string, Documented][] = [[name, declared], ...methods.map(named)];
        return all.filter(([, one]) => docOf(one) === '').map(([lacking]) => `${path}: ${lacking}`);
      }),
    ),
  );
}

function named(method: ts.MethodSignature): [string, Documented] {
  return [method.name.getText(), method];
}

function chapter([heading, ...shown]: Chapter): string {
  const texts = shown.flatMap(([path, ...names]) =>
    names.map((name) => entry(name, declarationOf(path, name))),
  );
  return `## ${heading}\n\n${texts.join('\n')}`;
}

function declarationOf(path: string, name: string): Declaration | ts.VariableStatement {
  const found = parse(read(path)).statements.find((one) => nameOf(one) === name);
  if (found !== undefined && isShown(found)) return found;
  throw new Error(`${path} declares no ${name}.`);
}

function isShown(node: ts.Statement): node is Declaration | ts.VariableStatement {
  return (
    ts.isTypeAliasDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isVariableStatement(node)
  );
}

function nameOf(node: ts.Statement): string | undefined {
  if (!isShown(node)) return undefined;
  const named = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node;
  return named?.name?.getText();
}

/** A type with methods has a heading for each. Any other one is shown as its source has it. */
function entry(name: string, declared: Declaration | ts.VariableStatement): string {
  const methods = methodsOf(declared);
  if (methods.length > 1) return [...leadOf(declared), ...methods.map(methodEntry)].join('\n');
  return [`### ${name}`, '', ...codeOf(declared), ...leadOf(declared)].join('\n');
}

function leadOf(declared: Documented): string[] {
  const doc = docOf(declared);
  return doc === '' ? [] : [doc, ''];
}

function methodEntry(method: ts.MethodSignature): string {
  const signature = block(dedented(method.getText().replace(/;$/, '')));
  return [`### ${method.name.getText()}`, '', ...signature, docOf(method), ''].join('\n');
}

function methodsOf(declared: Declaration | ts.VariableStatement): ts.MethodSignature[] {
  if (!ts.isTypeAliasDeclaration(declared)) return [];
  const { type } = declared;
  const parts = ts.isIntersectionTypeNode(type) ? type.types : [type];
  return parts
    .flatMap((part) => (ts.isTypeLiteralNode(part) ? [...part.members] : []))
    .filter(ts.isMethodSignature);
}

/** The source of a type with its comments, or the head of a function. A class has its name alone. */
function codeOf(declared: Declaration | ts.VariableStatement): string[] {
  if (ts.isTypeAliasDeclaration(declared)) return block(declared.getText());
  if (!ts.isFunctionDeclaration(declared)) return [];
  const { body } = declared;
  const text = declared.getText();
  return block(text.slice(0, body ? body.getStart() - declared.getStart() : undefined).trim());
}

function block(text: string): string[] {
  return ['```ts', text.replace(/^export /, ''), '```', ''];
}

/** A method is indented by its type. */
function dedented(text: string): string {
  return text.replace(/^ {2}/gm, '');
}

function docOf(node: Documented): string {
  const text = ts
    .getJSDocCommentsAndTags(node)
    .map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? '')
    .join('\n');
  return text.trim();
}

if (require.main === module) writeFileSync(page, clientPage());
