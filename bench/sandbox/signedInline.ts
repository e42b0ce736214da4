import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { signTransaction } from '../../sandbox/chain/transaction';
import type { BareChain } from './bareChain';
import { freshAddress, requireTransfers } from './oracle';

const batches = 6;
const transfersPerOwner = 10;
const gas = 65_000n;

/** Measures USDC transfers per second on the chain, from 50 accounts in batches of 500. */
export async function signedTransfersPerS(
  bare: BareChain,
): Promise<{ signedInline: number; signedBefore: number }> {
  const { chain, owners, mine } = bare;
  const to = freshAddress();
  const first = await Promise.all(
    owners.map(({ address }) => chain.client.getTransactionCount({ address })),
  );
  let signMs = 0;
  let mineMs = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const start = performance.now();
    const transactions: Hex[] = [];
    for (let turn = 0; turn < transfersPerOwner; turn += 1) {
      for (const [index, owner] of owners.entries()) {
        const nonce = (first[index] ?? 0) + batch * transfersPerOwner + turn;
        transactions.push(await signTransfer(bare, { owner, nonce, to }));
      }
    }
    const signed = performance.now();
    await mine(transactions);
    signMs += signed - start;
    mineMs += performance.now() - signed;
  }
  const count = batches * transfersPerOwner * owners.length;
  await requireTransfers(chain.client, { to, count });
  return {
    signedInline: (count * 1_000) / (signMs + mineMs),
    signedBefore: (count * 1_000) / mineMs,
  };
}

async function signTransfer(
  { chain, fees }: BareChain,
  { owner, nonce, to }: { owner: BareChain['owners'][number]; nonce: number; to: Hex },
): Promise<Hex> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] });
  const call = { to: chain.contracts.usdc, value: 0n, data };
  return (await signTransaction(chain, { account: owner, call, nonce, gas, fees })).transaction;
}
