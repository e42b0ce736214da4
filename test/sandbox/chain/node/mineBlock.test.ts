import { type Hex, keccak256, type LocalAccount } from 'viem';
import type { Chain } from '../../../../sandbox/chain/chain';
import { signTransaction } from '../../../../sandbox/chain/transaction';
import {
  account,
  fees,
  fundCall,
  mineAsFaucet,
  nextTimestampS,
  startTestChain,
} from '../testChain';

const senders = Array.from({ length: 20 }, (_, index) => account(100 + index));

describe('mineBlock', () => {
  let chain: Chain;
  beforeEach(async () => {
    chain = await startTestChain();
    await mineAsFaucet(
      chain,
      senders.map(({ address }) => fundCall(address)),
    );
  });
  afterEach(() => chain.stop());

  const sign = async (
    sender: LocalAccount | undefined,
    options: { nonce: number; value?: bigint; tip?: bigint },
  ): Promise<Hex> => {
    if (sender === undefined) throw new Error('There is no such sender.');
    const call = { to: account(1).address, value: options.value ?? 1n, data: '0x' } as const;
    const { transaction } = await signTransaction(chain, {
      account: sender,
      call,
      nonce: options.nonce,
      gas: 21_000n,
      fees: { ...fees, maxPriorityFeePerGas: options.tip ?? 0n },
    });
    return transaction;
  };

  it('keeps the order of 500 transactions of many senders, whatever they pay', async () => {
    const transactions = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        sign(senders[(index * 7) % senders.length], {
          nonce: Math.floor(index / senders.length),
          tip: BigInt((index * 7919) % 1000),
        }),
      ),
    );
    const timestampS = await nextTimestampS(chain);
    const block = await chain.mineBlock({ timestampS, transactions });
    expect(block.transactions).toEqual(transactions);
    const { transactions: hashes } = await chain.client.getBlock();
    expect(hashes).toEqual(transactions.map((raw) => keccak256(raw)));
    expect(block.results.map(({ hash }) => hash)).toEqual(hashes);
    expect(block.results.every((one) => one.included && one.receipt.status === 'success')).toBe(
      true,
    );
  });

  it('mines the others when one is refused, and says why it was', async () => {
    const good = await sign(senders[0], { nonce: 0 });
    const later = await sign(senders[1], { nonce: 0 });
    const transactions = [
      await sign(senders[2], { nonce: 0, value: 10n ** 30n }),
      good,
      await sign(senders[3], { nonce: 4 }),
      '0x1234',
      later,
    ] as const;
    const timestampS = await nextTimestampS(chain);
    const block = await chain.mineBlock({ timestampS, transactions });
    expect(block.transactions).toEqual([good, later]);
    expect(
      block.results.map((one) => (one.included ? one.receipt.status : one.reason)),
    ).toMatchInlineSnapshot(`
[
  "Insufficient funds for gas * price + value",
  "success",
  "not includable: its nonce is ahead, it was replaced, or the block had no room for it",
  "Failed to decode transaction",
  "success",
]
`);
    const [, used] = block.results;
    expect(used?.hash).toBe(keccak256(good));
  });

  it('says that a nonce is used up', async () => {
    const transactions = [await sign(senders[0], { nonce: 0 })];
    await chain.mineBlock({ timestampS: await nextTimestampS(chain), transactions });
    const again = await chain.mineBlock({ timestampS: await nextTimestampS(chain), transactions });
    expect(again.results).toMatchObject([{ included: false, reason: 'nonce too low' }]);
  });

  it('never mines in a later block what a block has left out', async () => {
    const ahead = await sign(senders[0], { nonce: 1 });
    await chain.mineBlock({ timestampS: await nextTimestampS(chain), transactions: [ahead] });
    const first = await sign(senders[0], { nonce: 0 });
    const timestampS = await nextTimestampS(chain);
    const block = await chain.mineBlock({ timestampS, transactions: [first] });
    expect((await chain.client.getBlock()).transactions).toEqual([keccak256(first)]);
    expect(block.transactions).toEqual([first]);
  });

  it('mines at the time it is given, also twice at the same, and not before it', async () => {
    const timestampS = (await nextTimestampS(chain)) + 1000;
    const first = await chain.mineBlock({ timestampS, transactions: [] });
    const second = await chain.mineBlock({ timestampS, transactions: [] });
    expect([first.timestampS, second.timestampS]).toEqual([timestampS, timestampS]);
    expect(second.number).toBe(first.number + 1n);
    await expect(chain.mineBlock({ timestampS: timestampS - 1, transactions: [] })).rejects.toThrow(
      /No block at/,
    );
    expect(await chain.client.getBlockNumber()).toBe(second.number);
  });

  it('mines one block for each call, in turn, when they are made at the same time', async () => {
    const timestampS = await nextTimestampS(chain);
    const raws = await Promise.all([0, 1, 2].map((nonce) => sign(senders[0], { nonce })));
    const blocks = await Promise.all(
      raws.map((raw) => chain.mineBlock({ timestampS, transactions: [raw] })),
    );
    expect(blocks.map(({ transactions }) => transactions)).toEqual(raws.map((raw) => [raw]));
  });

  it('keeps the base fee, however many blocks are empty', async () => {
    for (let count = 0; count < 20; count++) {
      await chain.mineBlock({ timestampS: await nextTimestampS(chain), transactions: [] });
    }
    expect((await chain.client.getBlock()).baseFeePerGas).toBe(chain.baseFeePerGas);
    expect(await chain.client.getGasPrice()).toBeGreaterThanOrEqual(chain.baseFeePerGas);
  });
});
