import { randomUUID } from 'node:crypto';
import type { LineResult, Order, PayoutLine } from '../../src/client/client';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import type { Wallet } from '../../src/custody/objects/wallet';
import type { Orders } from './orders';
import { createFundedWallet, type TestSandbox, tokenTransfers } from './sandbox';
import { someone } from './stages';

let amounts = 0;

/** A line with an amount that no other line has, so that a double payment shows. */
export function newLine(change: Partial<PayoutLine> = {}): PayoutLine {
  amounts += 1;
  const amount = fromBaseUnits(BigInt(10_000 + amounts), 6);
  return { lineId: `line-${amounts}`, to: someone(), amount, token: 'USDC', ...change };
}

/** Lines with these amounts. */
export function usdcLines(...amounts: string[]): PayoutLine[] {
  return amounts.map((amount) => newLine({ amount, token: 'USDC' }));
}

export function newLines(count: number): PayoutLine[] {
  return Array.from({ length: count }, () => newLine());
}

/** Funded wallets. */
export async function payers(
  { client }: Pick<TestSandbox, 'client'>,
  ...types: ('EOA' | 'SCA')[]
): Promise<Wallet[]> {
  return Promise.all(types.map((type) => createFundedWallet(client, type)));
}

/** The order of a payout from these wallets. */
export function payoutOf(
  wallets: readonly { id: string }[],
  change: Partial<Order<'payout'>> = {},
): Order<'payout'> {
  return { payoutId: randomUUID(), wallets: wallets.map(({ id }) => id), ...change };
}

/** Starts a payout. Its updates are sent by name, as any language does. */
export async function openedPayout(orders: Orders, order: Order<'payout'>) {
  const { workflowId } = await orders.steadfast.start('payout', `payout:${order.payoutId}`, order);
  const handle = orders.client.workflow.getHandle(workflowId);
  const update = async (name: string, request: object): Promise<string> => {
    try {
      const answer = await handle.executeUpdate<unknown, [object]>(name, { args: [request] });
      return JSON.stringify(answer);
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      return cause instanceof Error ? cause.message : String(error);
    }
  };
  return { order, workflowId, handle, update };
}

export async function linesOf({ steadfast }: Orders, id: string): Promise<LineResult[]> {
  const lines: LineResult[] = [];
  for await (const line of steadfast.payoutLines(id)) lines.push(line);
  return lines;
}

/** The number of a payout's lines by outcome. */
export async function outcomesOf(orders: Orders, id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of await linesOf(orders, id)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The transfers that the chain logged for these lines: by line, the hashes for its amount. */
export async function paidOnChain(
  { rpcUrl }: Pick<TestSandbox, 'rpcUrl'>,
  lines: readonly PayoutLine[],
): Promise<Record<string, string[]>> {
  const transfers = await tokenTransfers(rpcUrl, {});
  return Object.fromEntries(
    lines.map(({ lineId, amount, to }) => {
      const own = transfers.filter(({ value }) => value === toBaseUnits(amount, 6));
      const hashes = own.map((log) =>
        log.to === to.toLowerCase() ? log.transactionHash : `${log.transactionHash} to ${log.to}`,
      );
      return [lineId, hashes];
    }),
  );
}

/** The transfers that the chain must have logged according to the results. */
export function paidByResults(lines: readonly LineResult[]): Record<string, string[]> {
  return Object.fromEntries(
    lines.map(({ lineId, outcome, txHash }) => [
      lineId,
      outcome === 'paid' ? [txHash ?? 'no hash'] : [],
    ]),
  );
}
