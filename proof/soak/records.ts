import type { CustodyApi } from '../../src/custody/endpoints';
import { toBaseUnits } from '../../src/custody/objects/amount';
import type { Transaction } from '../../src/custody/objects/transaction';
import { decimalsOf, type SoakWallet } from './order';

const pageSize = 50;
const microDecimals = 6;
const microsOfMinted = 10n ** BigInt(decimalsOf.minted - microDecimals);

/** Every record of what these wallets have sent, as the service lists them. */
export async function readRecords(
  custody: CustodyApi,
  wallets: readonly SoakWallet[],
): Promise<Transaction[]> {
  const records: Transaction[] = [];
  for (const { id } of wallets) {
    for (let after: string | undefined; ; ) {
      const { transactions } = await custody.listTransactions({
        walletIds: id,
        txType: 'OUTBOUND',
        includeAll: true,
        pageSize,
        ...(after === undefined ? {} : { pageAfter: after }),
      });
      records.push(...transactions);
      after = transactions.at(-1)?.id;
      if (after === undefined) break;
    }
  }
  return records;
}

/**
 * The millionths that a record moves, which belong to one order alone. Undefined for a deployment.
 */
export function numberOf(record: Transaction): bigint | undefined {
  if (record.operation === 'TRANSFER') return toBaseUnits(record.amounts?.[0] ?? '', microDecimals);
  const minted = record.operation === 'CONTRACT_EXECUTION' ? record.abiParameters?.[1] : undefined;
  return typeof minted === 'string' ? BigInt(minted) / microsOfMinted : undefined;
}
