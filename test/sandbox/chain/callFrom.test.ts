import {
  type Abi,
  type Address,
  concat,
  decodeFunctionResult,
  encodeErrorResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  parseAbi,
  parseEventLogs,
} from 'viem';
import type { LocalAccount } from 'viem/accounts';
import type { Chain } from '../../../sandbox/chain/chain';
import type { WalletCall } from '../../../sandbox/chain/estimateCall';
import {
  coinAbi,
  memoAbi,
  multicall3FromAbi,
  stablecoinAbi,
} from '../../../sandbox/chain/genesis/abi';
import { codeDeployerAbi } from '../../../sandbox/chain/genesis/codeDeployer';
import { signTransaction } from '../../../sandbox/chain/transaction';
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

const payer = account(61);
const victim = account(62).address;
const blocked = account(63).address;
const someone = account(64).address;
const other = account(65).address;
const memoId: Hex = `0x${'ab'.repeat(32)}`;
const spoofing = 'sender spoofing requires tx.origin as sender';
const errorAbi = parseAbi(['error Error(string)']);
const reverted = (words: string) =>
  encodeErrorResult({ abi: errorAbi, errorName: 'Error', args: [words] });

/** A contract that anybody can make call an address, with all the bytes after that. */
const relay = account(66).address;
const relayCode = '0x601436038060145f375f5f825f5f5f3560601c5af13d5f5f3e601f573d5ffd5b3d5ff3';

let chain: Chain;
let usdc: Address;
beforeAll(async () => {
  chain = await startTestChain();
  usdc = chain.contracts.usdc;
  await chain.ask([{ method: 'anvil_setCode', params: [relay, relayCode] }]);
  const blacklist = { abi: stablecoinAbi, functionName: 'blacklist' } as const;
  await mineAsFaucet(chain, [
    fundCall(payer.address),
    ...[payer.address, victim, relay].map((to) => mintCall(usdc, { to, amount: 1_000n })),
    callOf(usdc, encodeFunctionData({ ...blacklist, args: [blocked] })),
  ]);
});

const callOf = (to: Address, data: Hex): WalletCall => ({ to, value: 0n, data });

type Line = { call: WalletCall; allowFailure?: boolean };

const batch = (...lines: Line[]): WalletCall =>
  callOf(
    chain.contracts.multicall3From,
    encodeFunctionData({
      abi: multicall3FromAbi,
      functionName: 'aggregate3',
      args: [
        lines.map(({ call, allowFailure = false }) => ({
          target: call.to,
          allowFailure,
          callData: call.data,
        })),
      ],
    }),
  );

const withMemo = (call: WalletCall, memo: Hex = '0xfe'): WalletCall =>
  callOf(
    chain.contracts.memo,
    encodeFunctionData({
      abi: memoAbi,
      functionName: 'memo',
      args: [call.to, call.data, memoId, memo],
    }),
  );

const relayed = ({ to, data }: WalletCall): WalletCall => callOf(relay, concat([to, data]));

const pay = (amount: bigint, to = someone): WalletCall => transferCall(usdc, { to, amount });
const followedBy = (call: WalletCall, bytes: Hex): WalletCall => ({
  ...call,
  data: concat([call.data, bytes]),
});

/** Mines a transaction of an account, which must succeed. Returns its logs but the system's. */
async function mine(call: WalletCall, from: LocalAccount = payer) {
  const nonce = await chain.client.getTransactionCount({ address: from.address });
  const { transaction } = await signTransaction(chain, {
    account: from,
    call,
    nonce,
    gas: 2_000_000n,
    fees,
  });
  const timestampS = await nextTimestampS(chain);
  const { results } = await chain.mineBlock({ timestampS, transactions: [transaction] });
  const [result] = results;
  if (!result?.included) throw new Error('Not included.');
  expect(result.receipt.status).toBe('success');
  const system = chain.contracts.nativeLogger.toLowerCase();
  const logs = result.receipt.logs.filter(({ address }) => address !== system);
  return parseEventLogs({ abi: [...coinAbi, ...memoAbi, ...codeDeployerAbi], logs });
}

/** The results of the lines of a batch that nobody mines. */
async function resultsOf(call: WalletCall, from: Address = payer.address) {
  const { data = '0x' } = await chain.client.call({ account: from, to: call.to, data: call.data });
  return data;
}

const resultsIn = (data: Hex) =>
  decodeFunctionResult({ abi: multicall3FromAbi, functionName: 'aggregate3', data });

const balances = (...of: Address[]) =>
  Promise.all(
    of.map((one) =>
      chain.client.readContract({
        address: usdc,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [one],
      }),
    ),
  );

const sent = (from: Address, to: Address, value: bigint) => ({
  eventName: 'Transfer',
  address: usdc.toLowerCase(),
  args: { from, to, value },
});

