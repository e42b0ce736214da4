import { type Address, encodeAbiParameters, getContractAddress, type Hex, parseEther } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import type { Chain } from '../../../../sandbox/chain/chain';
import { callsNativeMover } from '../../../../sandbox/chain/genesis/nativeCalls';
import type { MinedBlock } from '../../../../sandbox/chain/node/mineBlock';
import type { RecordedBlock } from '../../../../sandbox/chain/node/replayBlocks';
import { account, fees, fundCall, nextTimestampS, startTestChain } from '../testChain';

const thief = account(81);
const victim = account(82);
const payee = account(83).address;
/** Hands its input on to 0xfd. It computes that address, so that nobody sees it in the code. */
const creation: Hex = '0x6011600a5f3960115ff3365f5f375f5f365f5f600160fe035af100';

describe('a block in which somebody else than USDC moves native coins', () => {
  const recorded: RecordedBlock[] = [];
  let chain: Chain;
  let given: Hex[];
  let block: MinedBlock;
  let hashBefore: Hex;

  /** Signs a call of one of them. */
  const sign = (
    from: LocalAccount,
    nonce: number,
    call: { to?: Address; data?: Hex; value?: bigint; gas?: bigint },
  ): Promise<Hex> =>
    from.signTransaction({
      type: 'eip1559',
      chainId: 5_042_002,
      nonce,
      gas: 200_000n,
      ...fees,
      ...call,
    });

  const mine = async (...transactions: Hex[]): Promise<MinedBlock> => {
    const mined = await chain.mineBlock({ timestampS: await nextTimestampS(chain), transactions });
    recorded.push(mined);
    return mined;
  };

  beforeAll(async () => {
    chain = await startTestChain({ blocks: () => recorded });
    const { faucet } = chain.operators;
    await mine(
      await sign(faucet, 0, fundCall(thief.address)),
      await sign(faucet, 1, fundCall(victim.address)),
    );
    expect(callsNativeMover(creation)).toBe(false);
    ({ hash: hashBefore } = await mine(await sign(thief, 0, { data: creation })));
    const to = getContractAddress({ from: thief.address, nonce: 0n });
    const data = encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }],
      [victim.address, thief.address, parseEther('1')],
    );
    given = [
      await sign(victim, 0, { to: payee, value: 1n }),
      await sign(thief, 1, { to, data }),
      await sign(victim, 1, { to: payee, value: 2n }),
    ];
    block = await mine(...given);
  });
  afterAll(() => chain.stop());

  it('is undone, and mined without that', async () => {
    const reason = 'only USDC may call 0xfd';
    expect(block.results).toMatchObject([
      { included: true, receipt: { status: 'success' } },
      { included: false, reason },
      { included: true, receipt: { status: 'success' } },
    ]);
    const { hash, parentHash } = await chain.client.getBlock();
    expect({ hash, parentHash }).toEqual({ hash: block.hash, parentHash: hashBefore });
    expect(await chain.client.getBalance({ address: payee })).toBe(3n);
  });

  it('leaves every balance as the payments and fees of the others make it', async () => {
    const paid = block.results.flatMap((one) => (one.included ? [one.receipt] : []));
    const cost = paid.reduce((sum, one) => sum + one.gasUsed * one.effectiveGasPrice, 3n);
    const { value } = fundCall(victim.address);
    expect(await chain.client.getBalance({ address: victim.address })).toBe(value - cost);
    expect(await chain.client.getTransactionCount({ address: thief.address })).toBe(1);
  });

  it('is the same after a rebuild, also from a record that nobody has looked at', async () => {
    const { number, hash, timestampS } = block;
    recorded.splice(-1, 1, { number, timestampS, transactions: given });
    await chain.rebuild();
    expect(await chain.client.getBlock()).toMatchObject({ parentHash: hashBefore, number, hash });
  });

  it('is told from one in which a contract destroys itself for 0xfd', async () => {
    const nonce = await chain.client.getTransactionCount({ address: victim.address });
    const { results } = await mine(await sign(victim, nonce, { data: '0x60fdff', value: 1n }));
    expect(results).toMatchObject([{ included: true }]);
  });

  it('is told from one of large calls, and found however 0xfd is called', async () => {
    const callers = Array.from({ length: codes.length }, (_, at) => account(84 + at));
    const { faucet } = chain.operators;
    const first = await chain.client.getTransactionCount({ address: faucet.address });
    const funds = callers.map(({ address }, at) => sign(faucet, first + at, fundCall(address)));
    await mine(...(await Promise.all(funds)));
    const creations = codes.map(([, code], at) => sign(callers[at] ?? thief, 0, { data: code }));
    await mine(...(await Promise.all(creations)));
    const calls = callers.map((caller) => {
      const to = getContractAddress({ from: caller.address, nonce: 0n });
      return sign(caller, 1, { to, data: `0x${'00'.repeat(96)}`, gas: 5_000_000n });
    });
    const { results } = await mine(...(await Promise.all(calls)));
    const told = results.map((result, at) => [codes[at]?.[0], result.included]);
    expect(told).toEqual(codes.map(([name]) => [name, name === 'large']));
  });
});

/** Returns the creation of a contract with this code. */
const made = (code: string): Hex => {
  const length = (code.length / 2).toString(16).padStart(2, '0');
  return `0x60${length}600a5f3960${length}5ff3${code}`;
};
/** Calls an address 300 times, with a megabyte each time and this much gas. */
const largeCalls = (address: string, gas: string): Hex =>
  made(`61012c5b5f5f621000005f5f61${address}${gas}f150600190038060035700`);
const copied = '365f5f375f5f365f';

/** A code for each kind of call. */
const codes: [name: string, creation: Hex][] = [
  ['call', made(`${copied}5f600160fe035af100`)],
  ['callcode', made(`${copied}5f600160fe035af200`)],
  ['delegatecall', made(`${copied}600160fe035af400`)],
  ['staticcall', made(`${copied}600160fe035afa00`)],
  ['large', largeCalls('1234', '5a')],
  ['large calls of 0xfd', largeCalls('00fd', '6064')],
];
