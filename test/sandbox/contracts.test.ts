import { randomUUID } from 'node:crypto';
import { getAddress, type Hex, keccak256, parseUnits, toHex, zeroAddress } from 'viem';
import type { AbiParameter } from '../../src/custody/endpoints';
import { templateIds } from '../../src/custody/template';
import type { Wallet } from '../../src/custody/wallet';
import {
  blockchain,
  createFundedWallet,
  createWallets,
  settled,
  startTestSandbox,
  type TestSandbox,
} from '../support/sandbox';

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const seconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const finerThanSeconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const decimal = expect.stringMatching(/^(0|[1-9]\d*)(\.\d+)?$/);
const minterRole = keccak256(toHex('MINTER_ROLE'));

let sandbox: TestSandbox;
let wallet: Wallet;
let other: Wallet;
/** With all eight parameters; what most tests look at. */
let token: { contractId: string; transactionId: string; address: string };

beforeAll(async () => {
  sandbox = await startTestSandbox();
  const [first, second] = await createWallets(sandbox.client, { count: 2, accountType: 'SCA' });
  if (first === undefined || second === undefined) throw new Error('No wallets were created.');
  wallet = first;
  other = second;
  token = await deployed({
    symbol: 'FST',
    platformFeeRecipient: other.address,
    platformFeePercent: 0.0125,
    contractUri: 'https://example.com/fst.json',
    trustedForwarders: [other.address],
  });
});
afterAll(() => sandbox.stop());