describe('a batch of an account', () => {
  it('moves the coins of that account, with one log for each line', async () => {
    const logs = await mine(batch({ call: pay(1n) }, { call: pay(2n) }, { call: pay(1n, other) }));
    expect(logs).toMatchObject([
      sent(payer.address, someone, 1n),
      sent(payer.address, someone, 2n),
      sent(payer.address, other, 1n),
    ]);
    expect(await balances(chain.contracts.multicall3From)).toEqual([0n]);
  });

  it('goes on after a line that may fail, and tells its reason', async () => {
    const call = batch({ call: pay(1n, blocked), allowFailure: true }, { call: pay(2n) });
    const [failed, paid] = resultsIn(await resultsOf(call));
    const returnData = reverted('Blocked address');
    expect(failed).toEqual({ success: false, returnData });
    expect(paid).toMatchObject({ success: true });
    expect(await mine(call)).toMatchObject([sent(payer.address, someone, 2n)]);
  });

  it('reverts as a whole, in the words of a line that may not fail', async () => {
    const call = batch({ call: pay(2n) }, { call: pay(1n, blocked) });
    await expect(resultsOf(call)).rejects.toThrow('Blocked address');
  });

  it('gives and uses allowances of that account', async () => {
    const approve = { abi: erc20Abi, functionName: 'approve', args: [someone, 5n] } as const;
    const logs = await mine(batch({ call: callOf(usdc, encodeFunctionData(approve)) }));
    const args = { owner: payer.address, spender: someone, value: 5n };
    expect(logs).toMatchObject([{ eventName: 'Approval', args }]);
  });

  it('ignores bytes after the arguments of a line', async () => {
    const tag: Hex = `0x${'7e'.repeat(16)}`;
    const logs = await mine(batch({ call: followedBy(pay(3n), tag) }));
    expect(logs).toMatchObject([sent(payer.address, someone, 3n)]);
  });

  it('moves no native coin', async () => {
    const { to, data } = batch({ call: pay(1n) });
    const call = chain.client.call({ account: payer.address, to, data, value: 1n });
    await expect(call).rejects.toThrow('reverted');
  });

  it('shows itself as the sender to any contract but the coins', async () => {
    const { codeDeployer, multicall3From } = chain.contracts;
    const deploy = { abi: codeDeployerAbi, functionName: 'deploy' } as const;
    const data = encodeFunctionData({ ...deploy, args: [memoId, '0x600180600a5f395ff300'] });
    const logs = await mine(batch({ call: callOf(codeDeployer, data) }));
    expect(logs).toMatchObject([{ eventName: 'Deployed', args: { deployer: multicall3From } }]);
  });
});

describe('a memo', () => {
  const index = () =>
    chain.client.readContract({
      address: chain.contracts.memo,
      abi: memoAbi,
      functionName: 'memoIndex',
    });

  it('stands after the logs of its call, with the hash of the call and the account', async () => {
    const call = pay(4n);
    const memoIndex = await index();
    const [before, moved, after, ...more] = await mine(withMemo(call, '0xc0ffee'));
    expect(before).toMatchObject({ eventName: 'BeforeMemo', args: { memoIndex } });
    expect(moved).toMatchObject(sent(payer.address, someone, 4n));
    expect(after).toMatchObject({
      eventName: 'Memo',
      args: {
        sender: payer.address,
        target: usdc,
        callDataHash: keccak256(call.data),
        memoId,
        memo: '0xc0ffee',
        memoIndex,
      },
    });
    expect(more).toEqual([]);
  });

  it('reverts with the answer of a call that fails, and uses no index', async () => {
    const first = await index();
    const call = withMemo(pay(1n, blocked));
    const [failed] = resultsIn(await resultsOf(batch({ call, allowFailure: true })));
    const reason = reverted('Blocked address');
    const returnData = encodeErrorResult({
      abi: memoAbi,
      errorName: 'MemoFailed',
      args: [reason],
    });
    expect(failed).toEqual({ success: false, returnData });
    await mine(batch({ call, allowFailure: true }, { call: withMemo(pay(1n)) }));
    expect(await index()).toBe(first + 1n);
  });

  it('can be in a batch within a batch, and the account stays the sender', async () => {
    const inner = batch({ call: withMemo(pay(5n)) }, { call: withMemo(batch({ call: pay(6n) })) });
    const logs = await mine(batch({ call: inner }, { call: pay(7n) }));
    expect(logs.map(({ eventName }) => eventName)).toEqual(
      'BeforeMemo Transfer Memo BeforeMemo Transfer Memo Transfer'.split(' '),
    );
    const transfers = logs.filter(({ eventName }) => eventName === 'Transfer');
    expect(transfers).toMatchObject([5n, 6n, 7n].map((n) => sent(payer.address, someone, n)));
  });
});

