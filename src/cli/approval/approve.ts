import type { Asking } from '../../client/asking/askings';
import { linesToSign } from '../../client/asking/linesToSign';
import { isOfLines } from '../../client/lines/linesFile';
import type { Decision } from '../../orders/input/signed';
import { readOrderOf } from '../../orders/kinds';
import { moneyDifferences } from '../../orders/money';
import { signatureDigest } from '../../writer/signing/digest';
import type { TreeLine } from '../../writer/signing/lineTree';
import { moneyIn, readApproval, validityOf } from '../../writer/signing/statement';
import { askYesNo, isSomebodyThere } from '../ask';
import type { Call } from '../call';
import { type ExitCode, InputError } from '../exit';
import { readReason } from '../flags';
import { readOrderFile } from '../order/orderFile';
import { reportNo } from '../order/reportAct';
import { readingOf } from '../payout/takePayout';
import { askingOf, statementLines } from './approvals';
import { type Copy, compareLines } from './ownLines';
import { readSigned, signWith } from './signing';
import { tellWanted } from './tellStatement';
import { awaitVerdict } from './verdict';

/** Signs what an order asks for, after it was shown. */
export async function approve(id: string, call: Call): Promise<ExitCode> {
  return decide(id, 'approval', call);
}

/** Rejects what an order asks for. */
export async function reject(id: string, call: Call): Promise<ExitCode> {
  return decide(id, 'rejection', call);
}

async function decide(id: string, purpose: Decision['purpose'], call: Call): Promise<ExitCode> {
  const { flags, voice, terminal } = call;
  const reason = purpose === 'rejection' ? readReason(flags) : '';
  const connected = await call.connect();
  const { steadfast } = connected;
  const signed = flags.signature === undefined ? undefined : readSigned(flags, purpose);
  const target = flags.target ?? (signed && readApproval(signed.statement).write.target);
  const asking = await askingOf(id, connected, { env: terminal.env, target });
  const lines = await linesToSign(steadfast, id, asking.statement);
  if (flags.file !== undefined) {
    await compareWithOwn(asking, lines, { path: String(flags.file), reading: readingOf(flags) });
    voice.note(`Your copy ${flags.file} says the same.`);
  }
  for (const line of await statementLines(asking.statement, lines, call)) voice.note(line);
  voice.note(tellWanted(asking.wanted));
  if (signed === undefined && flags.key === undefined) {
    throw new InputError('--key: is missing. Give your SSH key, or --signature.');
  }
  const isAgreed = flags.yes === true || !isSomebodyThere(terminal);
  const question = purpose === 'approval' ? 'Approve this?' : 'Reject this?';
  if (signed === undefined && !isAgreed && !(await askYesNo(question, terminal))) {
    return reportNo(id, call, 'Nothing was signed.');
  }
  const given = signed ?? (await signWith(String(flags.key), asking.wanted.statement, purpose));
  if (purpose === 'approval') await steadfast.approve(id, given);
  else await steadfast.reject(id, { ...given, reason });
  const verdict = await awaitVerdict(steadfast, id, {
    purpose,
    target: asking.wanted.target,
    digest: signatureDigest(given.signature),
  });
  voice.document({ id, message: verdict.words });
  voice.say(`${verdict.words} See how it stands with: npx --no-install steadfast status ${id}`);
  return verdict.code;
}

/** The approver's own copy of the order must say the same as what is signed. */
async function compareWithOwn(
  { statement }: Asking,
  lines: readonly TreeLine[],
  copy: Copy,
): Promise<void> {
  const { path } = copy;
  if (statement.lines !== undefined) await compareLines(copy, lines, statement.lines);
  // A file of lines says nothing of the rest.
  if (isOfLines(path)) return;
  const order = readOrderOf(statement.kind, readOrderFile(path));
  const { payoutId, ...common } = moneyIn(statement.kind, order);
  // Each period of a schedule has a payoutId of its own.
  const own = 'payoutId' in statement.money ? { ...common, payoutId } : common;
  const { validUntil, money } = statement;
  const faults = moneyDifferences({ ...own, ...validityOf(order) }, { ...money, validUntil });
  if (faults.length === 0) return;
  throw new InputError(`--file: ${path} is not what is to be signed: ${faults.join('; ')}.`);
}
