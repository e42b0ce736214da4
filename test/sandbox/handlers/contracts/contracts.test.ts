import { randomUUID } from 'node:crypto';
import { concat, type Hex, parseUnits, size, toHex } from 'viem';
import { multicall3 } from '../../../../sandbox/chain/genesis/contracts';
import type { AbiParameter } from '../../../../src/custody/endpoints';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployToken, valuesOf } from '../../../support/chain/deployments';
import { setUp } from '../../../support/jest/setUp';
import {
  blockchain,
  createFundedWallet,
  eurc,
  inSandbox,
  startTestSandbox,
  transferOf,
} from '../../../support/sandbox';

const role = toHex(0, { size: 32 });
/** The precompile that returns what it is given. */
const identity = '0x0000000000000000000000000000000000000004';

const sandbox = inSandbox();
const wallet = setUp(() => sandbox.wallet('SCA'));
const other = setUp(() => sandbox.wallet('SCA'));
const token = setUp(() => deployToken(sandbox.client, wallet, { symbol: 'FST' }));

describe('a call of a contract', () => {
  it('mints: the supply and the balance grow by the amount', async () => {
    const before = await supply();
    const record = await execute(wallet, [other.address, parseUnits('1000', 18).toString()]);
    expect(record).toMatchObject({
      state: 'COMPLETE',
      operation: 'CONTRACT_EXECUTION',
      contractAddress: token.address,
      abiFunctionSignature: 'mintTo(address,uint256)',
      abiParameters: [other.address, '1000000000000000000000'],
      amounts: [],
    });
    const call = { signature: 'balanceOf(address)', parameters: [other.address] };
    expect((await supply()) - before).toBe(parseUnits('1000', 18));
    expect(await valuesOf(sandbox.client, token.address, call)).toEqual(['1000000000000000000000']);
  });

  it('makes a token that wallets hold and can send, like any other', async () => {
    await execute(wallet, [wallet.address, parseUnits('5', 18).toString()]);
    const { id } = await sandbox.client.createTransfer({
      idempotencyKey: randomUUID(),
      walletId: wallet.id,
      destinationAddress: other.address,
      tokenAddress: token.address,
      blockchain,
      amounts: ['2.000000000000000001'],
      feeLevel: 'MEDIUM',
    });
    expect((await sandbox.settled(id)).state).toBe('COMPLETE');
    const { tokenBalances } = await sandbox.client.listBalances({
      id: wallet.id,
      tokenAddress: token.address,
    });
    expect(tokenBalances.map(({ amount, token: { symbol } }) => [amount, symbol])).toEqual([
      ['2.999999999999999999', 'FST'],
    ]);
  });

  it('that the contract refuses ends FAILED with the words of the contract', async () => {
    const record = await execute(other, [other.address, '1']);
    expect(record).toMatchObject({
      state: 'FAILED',
      errorReason: 'ESTIMATION_ERROR',
      errorDetails: 'not minter.',
    });
  });

  it.each<[string, object, number, string]>([
    [
      'at no address',
      { contractAddress: '0x1' },
      155219,
      'Invalid destination address: contractAddress is no address',
    ],
    [
      'with too few parameters',
      { abiParameters: ['1'] },
      155209,
      "ABI function signature can't pack ABI parameter: 2 parameters expected, 1 given",
    ],
    [
      'with a signature that is none',
      { abiFunctionSignature: 'mint to' },
      155209,
      "ABI function signature can't pack ABI parameter: mint to is not a function signature",
    ],
    [
      'with neither signature nor call data',
      { abiFunctionSignature: undefined },
      155230,
      'No abi signature provided.',
    ],
    [
      'with both signature and call data',
      { callData: '0x' },
      155247,
      'Cannot provide both CallData and AbiFunctionSignature/AbiParameters.',
    ],
  ])('is refused %s', async (_what, change, code, message) => {
    const answer = await sandbox.signed('developer/transactions/contractExecution', {
      idempotencyKey: randomUUID(),
      walletId: wallet.id,
      contractAddress: token.address,
      abiFunctionSignature: 'mintTo(address,uint256)',
      abiParameters: [wallet.address, '1'],
      feeLevel: 'MEDIUM',
      ...change,
    });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: { code, message },
    });
  });
});

