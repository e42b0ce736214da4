import { randomUUID } from 'node:crypto';
import { encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem';
import { callFromAddresses } from '../../../../sandbox/chain/genesis/contracts';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { setUp } from '../../../support/jest/setUp';
import { inSandbox, transferOf, usdc } from '../../../support/sandbox';
import { someone } from '../../../support/stages';

const execution = 'transactions/contractExecution/estimateFee';

const sandbox = inSandbox();
const eoa = setUp(() => sandbox.usedWallet('EOA'));
const sca = setUp(() => sandbox.usedWallet('SCA'));

async function set(settings: object): Promise<void> {
  const url = `${sandbox.origin}/_sandbox/settings`;
  const { status } = await sandbox.request('PATCH', url, { headers: {}, body: settings });
  expect(status).toBe(200);
}
afterEach(() => set({ feeCap: '1', settleMs: 50 }));

const payment = (): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address(), 1n] });
const address = () => getAddress(someone());

/** A call that pays many recipients. */
function batch(payer: Wallet, lineCount: number) {
  const lines = Array.from({ length: lineCount }, payment);
  const isSca = payer.accountType === 'SCA';
  return {
    walletId: payer.id,
    contractAddress: isSca ? payer.address : callFromAddresses.multicall3From,
    abiFunctionSignature: isSca
      ? 'executeBatch((address,uint256,bytes)[])'
      : 'aggregate3((address,bool,bytes)[])',
    abiParameters: [lines.map((line) => [usdc, isSca ? '0' : false, line])],
  };
}

const execute = (call: object, fee: object = { feeLevel: 'MEDIUM' }) =>
  sandbox.signed('developer/transactions/contractExecution', {
    idempotencyKey: randomUUID(),
    ...fee,
    ...call,
  });

async function recordOf({ body }: { body: unknown }) {
  const { data } = body as { data: { id: string } };
  return sandbox.settled(data.id);
}

const kinds: ['EOA' | 'SCA', () => Wallet][] = [
  ['EOA', () => eoa],
  ['SCA', () => sca],
];

describe.each(kinds)('a batch of an %s', (_type, payer) => {
  it('may have as much gas as a transaction', async () => {
    const answer = await execute(batch(payer(), 420));
    expect(answer).toMatchObject({ status: 201 });
    const record = await recordOf(answer);
    expect(record.state).toBe('COMPLETE');
    expect(Number(record.estimatedFee?.gasLimit)).toBeGreaterThan(10_000_000);
  });

  it.each([700, 1_000])('is refused with 155207 where it needs more: %s lines', async (count) => {
    const call = batch(payer(), count);
    const refusal = { status: 400, body: { code: 155207 } };
    expect(await sandbox.request('POST', execution, { body: call })).toMatchObject(refusal);
    expect(await execute(call)).toMatchObject(refusal);
  });

  it('is refused with 155211 where it costs more than the cap, which can be changed', async () => {
    const call = batch(payer(), 20);
    await set({ feeCap: '0.02' });
    const refusal = { status: 400, body: { code: 155211 } };
    expect(await execute(call)).toMatchObject(refusal);
    expect(await sandbox.request('POST', execution, { body: call })).toMatchObject(refusal);
    await set({ feeCap: '0.2' });
    expect((await sandbox.request('POST', execution, { body: call })).status).toBe(200);
    expect((await recordOf(await execute(call))).state).toBe('COMPLETE');
  });

  it('fails where the cap is lower once it is signed', async () => {
    await set({ settleMs: 3_600_000 });
    const answer = await execute(batch(payer(), 20));
    expect(answer.status).toBe(201);
    await set({ settleMs: 50, feeCap: '0.02' });
    expect(await recordOf(answer)).toMatchObject({
      state: 'FAILED',
      errorReason: 'FEE_EXCEEDS_MAX_ALLOWANCE',
      errorDetails: expect.stringContaining('may offer 0.02 at most'),
    });
  });
});

describe.each(kinds)('a transfer of an %s', (_type, payer) => {
  it('is refused with 155211 where its estimate costs more than the cap', async () => {
    const order = () => transferOf(payer(), someone(), { amounts: ['0.000001'] });
    await set({ feeCap: '0.003' });
    const answer = await sandbox.signed('developer/transactions/transfer', order());
    expect(answer).toMatchObject({ status: 400, body: { code: 155211 } });
    // Between the fees of the two kinds of accounts.
    await set({ feeCap: '0.02' });
    const { amounts, destinationAddress, tokenAddress, walletId, blockchain } = order();
    const body = { amounts, destinationAddress, tokenAddress, walletId, blockchain };
    const url = 'transactions/transfer/estimateFee';
    const isDear = payer().accountType === 'SCA';
    expect(await sandbox.request('POST', url, { body })).toMatchObject(
      isDear ? { status: 400, body: { code: 155211 } } : { status: 200 },
    );
    const sent = await sandbox.signed('developer/transactions/transfer', order());
    expect(sent.status).toBe(isDear ? 400 : 201);
  });
});

it('a gas limit of the caller is refused by the same cap', async () => {
  const call = batch(eoa, 20);
  const own = (gasLimit: string) => ({ maxFee: '50', priorityFee: '1', gasLimit });
  await set({ feeCap: '0.05' });
  const refusal = { status: 400, body: { code: 155211 } };
  expect(await execute(call, own('1000001'))).toMatchObject(refusal);
  expect((await recordOf(await execute(call, own('1000000')))).state).toBe('COMPLETE');
});
