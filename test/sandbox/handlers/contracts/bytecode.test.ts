import { randomUUID } from 'node:crypto';
import { concat, encodeAbiParameters, getContractAddress, keccak256, toHex } from 'viem';
import { precompiled } from '../../../../sandbox/chain/genesis/artifacts';
import { codeDeploymentOf, deployBytecode, fixedSupply } from '../../../support/chain/bytecode';
import { valuesOf } from '../../../support/chain/deployments';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, inSandbox } from '../../../support/sandbox';

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** Its constructor refuses, without a reason: 0x5f5ffd is revert(0, 0). */
const deepAbi = `[{"type":"event","name":"E","inputs":${'['.repeat(6_000)}${']'.repeat(6_000)}}]`;
const oddAbi = JSON.stringify([{ type: 'event', name: 'E', inputs: [{ name: 'x', type: '(((' }] }]);
const partsAbi = JSON.stringify([
  { type: 'constructor', inputs: [{ type: 'tuple', components: [null] }] },
]);
const taking = (type: string, components?: unknown) =>
  JSON.stringify([{ type: 'constructor', inputs: [{ type, components }] }]);
const refusing = { bytecode: '0x5f5ffd', abiJson: '[]', constructorParameters: [] };

const sandbox = inSandbox();
const wallet = setUp(() => sandbox.fundedWallet());

describe('a deployment of bytecode', () => {
  it('answers 201 with the ids of the contract and of the transaction, and nothing else', async () => {
    const order = codeDeploymentOf(wallet);
    const first = await sandbox.signed('contracts/deploy', order);
    expect({ status: first.status, body: first.body }).toEqual({
      status: 201,
      body: { data: { contractId: uuid, transactionId: uuid } },
    });
    const again = await sandbox.signed('contracts/deploy', order);
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
  });

  it('has a transaction as one from a template has, and never shows the code', async () => {
    const { contractId, transactionId, address } = await deployBytecode(sandbox.client, wallet);
    expect(await sandbox.settled(transactionId)).toMatchObject({
      state: 'COMPLETE',
      operation: 'CONTRACT_EXECUTION',
      contractAddress: address,
      abiFunctionSignature: 'deploy(bytes32,bytes)',
      abiParameters: null,
      amounts: [],
      refId: 'our own code',
    });
    const { body } = await sandbox.request('GET', `contracts/${contractId}`);
    expect(JSON.stringify(body)).not.toContain(fixedSupply.bytecode.slice(2, 100));
  });

  it('stands where CREATE2 puts its code and its parameters, made by the deployer', async () => {
    const types = [{ type: 'address' }, { type: 'address' }];
    const { entryPoint, codeDeployer } = sandbox.chain.contracts;
    const { contractId, address } = await deployBytecode(sandbox.client, wallet, {
      bytecode: precompiled.VerifyingPaymaster.bytecode,
      abiJson: JSON.stringify(precompiled.VerifyingPaymaster.abi),
      constructorParameters: [entryPoint, wallet.address],
    });
    const parameters = encodeAbiParameters(types, [entryPoint, wallet.address]);
    const expected = getContractAddress({
      opcode: 'CREATE2',
      from: codeDeployer,
      salt: keccak256(toHex(contractId)),
      bytecode: concat([precompiled.VerifyingPaymaster.bytecode, parameters]),
    });
    expect(address).toBe(expected.toLowerCase());
    expect(await valuesOf(sandbox.client, address, { signature: 'owner()' })).toEqual([
      codeDeployer,
    ]);
  });

  it('is accepted in the form of the client library too, and with a limit of an EOA', async () => {
    const eoa = await sandbox.fundedWallet('EOA');
    const { feeLevel: _, ...rest } = codeDeploymentOf(eoa);
    const fee = { type: 'level', config: { feeLevel: 'LOW', gasLimit: '3000000' } };
    const { body } = await sandbox.signed('contracts/deploy', { ...rest, fee });
    const { transactionId } = (body as { data: { transactionId: string } }).data;
    expect(await sandbox.settled(transactionId)).toMatchObject({
      state: 'COMPLETE',
      feeLevel: 'LOW',
    });
  });

  it("is accepted as the vendor's guide spells it", async () => {
    const { abiJson: abiJSON, ...rest } = codeDeploymentOf(wallet, {
      constructorSignature: 'constructor(string,string,uint256,address)',
    });
    const { status } = await sandbox.signed('contracts/deploy', { ...rest, abiJSON });
    expect(status).toBe(201);
  });

  it('whose constructor refuses ends FAILED, with the words of the deployer', async () => {
    const order = codeDeploymentOf(wallet, refusing);
    const { contractId, transactionId } = await sandbox.client.deployContract(order);
    expect(await sandbox.settled(transactionId)).toMatchObject({
      state: 'FAILED',
      errorReason: 'ESTIMATION_ERROR',
      errorDetails: 'Create2: Failed on deploy',
    });
    const { contract } = await sandbox.client.getContract({ id: contractId });
    expect(contract).toMatchObject({
      status: 'FAILED',
      deploymentErrorReason: 'ESTIMATION_ERROR',
      deploymentErrorDetails: 'Create2: Failed on deploy',
    });
    expect(contract.contractAddress).toBeUndefined();
  });

  it('has the fate that a plan of faults wants for it', async () => {
    const rules = [{ kind: 'denied', path: '/contracts/deploy', count: 1 }];
    await sandbox.request('POST', `${sandbox.origin}/_sandbox/faults`, { body: { rules } });
    const { contractId, transactionId } = await sandbox.client.deployContract(
      codeDeploymentOf(wallet),
    );
    expect((await sandbox.settled(transactionId)).state).toBe('DENIED');
    const { contract } = await sandbox.client.getContract({ id: contractId });
    expect(contract.status).toBe('FAILED');
  });
});

