import type { ReceiptAnswer } from '../../../activities/chain/receipt';
import type { IndexedRecord } from '../../../src/accountIndex/records';
import { finalState } from '../../../src/custody/objects/state';
import { counted } from '../../../src/orders/payout/tally';
import { longReads, reads } from '../../order/custody';
import { mismatches, sameMoney } from '../../write/compare';
import { disagreement } from '../../write/confirm';
import { noteLine } from '../../write/meter';
import { moveTo, note } from './move';
import { type Line, type Shard, stepOf } from './shard';
import { trying } from './trying';

/** A final record of a line. */
export type Final = { line: Line; record: IndexedRecord };

/**
 * Holds final records against what was ordered, and against the chain where that is read; a line
 * ends only where all agree. Returns how many have come to an end.
 */
export async function judge(shard: Shard, finals: readonly Final[]): Promise<number> {
  const fitting: Final[] = [];
  for (const final of finals) {
    const faults = await faultsOf(shard, final);
    if (faults === undefined) continue;
    if (faults.length === 0) fitting.push(final);
    else setAside(final.line, `${final.record.id} is not what was ordered: ${faults.join('; ')}.`);
  }
  const receipts = await receiptsOf(shard, fitting);
  const isEnd = (final: Final): boolean => {
    const receipt = receipts?.get(final.record.id);
    const isChecked = shard.order.terms.checksReceipts && Boolean(final.record.txHash);
    if (isChecked && receipt === undefined) return false;
    return end(shard, final, receipt);
  };
  return fitting.filter(isEnd).length + (finals.length - fitting.length);
}

/** How a record differs from its line; undefined while that cannot be told. */
async function faultsOf(shard: Shard, { line, record }: Final): Promise<string[] | undefined> {
  const { expected } = stepOf(shard, line);
  const faults = mismatches(record, expected);
  const { tokenId } = record;
  if (tokenId === undefined || line.token.ids.includes(tokenId)) return faults;
  const { tokenIds } = shard.carried;
  if (tokenIds[tokenId] === undefined) {
    const token = await trying(shard, () => reads('which token is it').readToken({ id: tokenId }));
    if (token === undefined) return undefined;
    tokenIds[tokenId] = token.isNative ? '' : (token.tokenAddress ?? '');
  }
  const address = tokenIds[tokenId];
  if (sameMoney(address, line.token.address, shard.order.terms.nativeTwins)) return faults;
  return [...faults, `token is ${address || 'native'}, ordered was ${line.token.name}`];
}

/** What the chain says of each, in one activity. */
async function receiptsOf(
  shard: Shard,
  finals: readonly Final[],
): Promise<Map<string, ReceiptAnswer> | undefined> {
  if (!shard.order.terms.checksReceipts) return undefined;
  const hashed = finals.filter(({ record }) => record.txHash);
  if (hashed.length === 0) return undefined;
  const questions = hashed.map(({ line, record }) => ({
    txHash: record.txHash ?? '',
    ...(record.userOpHash ? { userOpHash: record.userOpHash } : {}),
    sender: line.wallet.address,
    effect: stepOf(shard, line).effect,
  }));
  const answers = await trying(shard, () =>
    longReads(`${counted(questions.length, 'receipt')} on the chain`).checkReceipts(questions),
  );
  if (answers === undefined) return undefined;
  const pairs = hashed.flatMap(({ record }, at): [string, ReceiptAnswer][] => {
    const answer = answers[at];
    return answer === undefined ? [] : [[record.id, answer]];
  });
  return new Map(pairs);
}

/** What a line has come to; false while service and chain do not agree, and that may pass. */
function end(shard: Shard, { line, record }: Final, receipt: ReceiptAnswer | undefined): boolean {
  const { state } = line;
  if (receipt !== undefined) {
    state.sinceMs ??= Date.now();
    const isPatient = Date.now() - state.sinceMs < shard.order.terms.lookupGraceMs;
    const fault = disagreement(record, receipt, isPatient);
    if (fault !== undefined) {
      const words = `The service calls it ${record.state}, but ${fault} (${record.txHash}).`;
      if (receipt.found !== 'absent' || !isPatient) setAside(line, words);
      else state.reason = words;
      return false;
    }
  }
  const known = {
    transactionId: record.id,
    ...(record.txHash ? { txHash: record.txHash } : {}),
  };
  const { bornAtMs } = state;
  const { expected } = stepOf(shard, line);
  noteLine({ state: record.state, expected, ...(bornAtMs === undefined ? {} : { bornAtMs }) });
  if (finalState(record.state) === 'COMPLETE') {
    moveTo(line, 'paid', known);
    delete state.evidence;
  } else {
    const why = [record.errorReason, record.errorDetails].filter(Boolean).join(': ');
    const reason = `Its transaction ended as ${record.state}${why === '' ? '' : `: ${why}`}.`;
    moveTo(line, 'failed', { ...known, reason });
  }
  return true;
}

/** Nobody can tell what it came to: a person is asked, and it is looked at now and then. */
function setAside(line: Line, why: string): void {
  note(line, why);
  moveTo(line, 'unknown', { reason: why, sinceMs: Date.now(), times: 0 });
}
