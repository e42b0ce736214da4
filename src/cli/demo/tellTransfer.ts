import type { Fact } from '../../client/asking/facts';
import type { Receipt } from '../../client/client';
import { fromBaseUnits, toBaseUnits } from '../../custody/objects/amount';
import { type ChainReader, movementTo } from './readChain';
import { yes } from './tellDeployment';

/** At least as many decimals as any token has. */
const decimalsMax = 18;

/** The effects of a transfer, read back from the chain. */
export async function transferFacts(
  receipt: Receipt<'transferSequence'>,
  chain: ChainReader,
): Promise<Fact[]> {
  const { from, to, token, funded } = receipt;
  const sent = await chain.transaction(receipt.txHash);
  const moved = movementTo(sent, to);
  const [senderHolds, recipientHolds] = await Promise.all([
    chain.balance(moved.token, from),
    chain.balance(moved.token, to),
  ]);
  return [
    ...(funded === undefined ? [] : [fundedBy(funded, token)]),
    ['transfer', receipt.txHash],
    [
      'on chain',
      `${yes(sent.isSuccess)}, block ${sent.blockNumber}, Transfer log of ${moved.amount} ${token}`,
    ],
    ['sender', `${from}  ${funded?.balance ?? '…'} → ${senderHolds} ${token}`],
    ['recipient', `${to}  ${less(recipientHolds, moved.amount)} → ${recipientHolds} ${token}`],
  ];
}

function fundedBy({ source, balance }: { source: string; balance: string }, token: string): Fact {
  return ['funded by', `the ${source}, with ${balance} ${token}`];
}

/** The balance before the transfer: the current one minus the amount received. */
function less(balance: string, received: string): string {
  const before = toBaseUnits(balance, decimalsMax) - toBaseUnits(received, decimalsMax);
  return fromBaseUnits(before, decimalsMax);
}
