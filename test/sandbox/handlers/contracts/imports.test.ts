import { randomUUID } from 'node:crypto';
import { getAddress, keccak256, toHex } from 'viem';
import { predictCode } from '../../../../sandbox/chain/genesis/codeDeployer';
import type { Input } from '../../../../src/custody/endpoints';
import type { Contract } from '../../../../src/custody/objects/contract';
import {
  codeDeploymentOf,
  deployBytecode,
  fixedSupply,
  importOf,
} from '../../../support/chain/bytecode';
import { deployToken, valuesOf } from '../../../support/chain/deployments';
import { deployCode } from '../../../support/chain/foreignToken';
import { setUp } from '../../../support/jest/setUp';
import {
  blockchain,
  createFundedWallet,
  eurc,
  inSandbox,
  startTestSandbox,
  usdc,
} from '../../../support/sandbox';

const sandbox = inSandbox();
const wallet = setUp(() => sandbox.fundedWallet());
const token = setUp(() => deployBytecode(sandbox.client, wallet));

describe('an imported contract', () => {
  it('has a record without a deployment, and its key the same answer again', async () => {
    const order = importOf(usdc, { name: 'Dollars', description: 'The coin' });
    const first = await sandbox.request('POST', 'contracts/import', { body: order });
    const again = await sandbox.request('POST', 'contracts/import', { body: order });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    const { contract } = (first.body as { data: { contract: Contract } }).data;
    expect(contract).toEqual({
      id: contract.id,
      blockchain,
      name: 'Dollars',
      description: 'The coin',
      status: 'COMPLETE',
      contractAddress: usdc,
      contractInputType: 'IMPORT',
      archived: false,
      verificationStatus: 'UNVERIFIED',
      sourceCode: [],
      functions: expect.arrayContaining([expect.objectContaining({ name: 'transfer' })]),
      events: expect.arrayContaining([expect.objectContaining({ name: 'Transfer' })]),
      abiJson: expect.stringContaining('"balanceOf"'),
      createDate: expect.any(String),
      updateDate: expect.any(String),
    });
    expect((await sandbox.client.getContract({ id: contract.id })).contract).toEqual(contract);
  });

  it('has the interface of the template that it is a clone of', async () => {
    const { templates } = sandbox.chain.contracts;
    const template = await deployToken(sandbox.client, wallet);
    const clone = await deployCode(sandbox.client, wallet, cloneOf(templates.TokenERC20));
    const { contract } = await sandbox.client.importContract(importOf(clone));
    const { contract: known } = await sandbox.client.getContract({ id: template.contractId });
    expect(contract.abiJson).toBe(known.abiJson);
  });

  it('has the interface of the same code that was deployed here', async () => {
    const code = await sandbox.chain.client.getCode({ address: getAddress(token.address) });
    const twin = await deployCode(sandbox.client, wallet, String(code).slice(2));
    const { contract } = await sandbox.client.importContract(importOf(twin));
    expect(JSON.parse(contract.abiJson ?? '')).toEqual(JSON.parse(fixedSupply.abiJson));
    expect(await valuesOf(sandbox.client, twin, { signature: 'totalSupply()' })).toEqual(['0']);
  });

  it('has no interface where nobody knows it, until it is looked for again', async () => {
    const eoa = await sandbox.fundedWallet('EOA');
    const stranger = await deployCode(sandbox.client, eoa, '602a5f5260205ff3');
    const order = importOf(stranger, { name: 'Stranger' });
    const { contract } = await sandbox.client.importContract(order);
    expect(contract).toMatchObject({ functions: [], events: [] });
    expect(contract.abiJson).toBeUndefined();
    const abiJson = '[{"type":"function","name":"mood","inputs":[],"outputs":[{"type":"uint8"}]}]';
    // Copies what follows, and returns it: the same code, with an interface this time.
    await deployBytecode(sandbox.client, wallet, {
      bytecode: '0x6008600b5f3960085ff300602a5f5260205ff3',
      abiJson,
      constructorParameters: [],
    });
    const answer = await sandbox.request('POST', 'contracts/import', {
      body: importOf(stranger, { name: 'Other', refreshVerification: true }),
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { contract: { id: contract.id, name: 'Stranger', abiJson } } },
    });
    expect(await valuesOf(sandbox.client, stranger, { signature: 'mood()' })).toEqual(['42']);
  });

  it.each<[string, () => object | Promise<object>, number, object]>([
    ['no address', () => ({ address: '0x12' }), 400, { code: 175410 }],
    [
      'an address without a contract',
      () => ({ address: wallet.address.replace(/.{4}$/, 'dead') }),
      400,
      { code: 175005 },
    ],
    [
      'one that was deployed here',
      () => ({ address: token.address }),
      409,
      { code: 175004, message: 'contract already exists' },
    ],
    [
      'one that was deployed here, to be looked for again',
      () => ({ address: token.address, refreshVerification: true }),
      409,
      { code: 175004 },
    ],
    [
      'a clone of a clone',
      async () => ({ address: await cloneOfClone() }),
      400,
      { code: 175008, message: 'multi-layered proxies are not supported' },
    ],
    ['another chain', () => ({ blockchain: 'BASE-SEPOLIA' }), 400, { code: 175402 }],
    ['a main network', () => ({ blockchain: 'BASE' }), 400, { code: 175404 }],
  ])('cannot be %s', async (_what, change, status, refusal) => {
    const body = importOf(eurc, await change());
    const answer = await sandbox.request('POST', 'contracts/import', { body });
    expect(answer).toMatchObject({ status, body: refusal });
  });

  it('is one, however many imports come in one moment', async () => {
    const { entryPoint } = sandbox.chain.contracts;
    const orders = Array.from({ length: 5 }, () => importOf(entryPoint));
    const answers = await Promise.all(
      orders.map((body) => sandbox.request('POST', 'contracts/import', { body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });
});

describe('the list of contracts', () => {
  it('has those that every filter lets through', async () => {
    const { client } = sandbox;
    const template = await deployToken(client, wallet, { symbol: 'LST' });
    const from = await sandbox.fundedWallet();
    const own = await deployBytecode(client, from, { name: 'Listed' });
    const { contract: imported } = await client.importContract(
      importOf(sandbox.chain.contracts.paymaster, { name: 'Listed' }),
    );
    const list = async (query: Input<'listContracts'>) =>
      (await client.listContracts({ pageSize: 50, ...query })).contracts.map(({ id }) => id);
    expect(await list({ name: 'Listed' })).toEqual([imported.id, own.contractId]);
    expect(await list({ name: 'Listed', contractInputType: 'IMPORT' })).toEqual([imported.id]);
    expect(await list({ deployerAddress: from.address })).toEqual([own.contractId]);
    expect(await list({ deployerAddress: from.address, status: 'FAILED' })).toEqual([]);
    expect(await list({ contractInputType: 'TEMPLATE' })).toContain(template.contractId);
    expect(await list({ contractInputType: 'TEMPLATE' })).not.toContain(own.contractId);
    expect(await list({ contractInputType: 'AUTO_IMPORT' })).toEqual([]);
    expect(await list({ blockchain: 'BASE-SEPOLIA' })).toEqual([]);
    const { createDate } = (await client.getContract({ id: own.contractId })).contract;
    expect(await list({ from: createDate, to: createDate })).toEqual([own.contractId]);
  });
});

describe('an update of a contract', () => {
  it('changes what it gives, and nothing else', async () => {
    const { contract: before } = await sandbox.client.getContract({ id: token.contractId });
    const change = { id: token.contractId, description: 'Ours' };
    const { contract } = await sandbox.client.updateContract(change);
    expect(contract).toEqual({ ...before, description: 'Ours', updateDate: expect.any(String) });
  });

  it.each<[string, () => string, object, number, object]>([
    [
      'nothing',
      () => token.contractId,
      {},
      400,
      { code: 175011, message: 'empty update on a contract' },
    ],
    ['a contract that is not there', randomUUID, { name: 'x' }, 404, { code: 175001 }],
    ['what is no id', () => 'x', { name: 'x' }, 400, { code: 175401 }],
  ])('is refused with %s', async (_what, id, body, status, refusal) => {
    const answer = await sandbox.request('PATCH', `contracts/${id()}`, { body });
    expect(answer).toMatchObject({ status, body: refusal });
  });

  it('archives a contract: it leaves the list, and cannot be asked until it is back', async () => {
    const { contractId: id, address } = await deployBytecode(sandbox.client, wallet);
    const listed = async () =>
      (await sandbox.client.listContracts({ pageSize: 50 })).contracts.map((one) => one.id);
    const body = { address, blockchain, abiFunctionSignature: 'symbol()' };
    await sandbox.client.updateContract({ id, archived: true });
    expect(await listed()).not.toContain(id);
    expect(await sandbox.request('POST', 'contracts/query', { body })).toMatchObject({
      status: 400,
      body: { code: 175006, message: 'contract is archived' },
    });
    await sandbox.client.updateContract({ id, archived: false });
    expect(await listed()).toContain(id);
    expect((await sandbox.request('POST', 'contracts/query', { body })).status).toBe(200);
  });
});

it('a contract that no block has yet cannot be asked', async () => {
  const slow = await startTestSandbox({ settleMs: 60_000 });
  const from = await createFundedWallet(slow.client);
  const { contractId } = await slow.client.deployContract(
    codeDeploymentOf(from, { bytecode: '0x5f5ff3', abiJson: '[]', constructorParameters: [] }),
  );
  const salt = keccak256(toHex(contractId));
  const address = predictCode(slow.chain.contracts, { code: '0x5f5ff3', salt });
  const body = { address, blockchain, callData: '0x12345678' };
  const answer = await slow.request('POST', 'contracts/query', { body });
  await slow.stop();
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 175009, message: 'contract deployment pending' },
  });
});

/** Runtime code that delegates every call to another contract: ERC-1167. */
function cloneOf(implementation: string): string {
  return `363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`;
}

async function cloneOfClone(): Promise<string> {
  const { address } = await deployToken(sandbox.client, wallet);
  return deployCode(sandbox.client, wallet, cloneOf(address));
}
