import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { finalState } from '../../../src/custody/objects/state';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Payment } from '../contender';
import { blockchain, tokens } from '../service/tokens';

/** The address of the token that is paid. */
export const usdc =
  tokens.find(({ isNative, symbol }) => !isNative && symbol === 'USDC')?.tokenAddress ?? '';
const pageSize = 50;
/** Dates on the wire are in whole seconds. */
const dateSlackMs = 2_000;

/** A transaction, and a moment before it was created. */
export type Sent = { id: string; sentAtMs: number };

/** Sends a payment. The same key sends it only once. */
export async function submit(custody: CustodyApi, payment: Payment): Promise<Sent> {
  const sentAtMs = Date.now();
  const { id } = await custody.createTransfer({
    idempotencyKey: payment.key,
    walletAddress: payment.walletAddress,
    blockchain,
    tokenAddress: usdc,
    destinationAddress: payment.to,
    amounts: [payment.amount],
    feeLevel: 'MEDIUM',
    refId: payment.lineId,
  });
  return { id, sentAtMs };
}

/** Asks the service if a transaction is final. */
export async function isFinal(custody: CustodyApi, id: string): Promise<boolean> {
  const { transaction } = await custody.getTransaction({ id });
  return finalState(transaction.state) !== undefined;
}

/** Resolves once a transaction is final. */
export type UntilFinal = (sent: Sent) => Promise<void>;

/** Polls each transaction with calls of its own. */
export function getting(custody: CustodyApi, lookMs: number): UntilFinal {
  return async ({ id }) => {
    while (!(await isFinal(custody, id))) await sleep(lookMs);
  };
}

/** Polls all open transactions of some wallets together, with list calls, page by page. */
export function listing(
  custody: CustodyApi,
  { walletIds, lookMs }: { walletIds: readonly string[]; lookMs: number },
): UntilFinal {
  const open = new Map<string, { sentAtMs: number; settle(): void }>();
  let looking = false;

  const look = async (): Promise<void> => {
    const oldestMs = Math.min(...[...open.values()].map(({ sentAtMs }) => sentAtMs));
    const from = new Date(oldestMs - dateSlackMs).toISOString();
    const filter = { walletIds: walletIds.join(','), from, order: 'ASC', pageSize } as const;
    let page: Transaction[] = [];
    do {
      const pageAfter = page.at(-1)?.id;
      const cursor = pageAfter === undefined ? {} : { pageAfter };
      page = (await custody.listTransactions({ ...filter, ...cursor })).transactions;
      for (const { id, state } of page) {
        if (finalState(state) === undefined) continue;
        open.get(id)?.settle();
        open.delete(id);
      }
    } while (page.length === pageSize);
  };

  const lookOn = async (): Promise<void> => {
    looking = true;
    // A failed poll changes nothing: the next one sees the same.
    for (; open.size > 0; await sleep(lookMs)) await look().catch(() => {});
    looking = false;
  };

  return ({ id, sentAtMs }) =>
    new Promise((settle) => {
      open.set(id, { sentAtMs, settle });
      if (!looking) void lookOn();
    });
}
