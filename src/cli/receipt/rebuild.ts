import type { Archive } from '../../books/archive/archive';
import { openArchive } from '../../books/archive/openArchive';
import { readMoment } from '../../books/chain/period';
import { accountWallets } from '../../books/records/accountWallets';
import { ownReceipts } from '../../books/records/ownReceipts';
import { pacing } from '../../books/records/pace';
import { readCustodyConfig } from '../../config';
import { createCustodyClient } from '../../custody/client';
import type { CustodyApi } from '../../custody/endpoints';
import { pagesOf, passing } from '../../custody/list';
import { finalState } from '../../custody/objects/state';
import { type Transaction, unreadableState } from '../../custody/objects/transaction';
import { readOutbound } from '../../custody/outbound';
import { readReference } from '../../custody/reference';
import { counted } from '../../orders/progress/doing';
import { readLedgers } from '../../worker/workerConfig';
import type { Call } from '../call';
import { type ExitCode, exitCodes } from '../exit';
import { withArchive } from './openStore';
import { rebuilder } from './rebuilder';

const toldMax = 20;
const tellEvery = 500;
const unreadable = { receipts: [], faults: ['its record cannot be read'] };

/**
 * Brings in the receipts that the archive lacks, from the service's list and the chain. It sends
 * nothing. Temporal names the orders and the lines of batches, as far as it remembers them.
 */
export async function rebuild(call: Call): Promise<ExitCode> {
  const { terminal, voice, flags } = call;
  const config = readCustodyConfig(terminal.env, { signs: false });
  const { blockchain } = config;
  const sinceMs = flags.from === undefined ? 0 : readMoment('--from', String(flags.from));
  const ledgers = readLedgers(terminal.env);
  const custody = createCustodyClient(config);
  const connected = await call.connect();
  const receiptsOf = await rebuilder({ ...config, custody, ledgers, ...connected });
  let [records, added] = [0, 0];
  const unnamed: string[] = [];
  const fill = async (archive: Archive): Promise<void> => {
    await refuseOfAnother(archive, { custody, blockchain, fromMs: sinceMs });
    for await (const record of recordsOf(custody, { blockchain, sinceMs })) {
      records += 1;
      const isOdd = record.state === unreadableState;
      const { receipts, faults } = isOdd ? unreadable : await receiptsOf(record);
      unnamed.push(...faults.map((fault) => `${record.id}: ${fault}`));
      added += await archive.append(receipts);
      if (records % tellEvery === 0)
        voice.note(`${counted(records, 'record')} read, ${counted(added, 'receipt')} added.`);
    }
  };
  await withArchive(call, fill, openArchive);
  const more = unnamed.length > toldMax ? [`  and ${unnamed.length - toldMax} more`] : [];
  voice.answer({ records, added, unnamed }, [
    `Read from the service: ${counted(records, 'record')}. Added: ${counted(added, 'receipt')}.`,
    ...unnamed.slice(0, toldMax).map((one) => `  not added: ${one}`),
    ...more,
  ]);
  return unnamed.length === 0 ? exitCodes.done : exitCodes.needsOperator;
}

type Account = { custody: CustodyApi; blockchain: string; fromMs: number };

/** Throws an OtherAccountError if the archive has receipts of wallets that the account lacks. */
async function refuseOfAnother(
  archive: Archive,
  { custody, blockchain, fromMs }: Account,
): Promise<void> {
  const pace = pacing();
  const wallets = await accountWallets(custody, { blockchain, walletIds: undefined, pace });
  const account = { custody, blockchain, wallets, isWhole: true, pace };
  for await (const _ of ownReceipts(archive.receipts({ fromMs }), account));
}

/**
 * The final records of the account that are ours, from the newest back to a time. A record that
 * cannot be read may be final and ours.
 */
async function* recordsOf(
  custody: CustodyApi,
  { blockchain, sinceMs }: { blockchain: string; sinceMs: number },
): AsyncGenerator<Transaction> {
  const isPast = passing(sinceMs);
  for await (const records of pagesOf(readOutbound(custody))) {
    for (const record of records) {
      const isOurs = readReference(record.refId) && record.blockchain === blockchain;
      const isOfPeriod = !(Date.parse(record.createDate) < sinceMs);
      const isFinal = finalState(record.state) !== undefined;
      if (isOfPeriod && (mayBeOurs(record, blockchain) || (isOurs && isFinal))) yield record;
    }
    if (isPast(records)) return;
  }
}

/** True for a record that cannot be read, and that shows no other chain and no other reference. */
function mayBeOurs({ state, refId, blockchain }: Transaction, own: string): boolean {
  const isOfOthers = refId !== undefined && readReference(refId) === undefined;
  return state === unreadableState && !isOfOthers && ['', own].includes(blockchain);
}
