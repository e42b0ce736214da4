import { type Asking, askingsIn } from '../../client/asking/askings';
import { linesToSign } from '../../client/asking/linesToSign';
import { readTemporalConfig } from '../../config';
import { workflowIdOf } from '../../orders/input/orderId';
import { isKind, readOrderOf } from '../../orders/kinds';
import { readAddressFile } from '../../writer/file/addressFile';
import { readSigningPlace } from '../../writer/signing/config';
import type { TreeLine } from '../../writer/signing/lineTree';
import { signedLinesOf } from '../../writer/signing/signedLines';
import { type ApprovalStatement, requestFor, textOf } from '../../writer/signing/statement';
import type { Call } from '../call';
import { bookIn } from '../check/checkOrder';
import { namesIn } from '../check/names';
import type { Connected } from '../connect';
import { type ExitCode, exitCodes, InputError, sentenceOf } from '../exit';
import { type Flags, numberOf } from '../flags';
import { readOrderFile } from '../order/orderFile';
import { readingOf } from '../payout/takePayout';
import { inColumns } from '../show/columns';
import { visible } from '../show/visible';
import { checkAsked } from './checkAsked';
import { readLinesToSign } from './ownLines';
import { type Names, tellStatement, tellWanted } from './tellStatement';

/** Lists the orders that wait for people. */
export async function listApprovals({ voice, connect, terminal }: Call): Promise<ExitCode> {
  const { steadfast, config } = await connect();
  const place = placeOf(config, terminal);
  // An order of another scope has no name here.
  const { keyScope: scope } = config;
  const orders = await steadfast.list({ status: 'NeedsApproval', isRunning: true, scope });
  const found = await Promise.all(
    orders.map(async ({ workflowId, kind }) => {
      try {
        const { all, unread } = askingsIn(await steadfast.status(workflowId), place);
        return { workflowId, kind, all, ...(unread === undefined ? {} : { unread }) };
      } catch (error) {
        // An order that cannot be read holds up no other one. Anybody in Temporal can make one.
        return { workflowId, kind, all: [], unread: sentenceOf(error) };
      }
    }),
  );
  const rows = found.flatMap(({ workflowId, kind, all, unread }) => {
    if (unread !== undefined) return [[workflowId, '', kind, unread].map(visible)];
    return all.map(({ wanted, statement }) => {
      const { target, rule, given, need } = wanted;
      const so = `${given.length} of ${need}`;
      return [workflowId, target, kind, rule, so, amountsOf(statement)].map(visible);
    });
  });
  const lines = rows.length === 0 ? ['No order waits for an approval.'] : inColumns(rows);
  voice.answer(
    found.map(({ all, ...order }) => ({ ...order, approvals: all.map(({ wanted }) => wanted) })),
    lines.map((row) => [row].flat().join('  ').trimEnd()),
  );
  return exitCodes.done;
}

function amountsOf({ write }: ApprovalStatement): string {
  return write.effects
    .map(({ amount, money }) => `${amount ?? ''} ${money ?? ''}`.trim())
    .join(', ');
}

/** Shows what an order asks for, or prints the text that is signed. */
export async function showApproval(id: string, call: Call): Promise<ExitCode> {
  const connected = await call.connect();
  const { env } = call.terminal;
  const { wanted, statement } = await askingOf(id, connected, { env, target: call.flags.target });
  if (call.flags.statement === true) call.terminal.stdout.write(wanted.statement);
  else {
    const lines = await linesToSign(connected.steadfast, id, statement);
    for (const line of await statementLines(statement, lines, call)) call.voice.say(line);
    call.voice.say(tellWanted(wanted));
  }
  return exitCodes.done;
}

/**
 * Reads what an order asks for, or what it asks about a target. Throws an InputError when it asks
 * for nothing, about several lines of which none is named, or about another order.
 */
export async function askingOf(
  id: string,
  { steadfast, config }: Pick<Connected, 'steadfast' | 'config'>,
  { env, target }: { env: NodeJS.ProcessEnv; target: Flags[string] },
): Promise<Asking> {
  const status = await steadfast.status(id);
  const { all, stands, unread } = askingsIn(status, placeOf(config, { env }));
  if (unread !== undefined) throw new InputError(`id: ${id}: ${unread}`);
  const found = target === undefined ? all : all.filter(({ wanted }) => wanted.target === target);
  const [one, ...others] = found;
  if (one !== undefined && others.length === 0) return one;
  const targets = all.map(({ wanted }) => visible(wanted.target)).join(', ');
  if (all.length > 0) {
    const which =
      target === undefined ? 'is missing' : `${visible(String(target))} is none of them`;
    throw new InputError(`--target: ${which}. ${id} asks about ${targets}.`);
  }
  throw new InputError(`id: ${id} asks for no approval: it ${stands}.`);
}

/** The place that a statement is for, as far as the environment says it. */
function placeOf(
  { namespace }: Pick<Connected['config'], 'namespace'>,
  { env }: Pick<Call['terminal'], 'env'>,
) {
  const { CUSTODY_BLOCKCHAIN: blockchain, STEADFAST_ENTITY_ID: entity } = env;
  return { namespace, blockchain, entity };
}

/** A statement in words, with the reader's own names and what the reader's own checks find. */
export async function statementLines(
  statement: ApprovalStatement,
  lines: readonly TreeLine[],
  call: Call,
): Promise<string[]> {
  const book = bookIn(call.terminal.env);
  const given = namesGiven(call.flags);
  const known = namesIn(call, book);
  const names: Names = {
    nameOf: (address) => given.get(address.toLowerCase()) ?? known(address),
    hasList: given.size + book.size > 0,
  };
  const findings = await checkAsked(statement, lines, { call, book });
  return tellStatement(statement, { lines, names, findings });
}

/** The names in --names. */
function namesGiven({ names }: Flags): ReadonlyMap<string, string> {
  if (names === undefined) return new Map();
  const { addresses, faults } = readAddressFile(String(names));
  const [fault] = faults;
  if (fault === undefined) return addresses;
  throw new InputError(`--names: ${fault}.`);
}

/** Prints the statement of an order that its owner signs, as text without a line feed. */
export async function request(
  kind: string,
  id: string,
  { flags, terminal }: Call,
): Promise<ExitCode> {
  const { env } = terminal;
  if (!isKind(kind)) throw new InputError(`kind: ${kind} is no kind of order.`);
  const hours = Number(numberOf(flags.hours));
  if (!(hours > 0 && hours <= 8_760)) throw new InputError('--hours: give 1 to 8760.');
  const place = readSigningPlace(env);
  const { namespace, keyScope } = readTemporalConfig(env);
  const path = String(flags.file);
  const copy = { path: String(flags.lines ?? path), reading: readingOf(flags) };
  const order = readOrderOf(kind, readOrderFile(path));
  const lines = 'payoutId' in order ? signedLinesOf(await readLinesToSign(copy), order) : undefined;
  const statement = requestFor({
    ...place,
    namespace,
    workflowId: workflowIdOf(id, keyScope),
    kind,
    order,
    lines,
    expires: new Date(Date.now() + hours * 3_600_000),
  });
  terminal.stdout.write(textOf(statement));
  return exitCodes.done;
}
