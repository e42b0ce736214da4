import { randomUUID } from 'node:crypto';
import type { Hex } from 'viem';
import { encryptEntitySecret, readPublicKey } from '../../../../src/custody/entitySecret';
import type { Transaction } from '../../../../src/custody/objects/transaction';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import {
  blockchain,
  createFundedWallet,
  createUsedWallet,
  createWallets,
  type Exchange,
  settled,
  startTestSandbox,
  type TestSandbox,
  transferOf,
  usdc,
} from '../../../support/sandbox';
import { someone } from '../../../support/stages';

const transfer = 'developer/transactions/transfer';
const execution = 'developer/transactions/contractExecution';

let sandbox: TestSandbox;
let eoa: Wallet;
let sca: Wallet;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  eoa = await createFundedWallet(sandbox.client, 'EOA');
  sca = await createUsedWallet(sandbox.client, 'SCA');
});
afterAll(() => sandbox.stop());

async function ciphertext(): Promise<string> {
  const { publicKey } = await sandbox.client.getPublicKey({});
  return encryptEntitySecret(sandbox.secrets.entitySecret, readPublicKey(publicKey));
}

const post = (url: string, body: object) => sandbox.request('POST', url, { body });
const dataIn = ({ body }: Exchange) => (body as { data: Record<string, string> }).data;

/** The end of a transaction that a request has just made. */
async function endOf(answer: Exchange): Promise<Transaction> {
  expect(answer.status).toBe(201);
  const { id, transactionId } = dataIn(answer);
  return settled(sandbox.client, id ?? transactionId ?? '');
}

const coinsOf = (address: string) => sandbox.chain.client.getBalance({ address: address as Hex });

// Source: direct HTTP of a Python and a Next.js project, one of them with both in the same file.
describe('the ciphertext under another spelling of its name (field B 4)', () => {
  const wrong = 'entitySecretCipherText';
  const set = () => ({ idempotencyKey: randomUUID(), name: 'Tills' });

  it('pays, executes, deploys, and signs', async () => {
    const to = someone();
    const call = { contractAddress: to, callData: '0x12345678', feeLevel: 'MEDIUM' };
    const named = async () => ({ idempotencyKey: randomUUID(), [wrong]: await ciphertext() });
    const order = transferOf(eoa, to);
    expect(await endOf(await post(transfer, { ...order, ...(await named()) }))).toMatchObject({
      state: 'COMPLETE',
      walletId: eoa.id,
    });
    const executed = { ...call, walletId: eoa.id, ...(await named()) };
    expect(await endOf(await post(execution, executed))).toMatchObject({ state: 'COMPLETE' });
    const deployed = { ...sevenOf(withPush0), walletId: eoa.id, ...(await named()) };
    expect(await endOf(await post('contracts/deploy', deployed))).toMatchObject({
      state: 'COMPLETE',
    });
    const signing = { walletId: eoa.id, message: 'hello', [wrong]: await ciphertext() };
    expect((await post('developer/sign/message', signing)).status).toBe(200);
  });

  it('counts once, whatever the spelling: a second use is refused by name', async () => {
    const used = await ciphertext();
    expect((await post('developer/walletSets', { ...set(), [wrong]: used })).status).toBe(201);
    for (const name of [wrong, 'entitySecretCiphertext', 'EntitySecretCiphertext']) {
      expect(await post('developer/walletSets', { ...set(), [name]: used })).toMatchObject({
        status: 400,
        body: { code: 156004 },
      });
    }
  });

  it('beside the right spelling it is ignored, and told', async () => {
    const entitySecretCiphertext = await ciphertext();
    const both = { ...set(), entitySecretCiphertext, [wrong]: 'no ciphertext' };
    const answer = await post('developer/walletSets', both);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-ignored-fields')).toBe(wrong);
  });
});

// Source: ArcSense, and the tests of inf-circle-sdk: "required for native token transfers".
describe('a native transfer by walletId and blockchain without a token (field B 5, F7)', () => {
  const payments: [string, object][] = [
    ['no field for the token', {}],
    ['an empty tokenAddress', { tokenAddress: '' }],
    ['null for all of its fields', { tokenAddress: null, tokenId: null, walletAddress: null }],
  ];
  const kinds: ['EOA' | 'SCA', () => Wallet][] = [
    ['EOA', () => eoa],
    ['SCA', () => sca],
  ];
  const cases = kinds.flatMap(([kind, from]) =>
    payments.map(([name, fields]) => [kind, name, from, fields] as const),
  );

  it.each(cases)('pays native coins of an %s with %s, and is estimated', async (...given) => {
    const [, , from, fields] = given;
    const to = someone();
    const { tokenAddress: _, ...order } = transferOf(from(), to, { amounts: ['0.01'] });
    const record = await endOf(await sandbox.signed(transfer, { ...order, ...fields }));
    expect(record).toMatchObject({ state: 'COMPLETE', amounts: ['0.01'] });
    expect(await coinsOf(to)).toBe(10n ** 16n);
    const { amounts, destinationAddress, walletId } = order;
    const asked = { amounts, destinationAddress, walletId, blockchain, ...fields };
    const estimate = await post('transactions/transfer/estimateFee', asked);
    expect(estimate).toMatchObject({ status: 200, body: { data: { medium: {} } } });
  });

  it('by walletId alone is refused by name, and so is its estimate', async () => {
    const fields = { tokenAddress: undefined, blockchain: undefined };
    const refusal = { status: 400, body: { code: 155228 } };
    const order = transferOf(eoa, someone(), fields);
    expect(await sandbox.signed(transfer, order)).toMatchObject(refusal);
    const { amounts, destinationAddress, walletId } = order;
    const asked = { amounts, destinationAddress, walletId };
    expect(await post('transactions/transfer/estimateFee', asked)).toMatchObject(refusal);
  });

  it('a payable call with walletId and blockchain brings its coins', async () => {
    const contractAddress = await deploySeven(eoa, withPush0);
    const record = await endOf(
      await sandbox.signed(execution, {
        idempotencyKey: randomUUID(),
        walletId: eoa.id,
        blockchain,
        contractAddress,
        abiFunctionSignature: 'seven()',
        abiParameters: [],
        amount: '0.25',
        feeLevel: 'MEDIUM',
      }),
    );
    expect(record.state).toBe('COMPLETE');
    expect(await coinsOf(contractAddress)).toBe(25n * 10n ** 16n);
  });
});

