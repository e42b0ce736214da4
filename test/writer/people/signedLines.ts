import { randomUUID } from 'node:crypto';
import { getAddress } from 'viem';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Authority, LineProof } from '../../../src/orders/input/signed';
import { readOrderOf } from '../../../src/orders/kinds';
import type { ReadLine } from '../../../src/orders/payout';
import { proofIn, treeOf } from '../../../src/writer/signing/lineTree';
import { type SignedLines, signedLinesOf } from '../../../src/writer/signing/signedLines';
import { requestFor, textOf } from '../../../src/writer/signing/statement';
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
  const proofOf = (...indexes: number[]): LineProof => ({
    token: 'USDC',
    lines: indexes.map((index) => ({ lineId: lines[index]?.lineId ?? '', generation: 0, index })),
    others: proofIn(tree, indexes),
  });
  const text = textOf(statement);
  const { accountType = 'EOA', ...wallet } = office.wallet();
  return {
    workflowId,
    statement,
    text,
    proofOf,
    tree,
    wallet: { accountType, ...wallet },
  };
}

export type SignedPayout = ReturnType<typeof payoutOf>;
export type SentLine = {
  line: ReadLine;
  authority: Authority;
  generation?: number;
  fields?: object;
};

/** Sends a line as the activity of its shard does. */
export function sendLine(api: CustodyApi, { workflowId, wallet }: SignedPayout, sent: SentLine) {
  const { line, generation = 0, fields = {} } = sent;
  const authority = sent.generation === undefined ? sent.authority : inGeneration(sent);
  const { lineId, to, amount } = line;
  const { identity, how } = asOf({ workflowId, step: 'line', item: lineId, generation });
  const own = { walletAddress: wallet.address, blockchain, tokenAddress: usdc };
  const input = { ...identity, ...own, destinationAddress: to, amounts: [amount] };
  return api.createTransfer({ ...input, ...fields } as never, { ...how, authority });
}

/** The same signatures, for a later generation of the line. */
function inGeneration({ authority, generation = 0 }: SentLine): Authority {
  const { proof, ...others } = authority;
  if (proof === undefined) return authority;
  const lines = proof.lines.map((line) => ({ ...line, generation }));
  return { ...others, proof: { ...proof, lines } };
}
