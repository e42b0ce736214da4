import { encodeErrorResult, type Hex, parseAbi, parseEther, sliceHex } from 'viem';
import type { Chain } from '../../../sandbox/chain/chain';
import {
  CallRevertedError,
  decodeRevertReason,
  InsufficientNativeBalanceError,
} from '../../../sandbox/chain/revert';
import { estimateTransaction, signTransaction } from '../../../sandbox/chain/transaction';
import {
  account,
  fees,
  fundCall,
  mineAsFaucet,
  mintCall,
  nextTimestampS,
  startTestChain,
  transferCall,
} from './testChain';

describe('the transaction of an EOA wallet', () => {
  const wallet = account(11);
  const from = wallet.address;
  let chain: Chain;
  beforeAll(async () => {
    chain = await startTestChain();
    await mineAsFaucet(chain, [
      fundCall(from),
      mintCall(chain.contracts.usdc, { to: from, amount: 10n }),
    ]);
  });

  it('succeeds with the gas that was estimated, under the hash it was signed with', async () => {
    const call = transferCall(chain.contracts.usdc, { to: account(12).address, amount: 4n });
    const gas = await estimateTransaction(chain, { from, call, fees });
    const signed = await signTransaction(chain, { account: wallet, call, nonce: 0, gas, fees });
    const { results } = await chain.mineBlock({
      timestampS: await nextTimestampS(chain),
      transactions: [signed.transaction],
    });
    expect(results).toMatchObject([
      {
        hash: signed.hash,
        included: true,
        receipt: { status: 'success', from: from.toLowerCase() },
      },
    ]);
  });

  it('is not estimated when it would revert, and the error says why', async () => {
    const call = transferCall(chain.contracts.usdc, { to: account(12).address, amount: 11n });
    const poor = account(13).address;
    const failure = estimateTransaction(chain, { from: poor, call });
    await expect(failure).rejects.toBeInstanceOf(CallRevertedError);
    await expect(failure).rejects.toMatchObject({
      reason: 'ERC20: transfer amount exceeds balance',
    });
  });

  it('is not estimated when it sends more of the native coin than there is', async () => {
    const call = { to: account(12).address, value: parseEther('1001'), data: '0x' } as const;
    await expect(estimateTransaction(chain, { from, call })).rejects.toBeInstanceOf(
      InsufficientNativeBalanceError,
    );
  });

  it('is not estimated when nothing is left for its fees', async () => {
    const call = transferCall(chain.contracts.usdc, { to: from, amount: 0n });
    const poor = account(13).address;
    expect(await estimateTransaction(chain, { from: poor, call })).toBeGreaterThan(21_000n);
    await expect(estimateTransaction(chain, { from: poor, call, fees })).rejects.toMatchObject({
      name: 'InsufficientNativeBalanceError',
      balance: 0n,
    });
  });
});

describe('decodeRevertReason', () => {
  it('reads panics, known errors, nothing and the unknown', () => {
    const word = '11'.padStart(64, '0');
    expect([
      decodeRevertReason('0x'),
      decodeRevertReason(`0x4e487b71${word}`),
      decodeRevertReason('0xf92ee8a9'),
      decodeRevertReason('0x12345678'),
    ]).toEqual([
      'reverted without a reason',
      'Panic(0x11)',
      'InvalidInitialization()',
      'unknown error 0x12345678',
    ]);
  });

  it('keeps the beginning of a long reason, and looks at no more than some of its data', () => {
    const long = `no${' '.repeat(3_000)}x`;
    expect(decodeRevertReason(reverting(long))).toBe(long.slice(0, 1_000));
    expect(decodeRevertReason(reverting('x'.repeat(100_000)))).toBe('unknown error 0x08c379a0');
  });

  it('reads the reason of a call with a memo, but not a reason within any number of others', () => {
    expect(decodeRevertReason(inMemo(reverting('no')))).toBe('no');
    let nested = reverting('no');
    for (let depth = 0; depth < 50; depth += 1) nested = inMemo(nested);
    expect(decodeRevertReason(nested)).toBe(`unknown error ${sliceHex(nested, 0, 4)}`);
  });
});

const errors = parseAbi(['error Error(string message)', 'error MemoFailed(bytes returnData)']);
const reverting = (reason: string): Hex =>
  encodeErrorResult({ abi: errors, errorName: 'Error', args: [reason] });
const inMemo = (data: Hex): Hex =>
  encodeErrorResult({ abi: errors, errorName: 'MemoFailed', args: [data] });
