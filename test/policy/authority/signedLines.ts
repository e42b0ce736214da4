import { randomUUID } from 'node:crypto';
import { getAddress } from 'viem';
import { pathIn, treeOf } from '../../../src/authority/lineTree';
import {
  requestFor,
  type SignedLines,
  signedLinesOf,
  textOf,
} from '../../../src/authority/statement';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Authority, LineProof } from '../../../src/orders/input/signed';
import { readOrderOf } from '../../../src/orders/kinds';
import type { ReadLine } from '../../../src/orders/payout';
import { blockchain, usdc } from '../../support/sandbox';
import { asOf, payee } from '../writer';
import type { Office } from './signedOrders';

export const lineOf = (lineId: string, amount: string, to = payee): ReadLine => ({
  lineId,
  to: getAddress(to),
  amount,
  token: 'USDC',
});

/** A payout from the wallet, its statement, and its lines as they are sent. */
export function payoutOf(
  office: Office,
  lines: readonly ReadLine[],
  change: Partial<SignedLines> = {},
) {
  const payoutId = randomUUID();
  const workflowId = `payout:${payoutId}`;
  const statement = requestFor({
    entity: office.entity(),
    namespace: 'default',
    blockchain,
    workflowId,
    kind: 'payout',
    order: readOrderOf('payout', { payoutId, wallets: [office.wallet().id] }),
    lines: { ...signedLinesOf(lines), ...change },
    expires: new Date(Date.now() + 60_000),
  });
  const tree = treeOf(lines);
  const proofOf = (index: number): LineProof => ({
    index,
    token: lines[index]?.token ?? '',
    path: pathIn(tree, index),
  });
  const text = textOf(statement);
  return { workflowId, statement, text, proofOf, tree, payer: office.wallet().address };
}

export type SignedPayout = ReturnType<typeof payoutOf>;
export type SentLine = {
  line: ReadLine;
  authority: Authority;
  generation?: number;
  fields?: object;
};

/** Sends a line as the activity of its shard does. */
export function sendLine(api: CustodyApi, { workflowId, payer }: SignedPayout, sent: SentLine) {
  const { line, authority, generation = 0, fields = {} } = sent;
  const { lineId, to, amount } = line;
  const { identity, how } = asOf({ workflowId, step: 'line', item: lineId, generation });
  const own = { walletAddress: payer, blockchain, tokenAddress: usdc };
  const input = { ...identity, ...own, destinationAddress: to, amounts: [amount] };
  return api.createTransfer({ ...input, ...fields } as never, { ...how, authority });
}