describe('what a deployment and its estimate refuse', () => {
  const cases: [string, object, number, string | RegExp][] = [
    [
      'fewer parameters than the constructor takes',
      { constructorParameters: ['Fixed Supply'] },
      175003,
      'constructor parameters length must match constructor signature: 4 expected, 1 given',
    ],
    [
      'no parameters where there must be some',
      { constructorParameters: undefined },
      175003,
      'constructor parameters length must match constructor signature: 4 expected, 0 given',
    ],
    [
      'more than a signature takes',
      { constructorSignature: 'constructor()' },
      175003,
      'constructor parameters length must match constructor signature: 0 expected, 4 given',
    ],
    [
      'a parameter that is not of its type',
      { constructorParameters: ['Fixed', 'FIX', 'many', `0x${'1'.repeat(40)}`] },
      177008,
      `ABI function signature can't pack ABI parameter: "many" is not a whole number`,
    ],
    [
      'a signature that is no constructor',
      { constructorSignature: 'function mood()' },
      177008,
      "ABI function signature can't pack ABI parameter: function mood() is not a constructor signature",
    ],
    ['half an interface', { abiJson: '[{"type"' }, 175007, 'invalid ABI JSON'],
    ['no list for an interface', { abiJson: '{}' }, 175007, 'invalid ABI JSON'],
    ['an interface of any depth', { abiJson: deepAbi }, 175007, 'invalid ABI JSON'],
    ['a type that is none', { abiJson: oddAbi }, 175007, 'invalid ABI JSON'],
    ['parts that are none', { abiJson: partsAbi }, 175007, 'invalid ABI JSON'],
    ...['uint7', 'int0', 'uint99999999999', 'bytes33', 'uint1000000000[]', 'tuple'].map(
      (type): [string, object, number, string] => [
        `a constructor that takes ${type}`,
        { abiJson: taking(type), constructorParameters: [['1', '1']] },
        175007,
        'invalid ABI JSON',
      ],
    ),
    [
      'a struct with a part that has no type',
      { abiJson: taking('tuple[2][]', [{ type: 'uint7' }]), constructorParameters: [[]] },
      175007,
      'invalid ABI JSON',
    ],
    ['what is no item of one', { abiJson: '[{"type":"mood"}]' }, 175007, 'invalid ABI JSON'],
    ['no code', { bytecode: '0x' }, 177015, 'missing bytecode for contract deployment'],
    ['code without 0x', { bytecode: '6001' }, 2, 'API parameter invalid'],
    ['code that is not linked', { bytecode: '0x60__$lib$__' }, 2, 'API parameter invalid'],
    [
      'another chain',
      { blockchain: 'ETH-SEPOLIA' },
      177024,
      "Wallet and request's blockchain mismatch: ETH-SEPOLIA",
    ],
  ];

  it.each(cases)('%s', async (_what, change, code, message) => {
    const order = codeDeploymentOf(wallet, change);
    const { abiJson, bytecode, constructorParameters, walletId } = order;
    const estimated = { abiJson, bytecode, constructorParameters, walletId, ...change };
    const answers = [
      await sandbox.signed('contracts/deploy', order),
      await sandbox.request('POST', 'contracts/deploy/estimateFee', { body: estimated }),
    ];
    const refused = { status: 400, body: expect.objectContaining({ code, message }) };
    expect(answers).toEqual([expect.objectContaining(refused), expect.objectContaining(refused)]);
  });

  it('a wallet that is not there', async () => {
    const order = codeDeploymentOf(wallet, { walletId: randomUUID() });
    const { status, body } = await sandbox.signed('contracts/deploy', order);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 177601 } });
  });
});

describe('an estimate of a deployment of bytecode', () => {
  it('has the three levels alone, also for an address that is no wallet', async () => {
    const estimate = await sandbox.client.estimateContractDeployment({
      bytecode: '0x5f5ff3',
      sourceAddress: `0x${'5a'.repeat(20)}`,
      blockchain,
    });
    expect(Object.keys(estimate)).toEqual(['low', 'medium', 'high']);
  });

  it('is refused where the constructor refuses', async () => {
    const body = { ...refusing, walletId: wallet.id };
    const answer = await sandbox.request('POST', 'contracts/deploy/estimateFee', { body });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: { code: 177007, message: 'estimate fee execution reverted: Create2: Failed on deploy' },
    });
  });
});
