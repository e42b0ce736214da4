import { parseUnits } from 'viem';
import { networks } from '../../../../src/custody/networks/networks';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import {
  blockchain,
  createFundedWallet,
  createWallet,
  eurc,
  settled,
  transferOf,
  usdc,
} from '../../../support/sandbox';
import { readChain } from '../chain';
import { type Given, rigOf } from '../subject/subject';

const kinds = ['SCA', 'EOA'] as const;

export function describeTransfers(given: Given): void {
  given.describeFunded('transfers', () => {
    const senders = new Map<(typeof kinds)[number], Wallet>();
    const sender = (kind: (typeof kinds)[number]): Wallet => {
      const wallet = senders.get(kind);
      if (wallet === undefined) throw new Error(`There is no ${kind} wallet.`);
      return wallet;
    };
    beforeAll(async () => {
      for (const kind of kinds) {
        senders.set(kind, await createFundedWallet(given.subject().api, kind));
      }
    });
    describeTokens(given, sender);
    describeForms(given, sender);
  });
}

type Sender = (kind: (typeof kinds)[number]) => Wallet;

function describeTokens(given: Given, sender: Sender): void {
  const tokens = { USDC: usdc, EURC: eurc };
  const cases = kinds.flatMap((kind) =>
    (['USDC', 'EURC'] as const).map((symbol) => ({ kind, symbol })),
  );

  it.each(cases)('moves $symbol from an $kind wallet', async ({ kind, symbol }) => {
    const { api } = given.subject();
    const chain = readChain(rigOf(given).rpcUrl);
    const receiver = await createWallet(api);
    const from = sender(kind);
    // USDC in the units of the native coin, which it is: an EOA pays its gas in it.
    const holding = () =>
      symbol === 'USDC' ? chain.native(from.address) : chain.balance(eurc, from.address);
    const held = await holding();
    const accepted = await api.createTransfer(
      transferOf(from, receiver.address, {
        tokenAddress: tokens[symbol],
        amounts: ['1.25'],
        refId: 'an invoice',
      }),
    );
    expect(accepted.state).toBe('INITIATED');
    const ended = await settled(api, accepted.id);
    expect(ended).toMatchObject({
      state: 'COMPLETE',
      operation: 'TRANSFER',
      transactionType: 'OUTBOUND',
      walletId: from.id,
      sourceAddress: from.address,
      destinationAddress: receiver.address,
      amounts: ['1.25'],
      refId: 'an invoice',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      ...(kind === 'SCA' ? { userOpHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } : {}),
    });
    expect(await chain.balance(tokens[symbol], receiver.address)).toBe(1_250_000n);
    const fee = kind === 'EOA' && symbol === 'USDC' ? await chain.fee(ended.txHash) : 0n;
    const paid = parseUnits('1.25', symbol === 'USDC' ? 18 : 6);
    expect(await holding()).toBe(held - paid - fee);
  });

  it.each(kinds)('moves the native coin from an %s wallet', async (kind) => {
    const { api } = given.subject();
    const receiver = await createWallet(api);
    const { tokenAddress: _, ...order } = transferOf(sender(kind), receiver.address, {
      tokenId: networks[blockchain]?.tokens.find(({ symbol }) => symbol === 'native')?.id,
      amounts: ['0.000000000000000001'],
    });
    const { id } = await api.createTransfer(order);
    expect(await settled(api, id)).toMatchObject({ state: 'COMPLETE' });
    expect(await readChain(rigOf(given).rpcUrl).native(receiver.address)).toBe(1n);
  });
}

function describeForms(given: Given, sender: Sender): void {
  it('accepts a sender by its address, as the interface document does', async () => {
    const { api } = given.subject();
    const receiver = await createWallet(api);
    const { walletId: _, ...order } = transferOf(sender('SCA'), receiver.address);
    const { id } = await api.createTransfer({
      ...order,
      walletAddress: sender('SCA').address,
      blockchain,
    });
    expect(await settled(api, id)).toMatchObject({
      state: 'COMPLETE',
      walletId: sender('SCA').id,
    });
  });

  it('moves money once, however often a key is sent', async () => {
    const { api } = given.subject();
    const chain = readChain(rigOf(given).rpcUrl);
    const receiver = await createWallet(api);
    const order = transferOf(sender('SCA'), receiver.address);
    const accepted = await Promise.all([1, 2, 3].map(() => api.createTransfer(order)));
    const [first] = accepted;
    await settled(api, first?.id ?? '');
    expect(await api.createTransfer({ ...order, amounts: ['2'] })).toEqual(first);
    expect(new Set(accepted.map(({ id }) => id)).size).toBe(1);
    expect(await chain.balance(usdc, receiver.address)).toBe(1_000_000n);
  });

  it('fails a transfer that the wallet cannot pay, and moves nothing', async () => {
    const { api } = given.subject();
    const chain = readChain(rigOf(given).rpcUrl);
    const receiver = await createWallet(api);
    const order = transferOf(sender('SCA'), receiver.address, { amounts: ['1000000'] });
    const { id } = await api.createTransfer(order);
    expect(await settled(api, id)).toMatchObject({
      state: 'FAILED',
      errorReason: expect.any(String),
    });
    expect(await chain.balance(usdc, receiver.address)).toBe(0n);
  });
}
