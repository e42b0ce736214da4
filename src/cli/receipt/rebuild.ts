import { readCustodyConfig } from '../../config';
import { createCustodyClient } from '../../custody/client';
import type { CustodyApi } from '../../custody/endpoints';
import { readReference } from '../../custody/idempotencyKey';
import { finalState } from '../../custody/objects/state';
import type { Transaction } from '../../custody/objects/transaction';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { withArchive } from './openStore';
import { rebuilder } from './rebuilder';

const pageSize = 50;
const toldMax = 20;
const tellEvery = 500;

/**
 * Brings in the receipts that the archive lacks, from the service's list and the chain. It sends
 * nothing. Temporal names the orders and the lines of batches, as far as it remembers them.
 */
export async function rebuild(call: Call): Promise<ExitCode> {
  const { terminal, voice, flags } = call;
  const config = readCustodyConfig(terminal.env, { signs: false });
  const sinceMs = sinceOf(flags.from);
  const custody = createCustodyClient(config);
  const connected = await call.connect();
  const receiptsOf = await rebuilder({ ...config, custody, ...connected });
  let [records, added] = [0, 0];
  const unnamed: string[] = [];
  await withArchive(call, async (archive) => {
    for await (const record of recordsOf(custody, sinceMs)) {
      records += 1;
      const found = await receiptsOf(record);
      if (typeof found === 'string') unnamed.push(`${record.id}: ${found}`);
      else added += await archive.append(found);
      if (records % tellEvery === 0)
        voice.note(`${records} records read, ${added} receipts added.`);
    }
  });
  const more = unnamed.length > toldMax ? [`  and ${unnamed.length - toldMax} more`] : [];
  voice.answer({ records, added, unnamed }, [
    `${records} records of the service were read, and ${added} receipts added.`,
    ...unnamed.slice(0, toldMax).map((one) => `  not added: ${one}`),
    ...more,
  ]);
  return unnamed.length === 0 ? exitCodes.done : exitCodes.needsOperator;
}

function sinceOf(from: unknown): number {
  const sinceMs = from === undefined ? 0 : Date.parse(String(from));
  if (Number.isFinite(sinceMs)) return sinceMs;
  throw new InputError('--from: must be a day or an ISO 8601 time, such as 2026-01-31.');
}

/** The final records of the account that are ours, from the newest back to a time. */
async function* recordsOf(custody: CustodyApi, sinceMs: number): AsyncGenerator<Transaction> {
  for (let after = {}; ; ) {
    const wanted = { pageSize, ...after, includeAll: true, txType: 'OUTBOUND' };
    const { transactions } = await custody.listTransactions(wanted);
    for (const record of transactions) {
      if (Date.parse(record.createDate) < sinceMs) return;
      const isOurs = readReference(record.refId) !== undefined;
      if (isOurs && finalState(record.state) !== undefined) yield record;
    }
    const last = transactions.at(-1);
    if (last === undefined) return;
    after = { pageAfter: last.id };
  }
}
