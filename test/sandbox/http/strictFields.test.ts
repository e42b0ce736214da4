import { randomUUID } from 'node:crypto';
import { templateIds } from '../../../src/custody/objects/template';
import { deploymentOf } from '../../support/chain/deployments';
import { setUp } from '../../support/jest/setUp';
import { blockchain, inSandbox, transferOf, usdc } from '../../support/sandbox';

const transfer = 'developer/transactions/transfer';
const execution = 'developer/transactions/contractExecution';
const transferFee = 'transactions/transfer/estimateFee';
const executionFee = 'transactions/contractExecution/estimateFee';
const deploy = `templates/${templateIds.fungible}/deploy`;
const stranger = '0x00000000000000000000000000000000000057a2';

const sandbox = inSandbox();
const eoa = setUp(() => sandbox.fundedWallet('EOA'));
beforeAll(async () => {
  await sandbox.request('PATCH', '/_sandbox/settings', { body: { fields: 'strict' } });
});

const calling = (fields: object = {}) => ({
  idempotencyKey: randomUUID(),
  walletId: eoa.id,
  contractAddress: usdc,
  abiFunctionSignature: 'approve(address,uint256)',
  abiParameters: [stranger, '1'],
  feeLevel: 'MEDIUM',
  ...fields,
});
const estimating = (fields: object = {}) => ({
  walletId: eoa.id,
  tokenAddress: usdc,
  blockchain,
  destinationAddress: stranger,
  amounts: ['1'],
  ...fields,
});
const creating = (fields: object = {}) => ({
  idempotencyKey: randomUUID(),
  walletSetId: eoa.walletSetId,
  blockchains: [blockchain],
  count: 1,
  ...fields,
});

async function refusal(url: string, body: object) {
  const isEstimate = url.endsWith('estimateFee') || !/deploy|developer/.test(url);
  const { status, body: said } = isEstimate
    ? await sandbox.request('POST', url, { body })
    : await sandbox.signed(url, body);
  const { code, errors } = said as { code: number; errors?: { location: string; error: string }[] };
  return { status, code, ...(errors && { fields: errors.map((one) => one.location) }) };
}

describe('a blockchain that is not served', () => {
  const bodies: [string, string, (name: string) => object, 'wallets' | 'contracts', boolean][] = [
    ['wallets', 'developer/wallets', (name) => creating({ blockchains: [name] }), 'wallets', false],
    [
      'a transfer',
      transfer,
      (name) => transferOf(eoa, stranger, { blockchain: name }),
      'wallets',
      true,
    ],
    ['a call', execution, (name) => calling({ blockchain: name }), 'wallets', true],
    ['an estimate', transferFee, (name) => estimating({ blockchain: name }), 'wallets', true],
    [
      'an address that is looked at',
      'transactions/validateAddress',
      (name) => ({ address: stranger, blockchain: name }),
      'wallets',
      false,
    ],
    [
      'a drip',
      '/v1/faucet/drips',
      (name) => ({ address: stranger, blockchain: name, usdc: true }),
      'wallets',
      false,
    ],
    ['a deployment', deploy, (name) => deploymentOf(eoa, { blockchain: name }), 'contracts', true],
    [
      'a query',
      'contracts/query',
      (name) => ({ address: usdc, blockchain: name, abiFunctionSignature: 'decimals()' }),
      'contracts',
      false,
    ],
  ];
  const codes = {
    wallets: { mainnet: 156006, mismatch: 155225, other: 156027 },
    contracts: { mainnet: 175404, mismatch: 177024, other: 175402 },
  };

  it.each(bodies)('is refused for %s by what it is', async (what, url, body, side, isOfWallet) => {
    const known = isOfWallet ? codes[side].mismatch : codes[side].other;
    const location = what === 'wallets' ? 'blockchains.0' : 'blockchain';
    for (const mainnet of ['ETH', 'ARC', 'BASE']) {
      expect(await refusal(url, body(mainnet))).toEqual({ status: 400, code: codes[side].mainnet });
    }
    expect(await refusal(url, body('ETH-SEPOLIA'))).toEqual({ status: 400, code: known });
    expect(await refusal(url, body('BITCOIN'))).toEqual({
      status: 400,
      code: 2,
      fields: [location],
    });
  });

  it('is an unknown word on the contract side where no contract can be', async () => {
    const body = deploymentOf(eoa, { blockchain: 'SOL-DEVNET' });
    expect(await refusal(deploy, body)).toMatchObject({ code: 2, fields: ['blockchain'] });
  });
});