describe('a deployment from the fungible template', () => {
  it('answers 201 with the ids of the contract and of the transaction, and nothing else', async () => {
    const { status, body } = await sandbox.signed(
      `templates/${templateIds.fungible}/deploy`,
      deployment(),
    );
    expect({ status, body }).toEqual({
      status: 201,
      body: { data: { contractIds: [uuid], transactionId: uuid } },
    });
  });

  it('has a transaction with every field of the interface', async () => {
    const { body } = await sandbox.request('GET', `transactions/${token.transactionId}`);
    expect(body).toEqual({
      data: {
        transaction: {
          id: token.transactionId,
          blockchain,
          walletId: wallet.id,
          sourceAddress: wallet.address,
          contractAddress: token.address,
          transactionType: 'OUTBOUND',
          custodyType: 'DEVELOPER',
          state: 'COMPLETE',
          amounts: [],
          nfts: null,
          txHash: hash,
          blockHash: hash,
          blockHeight: expect.any(Number),
          userOpHash: hash,
          networkFee: decimal,
          firstConfirmDate: seconds,
          operation: 'CONTRACT_EXECUTION',
          feeLevel: 'MEDIUM',
          estimatedFee: {
            gasLimit: expect.stringMatching(/^\d+$/),
            networkFee: decimal,
            baseFee: decimal,
            priorityFee: decimal,
            maxFee: decimal,
          },
          refId: 'our first token',
          abiFunctionSignature: 'deploy(address,bytes,bytes32)',
          abiParameters: [expect.any(String), expect.any(String), expect.any(String)],
          createDate: seconds,
          updateDate: seconds,
        },
      },
    });
  });

  it('has a contract record with its fields, COMPLETE at the address of the contract', async () => {
    const { body } = await sandbox.request('GET', `contracts/${token.contractId}`);
    const { transaction } = await sandbox.client.getTransaction({ id: token.transactionId });
    expect(body).toEqual({
      data: {
        contract: {
          id: token.contractId,
          blockchain,
          name: 'Console name',
          description: 'For a test',
          status: 'COMPLETE',
          contractAddress: token.address,
          contractInputType: 'TEMPLATE',
          archived: false,
          verificationStatus: 'UNVERIFIED',
          sourceCode: [],
          functions: expect.arrayContaining([expect.objectContaining({ name: 'mintTo' })]),
          events: expect.arrayContaining([expect.objectContaining({ name: 'TokensMinted' })]),
          abiJson: expect.stringContaining('"mintTo"'),
          deployerAddress: wallet.address,
          deployerWalletID: wallet.id,
          deploymentTransactionId: token.transactionId,
          txHash: transaction.txHash,
          createDate: finerThanSeconds,
          updateDate: finerThanSeconds,
        },
      },
    });
  });

  it('shows a contract that is PENDING and has no address before it is mined', async () => {
    const answer = await sandbox.client.deployTemplate({
      id: templateIds.fungible,
      ...deployment(),
    });
    const id = answer.contractIds[0] ?? '';
    const { contract } = await sandbox.client.getContract({ id });
    expect(contract).toMatchObject({ status: 'PENDING' });
    expect(Object.keys(contract)).not.toContain('contractAddress');
  });

  it.each<[string, string, AbiParameter[] | (() => AbiParameter[]), unknown[] | (() => unknown[])]>(
    [
      ['name', 'name()', [], ['First Token']],
      ['symbol', 'symbol()', [], ['FST']],
      ['18 decimals', 'decimals()', [], [18]],
      ['no supply', 'totalSupply()', [], ['0']],
      ['contractUri', 'contractURI()', [], ['https://example.com/fst.json']],
      ['primarySaleRecipient', 'primarySaleRecipient()', [], () => [getAddress(wallet.address)]],
      [
        'platformFeeRecipient and platformFeePercent, in basis points',
        'getPlatformFeeInfo()',
        [],
        () => [getAddress(other.address), 125],
      ],
      ['trustedForwarders', 'isTrustedForwarder(address)', () => [other.address], [true]],
      [
        'defaultAdmin, who may mint',
        'hasRole(bytes32,address)',
        () => [minterRole, wallet.address],
        [true],
      ],
      [
        'nobody else who may mint',
        'hasRole(bytes32,address)',
        () => [minterRole, other.address],
        [false],
      ],
    ],
  )('has on the chain its %s', async (_what, signature, parameters, values) => {
    const read = await query(
      signature,
      typeof parameters === 'function' ? parameters() : parameters,
    );
    expect(read.outputValues).toEqual(typeof values === 'function' ? values() : values);
  });

  it('needs no more than its three required parameters', async () => {
    const { address } = await deployed({});
    expect((await query('symbol()', [], address)).outputValues).toEqual(['']);
    expect((await query('getPlatformFeeInfo()', [], address)).outputValues).toEqual([
      zeroAddress,
      0,
    ]);
  });

  it.each([0, '0', '0.5', 1])('takes a fee of %j, as a number or as text', async (percent) => {
    const { address } = await deployed({
      platformFeeRecipient: other.address,
      platformFeePercent: percent,
    });
    expect((await query('getPlatformFeeInfo()', [], address)).outputValues).toEqual([
      getAddress(other.address),
      Number(percent) * 10_000,
    ]);
  });

  it('gives every contract an address of its own, also with the same parameters', async () => {
    const both = await Promise.all([deployed({}), deployed({})]);
    expect(new Set(both.map(({ address }) => address)).size).toBe(2);
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: '' }],
    ['defaultAdmin', { defaultAdmin: undefined }],
    ['primarySaleRecipient', { primarySaleRecipient: undefined }],
  ])('is refused without its %s', async (name, change) => {
    expect(await refusal({ templateParameters: parameters(change) })).toEqual({
      status: 400,
      body: { code: 175204, message: `template parameter missing: ${name}` },
    });
  });

  it.each<[string, object, string]>([
    ['an administrator who is no address', { defaultAdmin: 'me' }, 'defaultAdmin'],
    ['a recipient who is no address', { primarySaleRecipient: '0x1' }, 'primarySaleRecipient'],
    ['a symbol that is no text', { symbol: 5 }, 'symbol'],
    ['a forwarder who is no address', { trustedForwarders: ['0x1'] }, 'trustedForwarders.0'],
    ['forwarders that are no list', { trustedForwarders: '0x1' }, 'trustedForwarders'],
    ['a fee above all there is', { platformFeePercent: 1.5 }, 'platformFeePercent'],
    ['a fee below nothing', { platformFeePercent: -0.1 }, 'platformFeePercent'],
    ['a fee that is no number', { platformFeePercent: 'much' }, 'platformFeePercent'],
    ['a parameter that the template lacks', { decimals: 6 }, 'decimals'],
    [
      'a fee without a recipient',
      { platformFeePercent: 0.1 },
      'platformFeePercent needs platformFeeRecipient',
    ],
  ])('is refused with %s', async (_what, change, named) => {
    const recipient = named.includes('needs') ? {} : { platformFeeRecipient: other.address };
    const templateParameters = parameters({ ...recipient, ...change });
    expect(await refusal({ templateParameters })).toEqual({
      status: 400,
      body: { code: 175203, message: `template parameter invalid: ${named}` },
    });
  });

  it.each<[string, object, string, number, number, string]>([
    ['a template that is not there', {}, randomUUID(), 404, 175201, 'template not found'],
    [
      'a wallet that is not there',
      { walletId: randomUUID() },
      templateIds.fungible,
      400,
      177601,
      'Cannot find target wallet in the system',
    ],
    [
      'another chain',
      { blockchain: 'ETH-SEPOLIA' },
      templateIds.fungible,
      400,
      175402,
      'The blockchain is not supported here: ETH-SEPOLIA',
    ],
  ])('is refused with %s', async (_what, change, template, status, code, message) => {
    expect(await refusal(change, template)).toEqual({ status, body: { code, message } });
  });

  it.each(['SCA', 'EOA'] as const)(
    'of an %s that no transaction can hold ends FAILED, and holds up nobody else',
    async (type) => {
      const from = await createFundedWallet(sandbox.client, type);
      const name = 'x'.repeat(20_000);
      const { contractIds, transactionId } = await sandbox.client.deployTemplate({
        id: templateIds.fungible,
        ...deployment({ walletId: from.id, templateParameters: parameters({ name }) }),
      });
      const next = await deployed({});
      const { contract } = await sandbox.client.getContract({ id: contractIds[0] ?? '' });
      expect(await settled(sandbox.client, transactionId)).toMatchObject({
        state: 'FAILED',
        errorReason: 'ESTIMATION_ERROR',
        errorDetails: expect.stringMatching(/\d+ gas/),
      });
      expect(contract).toMatchObject({ status: 'FAILED' });
      expect(next.address).toMatch(/^0x/);
    },
  );

  it('is taken in the form of the client library too, with its fee as an object', async () => {
    const { feeLevel: _, ...rest } = deployment();
    const fee = { type: 'level', config: { feeLevel: 'LOW' } };
    const url = `templates/${templateIds.fungible}/deploy`;
    const { body } = await sandbox.signed(url, { ...rest, fee });
    const { transactionId } = (body as { data: { transactionId: string } }).data;
    expect(await settled(sandbox.client, transactionId)).toMatchObject({
      state: 'COMPLETE',
      feeLevel: 'LOW',
    });
  });
});