describe('nobody can pay from an account of somebody else', () => {
  it('by an address that stands after any call', async () => {
    const before = await balances(victim, someone);
    for (const mark of [victim, concat([victim, '0x00']), `0x${'00'.repeat(12)}`] as const) {
      const line = followedBy(pay(1n), mark);
      const calls = [line, batch({ call: line }), withMemo(line), batch({ call: withMemo(line) })];
      for (const call of calls) {
        for (const whole of [call, followedBy(call, victim)]) {
          const logs = await mine(whole);
          expect(logs).toContainEqual(
            expect.objectContaining({ args: sent(payer.address, someone, 1n).args }),
          );
        }
      }
    }
    expect(await balances(victim, someone)).toEqual([before[0], (before[1] ?? 0n) + 24n]);
  });

  it('by a contract that calls a coin with an address after its call', async () => {
    const logs = await mine(relayed(followedBy(pay(1n), victim)));
    expect(logs).toMatchObject([sent(relay, someone, 1n)]);
  });

  it('by a contract that calls in the name of its caller', async () => {
    const may = relayed(batch({ call: pay(1n), allowFailure: true }));
    const returnData = reverted(spoofing);
    expect(resultsIn(await resultsOf(may))).toEqual([{ success: false, returnData }]);
    expect(await mine(may)).toEqual([]);
    const must = [batch({ call: pay(1n) }), withMemo(pay(1n)), withMemo(batch())];
    for (const call of must.flatMap((one) => [one, followedBy(one, payer.address)])) {
      await expect(resultsOf(relayed(call))).rejects.toThrow(spoofing);
    }
  });

  it('by a contract that the account calls in a batch or with a memo', async () => {
    for (const call of [batch({ call: pay(1n) }), withMemo(pay(1n))]) {
      const theft = relayed(followedBy(call, payer.address));
      const [inBatch] = resultsIn(await resultsOf(batch({ call: theft, allowFailure: true })));
      expect(inBatch).toEqual({ success: false, returnData: reverted(spoofing) });
      await expect(resultsOf(withMemo(theft))).rejects.toThrow();
    }
    const [own] = await mine(batch({ call: relayed(pay(1n)) }));
    expect(own).toMatchObject(sent(relay, someone, 1n));
  });
});

describe('the other functions of Multicall3From', () => {
  const abi: Abi = multicall3FromAbi;
  const ask = (functionName: string, args: readonly unknown[] = []) =>
    chain.client.readContract({
      address: chain.contracts.multicall3From,
      abi,
      functionName,
      args,
      account: payer.address,
    });
  const lines = (to: Address) => [{ target: usdc, callData: pay(1n, to).data }];
  const no = `0x${'00'.repeat(32)}`;

  it('call as their names say, and tell their block', async () => {
    const number = await chain.client.getBlockNumber();
    const yes = { success: true, returnData: `0x${'00'.repeat(31)}01` };
    expect(await ask('aggregate', [lines(someone)])).toEqual([number, [yes.returnData]]);
    expect(await ask('tryAggregate', [true, lines(someone)])).toEqual([yes]);
    expect(await ask('blockAndAggregate', [lines(someone)])).toEqual([number, no, [yes]]);
    const allowed = [false, lines(blocked)];
    const fails = [expect.objectContaining({ success: false })];
    expect(await ask('tryAggregate', allowed)).toEqual(fails);
    expect(await ask('tryBlockAndAggregate', allowed)).toEqual([number, no, fails]);
    for (const [name, args] of [
      ['aggregate', [lines(blocked)]],
      ['blockAndAggregate', [lines(blocked)]],
      ['tryAggregate', [true, lines(blocked)]],
      ['tryBlockAndAggregate', [true, lines(blocked)]],
    ] as const) {
      await expect(ask(name, args)).rejects.toThrow('Blocked address');
    }
  });

  it('tell the facts of the chain', async () => {
    const { number, gasLimit, timestamp, parentHash } = await chain.client.getBlock();
    expect(await ask('getBlockNumber')).toBe(number);
    expect(await ask('getChainId')).toBe(BigInt(chain.chainId));
    expect(await ask('getCurrentBlockGasLimit')).toBe(gasLimit);
    expect(await ask('getCurrentBlockTimestamp')).toBe(timestamp);
    expect(await ask('getBlockHash', [number - 1n])).toBe(parentHash);
    expect(await ask('getLastBlockHash')).toBe(parentHash);
    const native = await chain.client.getBalance({ address: payer.address });
    expect(await ask('getEthBalance', [payer.address])).toBe(native);
    for (const name of ['getBasefee', 'getCurrentBlockDifficulty', 'getCurrentBlockCoinbase']) {
      expect(await ask(name)).toBeDefined();
    }
  });
});