describe('a request is refused for what goes with its fields', () => {
  const byAddress = () => ({ walletId: undefined, walletAddress: eoa.address });
  const from = { walletId: undefined, sourceAddress: stranger };
  const none = { walletId: undefined };
  it.each<[string, string, () => object, string]>([
    [
      'a transfer by address',
      transfer,
      () => transferOf(eoa, stranger, { ...byAddress(), tokenAddress: '', blockchain: undefined }),
      'blockchain',
    ],
    ['a call by address', execution, () => calling(byAddress()), 'blockchain'],
    [
      'an estimate by address',
      executionFee,
      () => ({ ...calling(from), feeLevel: undefined, idempotencyKey: undefined }),
      'blockchain',
    ],
    ['a transfer from nobody', transfer, () => transferOf(eoa, stranger, none), 'walletId'],
    ['a call from nobody', execution, () => calling(none), 'walletId'],
    ['an estimate for nobody', transferFee, () => estimating(none), 'walletId'],
    [
      'the estimate of a deployment by nobody',
      `${deploy}/estimateFee`,
      () => ({ blockchain }),
      'walletId',
    ],
  ])('%s', async (_what, url, body, field) => {
    expect(await refusal(url, body())).toEqual({ status: 400, code: 2, fields: [field] });
  });

  it('but not for a chain where the wallet has an id, as the SDK sends it', async () => {
    const order = transferOf(eoa, stranger, { blockchain: undefined });
    expect((await sandbox.signed(transfer, order)).status).toBe(201);
  });

  it('by 155226 where the sender is no address', async () => {
    const sender = { walletId: undefined, walletAddress: '0x1', blockchain };
    expect(await refusal(transfer, transferOf(eoa, stranger, sender))).toEqual({
      status: 400,
      code: 155226,
    });
  });

  it('a drip of nothing', async () => {
    const drip = { address: stranger, blockchain, usdc: false };
    expect(await refusal('/v1/faucet/drips', drip)).toMatchObject({ code: 2, fields: ['usdc'] });
  });

  it('a fee whose type is another than its fields', async () => {
    const fee = (type: string, config: object) =>
      refusal(transfer, transferOf(eoa, stranger, { feeLevel: undefined, fee: { type, config } }));
    const prices = { maxFee: '50', priorityFee: '1', gasLimit: '100000' };
    const wrong = { status: 400, code: 2, fields: ['fee'] };
    expect([
      await fee('level', prices),
      await fee('absolute', { feeLevel: 'LOW' }),
      await fee('gas', prices),
    ]).toEqual([wrong, wrong, wrong]);
    const order = transferOf(eoa, stranger, { feeLevel: undefined });
    const good = { ...order, fee: { type: 'absolute', config: prices } };
    expect((await sandbox.signed(transfer, good)).status).toBe(201);
  });
});

describe('filters of lists', () => {
  it('take the words of the hosted service for scaCore, and no others', async () => {
    const list = (core: string) => sandbox.request('GET', `wallets?scaCore=${core}`);
    expect((await list('circle_4337_v1')).body).toEqual({ data: { wallets: [] } });
    expect(await list('circle_9')).toMatchObject({ status: 400, body: { code: 2 } });
  });

  it('take the standards of other chains, which find no balance', async () => {
    const list = (word: string) =>
      sandbox.request('GET', `wallets/${eoa.id}/balances?standard=${word}`);
    expect((await list('FungibleAsset')).body).toEqual({ data: { tokenBalances: [] } });
    expect(await list('ERC21')).toMatchObject({ status: 400, body: { code: 155240 } });
  });
});

describe('ids and keys', () => {
  it.each([
    ['a version 9', '6f5dd5d0-8b69-9b1f-f4a2-4b5a1d3f0c11'],
    ['all ones', 'ffffffff-ffff-0fff-ffff-fffffffffff1'],
  ])('count in the shape of any UUID: %s', async (_what, idempotencyKey) => {
    const first = await sandbox.signed('developer/walletSets', { idempotencyKey });
    expect(first.status).toBe(201);
    const { status, body } = await sandbox.request('GET', `wallets/${idempotencyKey}`);
    expect({ status, body }).toMatchObject({ status: 404, body: { code: 156001 } });
    const rule = { kind: 'delay', delayMs: 1, count: 1, walletId: idempotencyKey };
    const plan = { seed: 1, rules: [rule] };
    const planned = await sandbox.request('POST', `${sandbox.origin}/_sandbox/faults`, {
      headers: {},
      body: plan,
    });
    expect(planned.status).toBe(200);
  });
});

describe('the parameters of a call', () => {
  it('are shown as text, also where they are lists', async () => {
    const order = calling({
      abiFunctionSignature: 'many(uint256,bool,(uint8,bool)[])',
      abiParameters: [1, true, [[2, false]]],
    });
    const { body } = await sandbox.signed(execution, order);
    const { id } = (body as { data: { id: string } }).data;
    const record = await sandbox.settled(id);
    expect(record.abiParameters).toEqual(['1', 'true', [['2', 'false']]]);
  });
});

describe('a key that was used with one id in the path', () => {
  it('does not answer for another transaction, or another template', async () => {
    // A stuck transaction stays in flight, however long the calls take.
    const stuck = () => sandbox.api.createTransfer(transferOf(eoa, stranger), { fate: 'stuck' });
    const [first, second] = await Promise.all([stuck(), stuck()]);
    const body = { idempotencyKey: randomUUID() };
    const cancel = (id = '') => sandbox.signed(`developer/transactions/${id}/cancel`, body);
    const answers = [await cancel(first?.id), await cancel(first?.id), await cancel(second?.id)];
    expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[2]).toMatchObject({ status: 403, body: { code: 156020 } });
    const deployment = deploymentOf(eoa);
    expect((await sandbox.signed(deploy, deployment)).status).toBe(201);
    const other = await sandbox.signed(`templates/${templateIds.airdrop}/deploy`, deployment);
    expect(other).toMatchObject({ status: 409, body: { code: 175403 } });
  });
});