describe('a query of a contract', () => {
  it('has the raw words of the chain besides its values', async () => {
    const answer = await sandbox.client.queryContract({
      address: token.address,
      blockchain,
      abiFunctionSignature: 'decimals()',
      abiParameters: [],
    });
    expect(answer).toEqual({
      outputValues: ['18'],
      outputData: toHex(18, { size: 32 }),
    });
  });

  it('can be given as call data', async () => {
    const { outputData } = await sandbox.client.queryContract({
      address: token.address,
      blockchain,
      callData: '0x313ce567',
    });
    expect(outputData).toBe(toHex(18, { size: 32 }));
  });

  it.each<[string, () => object, number, string]>([
    ['at no address', () => ({ address: '0x1' }), 175410, 'invalid address format'],
    [
      'where there is no contract',
      () => ({ address: wallet.address.replace(/.{4}$/, 'dead') }),
      175005,
      'address is not a contract address',
    ],
    [
      'of a function that the contract lacks',
      () => ({ abiFunctionSignature: 'mood()' }),
      175010,
      'ABI function not found: mood()',
    ],
    [
      'that the contract refuses, with its own words',
      () => ({ abiFunctionSignature: 'getRoleMember(bytes32,uint256)', abiParameters: [role, 9] }),
      175012,
      'unable to query contract: Panic(0x32)',
    ],
    ['with no list for an interface', () => ({ abiJson: '{}' }), 175007, 'invalid ABI JSON'],
    ['with half an interface', () => ({ abiJson: '[{"type"' }), 175007, 'invalid ABI JSON'],
    [
      'with an interface that lacks the function',
      () => ({ abiJson: '[]' }),
      175010,
      'ABI function not found: decimals()',
    ],
    [
      'with parameters that do not fit',
      () => ({ abiParameters: ['1'] }),
      177008,
      "ABI function signature can't pack ABI parameter: 0 parameters expected, 1 given",
    ],
  ])('is refused %s', async (_what, change, code, message) => {
    const answer = await sandbox.request('POST', 'contracts/query', {
      body: {
        address: token.address,
        blockchain,
        abiFunctionSignature: 'decimals()',
        abiParameters: [],
        ...change(),
      },
    });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: { code, message },
    });
  });
});

describe('a list of bytes in an answer', () => {
  const ask = (data: Hex) =>
    sandbox.request('POST', 'contracts/query', {
      body: {
        address: multicall3,
        blockchain,
        abiFunctionSignature:
          'aggregate3((address,bool,bytes)[]) returns ((bool,(uint256,bytes[]))[])',
        // The answer has the length of the data and the data, which are read as a struct.
        abiParameters: [[[identity, false, data]]],
      },
    });
  const listOf = (offsets: readonly number[], ...tails: readonly Hex[]) =>
    concat([
      ...[64, offsets.length, ...offsets].map((word) => toHex(word, { size: 32 })),
      ...tails,
    ]);
  const tail = concat([toHex(64, { size: 32 }), `0x${'5a'.repeat(64)}`]);

  it('is told where each part has its own bytes', async () => {
    const parts = [`0x${'5a'.repeat(64)}`, `0x${'5a'.repeat(64)}`];
    const data = listOf([64, 160], tail, tail);
    const outputValues = [[[true, [`${size(data)}`, parts]]]];
    expect(await ask(data)).toMatchObject({ status: 200, body: { data: { outputValues } } });
  });

  it('is refused where parts share them, which could be two thousand times a large one', async () => {
    const message = 'unable to query contract: the answer does not fit the outputs of the function';
    const refused = { status: 400, body: { code: 175012, message } };
    expect(await ask(listOf([64, 64], tail))).toEqual(expect.objectContaining(refused));
  });
});

describe('a node that does not answer', () => {
  it('is a fault of the service, and nothing that a contract or a token would be', async () => {
    const broken = await startTestSandbox();
    const from = await createFundedWallet(broken.client);
    const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    // A stopped one is not replaced.
    await broken.chain.stop();
    const body = { address: eurc, blockchain, abiFunctionSignature: 'decimals()' };
    const order = transferOf(from, from.address, { tokenAddress: `0x${'70'.repeat(20)}` });
    const answers = [
      await broken.request('POST', 'contracts/query', { body }),
      await broken.signed('developer/transactions/transfer', order),
    ];
    await broken.stop();
    said.mockRestore();
    const fault = { status: 500, body: { code: 500, message: 'Something went wrong' } };
    expect(answers).toEqual([expect.objectContaining(fault), expect.objectContaining(fault)]);
  });
});

async function supply(): Promise<bigint> {
  const values = await valuesOf(sandbox.client, token.address, { signature: 'totalSupply()' });
  return BigInt(String(values?.[0]));
}

async function execute(from: Wallet, abiParameters: AbiParameter[]) {
  return sandbox.call(from, {
    to: token.address,
    signature: 'mintTo(address,uint256)',
    parameters: abiParameters,
  });
}