// Source: circle_signer.py of aprin-labs/archimedes, and its pull request #999.
it('a key of version 5 pays once, and is found by a list of wallet ids (field B 6)', async () => {
  const idempotencyKey = '2ed6657d-e927-568b-95e1-2665a8aea6a2';
  const order = transferOf(eoa, someone(), { idempotencyKey });
  const [first, again] = [
    await sandbox.signed(transfer, order),
    await sandbox.signed(transfer, order),
  ];
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(dataIn(again).id).toBe(dataIn(first).id);
  await endOf(first);
  const list = (query: string) => sandbox.request('GET', `transactions?pageSize=50&${query}`);
  const found = await list(`walletIds=${eoa.id},${sca.id}`);
  const { transactions } = (found.body as { data: { transactions: Transaction[] } }).data;
  expect(transactions.filter(({ id }) => id === dataIn(first).id)).toHaveLength(1);
  expect((await list(`walletIds=${eoa.id}&walletIds=${sca.id}`)).status).toBe(400);
});

// Source: the script of SanaAdeelKhan/AgentInvoice.
it('a deployment without a fee, 0x or abiJson is refused by the field (field B 9)', async () => {
  const order = { idempotencyKey: randomUUID(), walletId: eoa.id, ...sevenOf(withPush0) };
  for (const [field, value] of [
    ['feeLevel', undefined],
    ['bytecode', '6001'],
    ['abiJson', undefined],
  ] as const) {
    const { status, body } = await sandbox.signed('contracts/deploy', { ...order, [field]: value });
    expect({ status, text: JSON.stringify(body) }).toEqual({
      status: 400,
      text: expect.stringContaining(field),
    });
  }
});

/** Code that answers 7 to every call. The creation code has PUSH0 where its runtime has it. */
const withPush0 = { runtime: '0x60075f5260205ff3', bytecode: '0x6760075f5260205ff35f5260086018f3' };
const withoutPush0 = {
  runtime: '0x600760005260206000f3',
  bytecode: '0x69600760005260206000f3600052600a6016f3',
};
type Code = typeof withPush0;

function sevenOf({ bytecode }: Code) {
  const abi = [
    {
      type: 'function',
      name: 'seven',
      inputs: [],
      outputs: [{ type: 'uint256' }],
      stateMutability: 'payable',
    },
  ];
  const abiJson = JSON.stringify(abi);
  return { name: 'Seven', blockchain, bytecode, abiJson, feeLevel: 'MEDIUM' as const };
}

async function deploySeven(wallet: Wallet, code: Code): Promise<string> {
  const order = { idempotencyKey: randomUUID(), walletId: wallet.id, ...sevenOf(code) };
  const { contractId, transactionId } = await sandbox.client.deployContract(order);
  expect(await settled(sandbox.client, transactionId)).toMatchObject({ state: 'COMPLETE' });
  const { contract } = await sandbox.client.getContract({ id: contractId });
  return contract.contractAddress ?? '';
}

// Source: circlefin/arc-node #109 says that PUSH0 fails, and #429 that it works since May 2026.
describe('bytecode with PUSH0 (field B 13)', () => {
  it.each([
    ['with PUSH0, from an EOA', () => eoa, withPush0],
    ['with PUSH0, from an SCA', () => sca, withPush0],
    ['without it, from an EOA', () => eoa, withoutPush0],
    ['without it, from an SCA', () => sca, withoutPush0],
  ] as const)('%s: is deployed, and its code runs', async (_what, from, code) => {
    const address = await deploySeven(from(), code);
    expect(await sandbox.chain.client.getCode({ address: address as Hex })).toBe(code.runtime);
    const asked = { address, blockchain, abiFunctionSignature: 'seven()' };
    const { outputValues } = await sandbox.client.queryContract(asked);
    expect(outputValues).toEqual(['7']);
  });
});

// Source: arc-node #91, and pull request #7 of defi-lend-borrow.
describe('a payment that cannot be made is refused by its own code (field B 14)', () => {
  it.each<[string, object, number]>([
    ['seven decimals', { amounts: ['0.0000001'] }, 155221],
    ['a number in powers of ten', { amounts: ['1e-2'] }, 155224],
    ['the zero address', { destinationAddress: `0x${'0'.repeat(40)}` }, 155219],
    ['USDC of a wallet that holds nothing', {}, 155258],
    ['native coins of a wallet that holds nothing', { tokenAddress: '' }, 155258],
  ])('%s', async (what, fields, code) => {
    const [empty] = (await createWallets(sandbox.client, { accountType: 'EOA' })) as [Wallet];
    const from = what.includes('nothing') ? empty : eoa;
    const order = transferOf(from, someone(), { tokenAddress: usdc, ...fields });
    const answer = await sandbox.signed(transfer, order);
    expect(answer).toMatchObject({ status: 400, body: { code } });
  });
});
