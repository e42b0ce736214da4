import { parseUnits } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { splitIntoBundles } from '../../../../sandbox/chain/account/bundle';
import {
  type SignedUserOperation,
  signUserOperation,
  type UserOperationOptions,
} from '../../../../sandbox/chain/account/userOperation';
import type { Chain } from '../../../../sandbox/chain/chain';
import type { WalletCall } from '../../../../sandbox/chain/estimateCall';
import { accountFactoryAbi } from '../../../../sandbox/chain/genesis/abi';
import { readBalance } from '../../../../sandbox/chain/token';
import { readTransfers } from '../../../../sandbox/chain/transfers';
import {
  account,
  fees,
  mineAsFaucet,
  mineOperations,
  mintCall,
  startTestChain,
  transferCall,
} from '../testChain';

let chain: Chain;
beforeAll(async () => {
  chain = await startTestChain();
});

const salt = 3n;
const addressOf = (owner: LocalAccount) => chain.accountAddress(owner.address, salt);
const sign = (owner: LocalAccount, call: WalletCall, options: Partial<UserOperationOptions> = {}) =>
  signUserOperation(chain, { owner, salt, call, fees, ...options });

const mineBundle = (signed: SignedUserOperation[]) => mineOperations(chain, signed);

const usdc = (owner: LocalAccount, amount: bigint) =>
  mintCall(chain.contracts.usdc, { to: addressOf(owner), amount });
const usdcOf = (owner: LocalAccount) =>
  readBalance(chain.client, { token: chain.contracts.usdc, owner: addressOf(owner) });

describe('the address of an account', () => {
  it('is what the factory says, without asking it', async () => {
    for (const number of [1n, 2n, 2n ** 255n]) {
      const owner = account(20).address;
      const said = await chain.client.readContract({
        address: chain.contracts.accountFactory,
        abi: accountFactoryAbi,
        functionName: 'getAddress',
        args: [owner, number],
      });
      expect(chain.accountAddress(owner, number)).toBe(said);
    }
  });
});

describe('a user operation', () => {
  const receiver = account(21).address;

  it('creates the account with its first call, and pays no gas from it', async () => {
    const owner = account(22);
    await mineAsFaucet(chain, [usdc(owner, 100n)]);
    const transfer = transferCall(chain.contracts.usdc, { to: receiver, amount: 40n });
    const first = await sign(owner, transfer);
    expect(first.userOperation.initCode).not.toBe('0x');
    const [outcome] = await mineBundle([first]);
    expect(outcome).toMatchObject({
      userOpHash: first.userOpHash,
      sender: addressOf(owner),
      success: true,
      revertReason: undefined,
    });
    expect(outcome?.actualGasCost).toBeGreaterThan(0n);
    expect(readTransfers(outcome?.logs ?? [])).toMatchObject([
      { from: addressOf(owner), to: receiver, counts: [40n] },
    ]);

    const second = await sign(owner, transfer);
    expect(second.userOperation).toMatchObject({ initCode: '0x', nonce: 1n });
    expect(await mineBundle([second])).toMatchObject([{ success: true }]);
    expect(await usdcOf(owner)).toBe(20n);
    const native = await chain.client.getBalance({ address: addressOf(owner) });
    expect(native).toBe(parseUnits('20', 12));
  });

  it('is not signed when its call would revert, and the error says why', async () => {
    const owner = account(23);
    const call = transferCall(chain.contracts.usdc, { to: receiver, amount: 1n });
    await expect(sign(owner, call)).rejects.toMatchObject({
      name: 'CallRevertedError',
      reason: 'ERC20: transfer amount exceeds balance',
    });
    await expect(sign(owner, { to: receiver, value: 1n, data: '0x' })).rejects.toMatchObject({
      name: 'InsufficientNativeBalanceError',
      required: 1n,
    });
  });
});

describe('a bundle', () => {
  it('does the operations of many wallets, though one of them reverts', async () => {
    const owners = Array.from({ length: 6 }, (_, index) => account(30 + index));
    const [failing] = owners.slice(3);
    await mineAsFaucet(
      chain,
      owners.map((owner) => usdc(owner, 10n)),
    );
    const receiver = account(40).address;
    const signed = await Promise.all(
      owners.map((owner, index) =>
        sign(
          owner,
          transferCall(chain.contracts.usdc, {
            to: receiver,
            amount: owner === failing ? 11n : BigInt(index + 1),
          }),
          owner === failing ? { callGasLimit: 100_000n } : {},
        ),
      ),
    );
    const outcomes = await mineBundle(signed);
    expect(outcomes.map(({ userOpHash }) => userOpHash)).toEqual(
      signed.map(({ userOpHash }) => userOpHash),
    );
    expect(outcomes.map(({ success, revertReason }) => revertReason ?? success)).toEqual([
      true,
      true,
      true,
      'ERC20: transfer amount exceeds balance',
      true,
      true,
    ]);
    expect(outcomes.map(({ logs }) => readTransfers(logs).flatMap((one) => one.counts))).toEqual([
      [1n],
      [2n],
      [3n],
      [],
      [5n],
      [6n],
    ]);
    // The system tells of each payment too.
    expect(outcomes.map(({ logs }) => logs.length)).toEqual([2, 2, 2, 0, 2, 2]);
  });

  it('is split where it would be too large, and each part succeeds at its largest', async () => {
    const owners = Array.from({ length: 70 }, (_, index) => account(100 + index));
    const call = transferCall(chain.contracts.usdc, { to: account(41).address, amount: 0n });
    const signed = await Promise.all(owners.map((owner) => sign(owner, call)));
    const bundles = splitIntoBundles(signed.map(({ userOperation }) => userOperation));
    expect(bundles.flat()).toEqual(signed.map(({ userOperation }) => userOperation));
    expect(bundles.length).toBeGreaterThan(1);
    const first = signed.slice(0, bundles[0]?.length);
    const outcomes = await mineBundle(first);
    expect(outcomes.filter(({ success }) => success)).toHaveLength(first.length);
    await expect(mineBundle(signed)).rejects.toThrow(/\d+ gas, but one may have 16777216 at most/);
  });

  it('has gas for each operation, though those before it burn all that they may', async () => {
    const burner = account(44).address;
    await chain.ask([{ method: 'anvil_setCode', params: [burner, '0xfe'] }]);
    const burn: WalletCall = { to: burner, value: 0n, data: '0x' };
    const pay = transferCall(chain.contracts.usdc, { to: account(45).address, amount: 0n });
    for (const order of [
      [burn, pay, burn, pay],
      [pay, burn, pay],
      [burn, burn, pay],
    ]) {
      const signed = await Promise.all(
        order.map((call, index) => sign(account(46 + index), call, { callGasLimit: 3_000_000n })),
      );
      const outcomes = await mineBundle(signed);
      expect(outcomes.map(({ success }) => success)).toEqual(order.map((call) => call === pay));
    }
  });

  it('with an operation that calls without enough gas says that there was no reason', async () => {
    const owner = account(43);
    const call = transferCall(chain.contracts.usdc, { to: owner.address, amount: 0n });
    const starved = await sign(owner, call, { callGasLimit: 10_000n });
    expect(await mineBundle([starved])).toMatchObject([
      { success: false, revertReason: 'reverted without a reason', logs: [] },
    ]);
  });
});