describe('a call of a contract', () => {
  it('mints: the supply and the balance grow by the amount', async () => {
    const before = BigInt(String((await query('totalSupply()', [])).outputValues?.[0]));
    const record = await execute(wallet, [other.address, parseUnits('1000', 18).toString()]);
    expect(record).toMatchObject({
      state: 'COMPLETE',
      operation: 'CONTRACT_EXECUTION',
      contractAddress: token.address,
      abiFunctionSignature: 'mintTo(address,uint256)',
      abiParameters: [other.address, '1000000000000000000000'],
      amounts: [],
    });
    const { outputValues } = await query('totalSupply()', []);
    const { outputValues: held } = await query('balanceOf(address)', [other.address]);
    expect(BigInt(String(outputValues?.[0])) - before).toBe(parseUnits('1000', 18));
    expect(held).toEqual(['1000000000000000000000']);
  });

  it('makes a token that wallets hold and can send, like any other', async () => {
    await execute(wallet, [wallet.address, parseUnits('5', 18).toString()]);
    const { id } = await sandbox.client.createTransfer({
      idempotencyKey: randomUUID(),
      walletId: wallet.id,
      destinationAddress: other.address,
      tokenAddress: token.address,
      amounts: ['2.000000000000000001'],
      feeLevel: 'MEDIUM',
    });
    expect((await settled(sandbox.client, id)).state).toBe('COMPLETE');
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
    ['at no address', { contractAddress: '0x1' }, 155219, 'The contract address is invalid'],
    [
      'with too few parameters',
      { abiParameters: ['1'] },
      155209,
      'The ABI function signature or parameters do not match: 2 parameters expected, 1 given',
    ],
    [
      'with a signature that is none',
      { abiFunctionSignature: 'mint to' },
      155209,
      'The ABI function signature or parameters do not match: mint to is not a function signature',
    ],
    [
      'with neither signature nor call data',
      { abiFunctionSignature: undefined },
      155230,
      'abiFunctionSignature is required',
    ],
    [
      'with both signature and call data',
      { callData: '0x' },
      155247,
      'Give either callData or abiFunctionSignature, not both',
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
    expect(await query('decimals()', [])).toEqual({
      outputValues: [18],
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
    ['at no address', () => ({ address: '0x1' }), 175410, 'address format is invalid'],
    [
      'where there is no contract',
      () => ({ address: wallet.address.replace(/.{4}$/, 'dead') }),
      175012,
      'query failed: the address has no code',
    ],
    [
      'of a function that the contract lacks',
      () => ({ abiFunctionSignature: 'mood()' }),
      175012,
      'query failed: the call reverted',
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

function parameters(change: object): Record<string, unknown> {
  return {
    name: 'First Token',
    defaultAdmin: wallet.address,
    primarySaleRecipient: wallet.address,
    ...change,
  };
}

function deployment(change: object = {}) {
  return {
    idempotencyKey: randomUUID(),
    name: 'Console name',
    description: 'For a test',
    walletId: wallet.id,
    blockchain,
    templateParameters: parameters({}),
    feeLevel: 'MEDIUM' as const,
    refId: 'our first token',
    ...change,
  };
}

async function deployed(change: object): Promise<typeof token> {
  const { contractIds, transactionId } = await sandbox.client.deployTemplate({
    id: templateIds.fungible,
    ...deployment({ templateParameters: parameters(change) }),
  });
  await settled(sandbox.client, transactionId);
  const contractId = contractIds[0] ?? '';
  const { contract } = await sandbox.client.getContract({ id: contractId });
  return { contractId, transactionId, address: contract.contractAddress ?? '' };
}

async function refusal(change: object, template: string = templateIds.fungible) {
  const answer = await sandbox.signed(`templates/${template}/deploy`, deployment(change));
  return { status: answer.status, body: answer.body };
}

async function execute(from: Wallet, abiParameters: AbiParameter[]) {
  const { id } = await sandbox.client.executeContract({
    idempotencyKey: randomUUID(),
    walletId: from.id,
    contractAddress: token.address,
    abiFunctionSignature: 'mintTo(address,uint256)',
    abiParameters,
    feeLevel: 'MEDIUM',
  });
  return settled(sandbox.client, id);
}

function query(
  abiFunctionSignature: string,
  abiParameters: AbiParameter[],
  address: string | Hex = token.address,
) {
  const call = { address, blockchain, abiFunctionSignature, abiParameters };
  return sandbox.client.queryContract(call);
}
