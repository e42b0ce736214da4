import { randomUUID } from 'node:crypto';
import type { PayoutLine } from '../../../src/client/client';
import { batchCall, itemOfBatch, markOf } from '../../../src/custody/batch';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { refId } from '../../../src/custody/reference';
import { settled, transferOf, usdc } from '../sandbox';

/** Lines of a payout, as an attempt of that generation. */
type Attempt = { workflowId: string; lines: readonly PayoutLine[]; generation?: number };

/** Pays lines in one transaction, as a payout does, by the service's own interface. */
export async function payInBatch(
  client: CustodyApi,
  wallet: Wallet,
  { workflowId, lines, generation = 0 }: Attempt,
): Promise<Transaction> {
  const payments = lines.map(({ lineId, to, amount }) => ({
    to: to.toLowerCase(),
    baseUnits: toBaseUnits(amount, 6).toString(),
    mark: markOf(workflowId, lineId, generation),
  }));
  const of = { walletId: wallet.id, tokenAddress: usdc, payments };
  const { address, accountType = 'EOA' } = wallet;
  const { id } = await client.executeContract({
    idempotencyKey: randomUUID(),
    walletId: wallet.id,
    feeLevel: 'MEDIUM',
    ...batchCall({ address, accountType }, of, { mayFail: true }),
    refId: refId({ workflowId, step: 'batch', item: itemOfBatch(of), generation: 0 }),
  });
  return settled(client, id);
}

/** Pays a line by itself, as a payout does, by the service's own interface. */
export async function payAlone(
  client: CustodyApi,
  wallet: Wallet,
  {
    workflowId,
    line: { lineId, to, amount },
    generation = 0,
  }: { workflowId: string; line: PayoutLine; generation?: number },
): Promise<Transaction> {
  const parts = { workflowId, step: 'line', item: lineId, generation };
  const fields = { refId: refId(parts), amounts: [amount] };
  const { id } = await client.createTransfer(transferOf(wallet, to, fields));
  return settled(client, id);
}
