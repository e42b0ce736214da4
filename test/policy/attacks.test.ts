import { encodeFunctionData, parseAbi } from 'viem';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { Wallet } from '../../src/custody/objects/wallet';
import {
  createUsedWallet,
  settled,
  startTestSandbox,
  type TestSandbox,
  usdc,
} from '../support/sandbox';
import {
  asOf,
  callFrom,
  limitOf,
  partsOf,
  payee,
  stranger,
  transferFrom,
  writerOf,
} from './writer';

let sandbox: TestSandbox;
let wallet: Wallet;

beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox?.stop());
beforeEach(async () => {
  wallet = await createUsedWallet(sandbox.client, 'EOA');
});

const writer = (fields: object = {}, more: object[] = []) =>
  writerOf(sandbox.client, [limitOf(wallet, fields), ...more]);

const transferAbi = parseAbi(['function transfer(address to, uint256 amount)']);
const transferData = (to: `0x${string}`, units: bigint) =>
  encodeFunctionData({ abi: transferAbi, args: [to, units] });

type Attack = [what: string, words: RegExp, attack: (api: CustodyApi) => Promise<unknown>];

/** Raw calls, as a hostile caller makes them through an activity. */
const attacks: Attack[] = [
  [
    'a transfer to a stranger',
    /0x6{40} is no recipient of the rules out/,
    (api) => {
      const { input, how } = transferFrom(wallet, '1', { destinationAddress: stranger });
      return api.createTransfer(input, how);
    },
  ],
  [
    'more than one transfer may have',
    /5\.000001 is more than 5, which the rule out allows/,
    (api) => {
      const { input, how } = transferFrom(wallet, '5.000001');
      return api.createTransfer(input, how);
    },
  ],
  [
    'another token',
    /names the token 0x89b5/,
    (api) => {
      const tokenAddress = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';
      const { input, how } = transferFrom(wallet, '1', { tokenAddress });
      return api.createTransfer(input, how);
    },
  ],
  [
    'two fields for the sender',
    /walletId has no place/,
    (api) => {
      const { input, how } = transferFrom(wallet, '1', { walletId: wallet.id });
      return api.createTransfer(input, how);
    },
  ],
  [
    'another chain',
    /It is for ETH, and this writer serves ARC-TESTNET/,
    (api) => {
      const { input, how } = transferFrom(wallet, '1', { blockchain: 'ETH' });
      return api.createTransfer(input, how);
    },
  ],
  [
    'an amount of zero, for the fee alone',
    /Its amount is zero/,
    (api) => {
      const { input, how } = transferFrom(wallet, '0');
      return api.createTransfer(input, how);
    },
  ],
  [
    'two amounts',
    /amounts must have at most 1 entry|amounts/,
    (api) => {
      const { input, how } = transferFrom(wallet, '1', { amounts: ['1', '1'] });
      return api.createTransfer(input, how);
    },
  ],
  [
    'a gas price of its own',
    /gasPrice has no place/,
    (api) => {
      const { input, how } = transferFrom(wallet, '1', { gasPrice: '1000000' });
      return api.createTransfer(input, how);
    },
  ],
  [
    'a key that is not of its parts',
    /key does not follow from its workflow/,
    (api) => {
      const { input } = transferFrom(wallet, '1');
      return api.createTransfer(input, { parts: partsOf() });
    },
  ],
  [
    'a call without the parts of its key',
    /without the parts of its key/,
    (api) => api.createTransfer(transferFrom(wallet, '1').input),
  ],
  [
    'a step that no order makes',
    /No order makes a createTransfer in a step "refund"/,
    (api) => {
      const { identity, how } = asOf(partsOf('refund'));
      return api.createTransfer({ ...transferFrom(wallet, '1').input, ...identity }, how);
    },
  ],
  [
    'a new generation without an end of the one before',
    /needs an end without effect of generation 0/,
    (api) => {
      const { identity, how } = asOf(partsOf('transfer', { generation: 1 }));
      return api.createTransfer({ ...transferFrom(wallet, '1').input, ...identity }, how);
    },
  ],
  [
    'a transfer to a stranger as a call of the token',
    /0x6{40} is no recipient/,
    (api) => {
      const abiParameters = [stranger, '1000000'];
      const { input, how } = callFrom(wallet, 'transfer(address,uint256)', { abiParameters });
      return api.executeContract(input, how);
    },
  ],
  ...(['approve(address,uint256)', 'increaseAllowance(address,uint256)'] as const).map(
    (signature): Attack => [
      signature,
      /None of the rules out names the call 0x[0-9a-f]{8} of 0x3600/,
      (api) => {
        const { input, how } = callFrom(wallet, signature, { abiParameters: [stranger, '1'] });
        return api.executeContract(input, how);
      },
    ],
  ),
  [
    'setApprovalForAll',
    /names the call 0xa22cb465/,
    (api) => {
      const abiParameters = [stranger, true];
      const { input, how } = callFrom(wallet, 'setApprovalForAll(address,bool)', { abiParameters });
      return api.executeContract(input, how);
    },
  ],
  [
    'multicall(bytes[]) with a transfer in it',
    /names the call 0xac9650d8/,
    (api) => {
      const abiParameters = [[transferData(stranger, 1n)]];
      const { input, how } = callFrom(wallet, 'multicall(bytes[])', { abiParameters });
      return api.executeContract(input, how);
    },
  ],
  [
    'a signature of a function in another spelling',
    /is not the plain signature of a function/,
    (api) => {
      const abiParameters = [payee, '1'];
      const { input, how } = callFrom(wallet, 'transfer(address to,uint256)', { abiParameters });
      return api.executeContract(input, how);
    },
  ],
  [
    'bytes instead of a signature',
    /callData has no place/,
    (api) => {
      const callData = transferData(stranger, 1n);
      const { input, how } = callFrom(wallet, 'transfer(address,uint256)', { callData });
      return api.executeContract(input, how);
    },
  ],
  [
    'a change of the wallet itself',
    /calls the wallet's own address/,
    (api) => {
      const fields = { contractAddress: wallet.address, abiParameters: [stranger] };
      const { input, how } = callFrom(wallet, 'transferOwnership(address)', fields);
      return api.executeContract(input, how);
    },
  ],
  [
    'a batch of the wallet that pays a stranger between others',
    /0x6{40} is no recipient/,
    (api) => {
      const calls = [payee, stranger].map((to) => [
        usdc,
        '0',
        transferData(to as `0x${string}`, 1n),
      ]);
      const fields = { contractAddress: wallet.address, abiParameters: [calls] };
      const { input, how } = callFrom(wallet, 'executeBatch((address,uint256,bytes)[])', fields);
      return api.executeContract(input, how);
    },
  ],
  [
    'the native coin along with a batch, to a stranger',
    /0x6{40} is no recipient/,
    (api) => {
      const fields = { contractAddress: wallet.address, abiParameters: [[[stranger, '1', '0x']]] };
      const { input, how } = callFrom(wallet, 'executeBatch((address,uint256,bytes)[])', fields);
      return api.executeContract(input, how);
    },
  ],
  [
    'a deployment, which no rule names',
    /No rule of the wallet .* names deployContract or deploymentSequence/,
    (api) => {
      const { identity, how } = asOf(partsOf('deploy'));
      const input = {
        id: '76b83278-50e2-4006-8b63-5b1a2a814533',
        name: 'Mine',
        templateParameters: {},
      };
      return api.deployTemplate(
        { ...identity, ...input, walletId: wallet.id, blockchain: 'ARC-TESTNET' },
        how,
      );
    },
  ],
  [
    'a cancellation of a transaction that another system made',
    /is not a transaction of this writer/,
    async (api) => {
      const { input } = transferFrom(wallet, '1', {
        idempotencyKey: crypto.randomUUID(),
        refId: '',
      });
      const { id } = await sandbox.client.createTransfer(input);
      await settled(sandbox.client, id);
      const parts = partsOf('cancel');
      const { identity, how } = asOf(parts);
      return api.cancelTransaction({ id, idempotencyKey: identity.idempotencyKey }, how);
    },
  ],
  ...(
    [
      ['signMessage', { message: 'x' }],
      ['signTypedData', { data: '{}' }],
      ['signTransaction', { transaction: '{}' }],
      ['signDelegateAction', { unsignedDelegateAction: 'x' }],
      ['upgradeWallet', { newScaCore: 'circle_6900_singleowner_v2' }],
      ['deployContract', { bytecode: '0x00' }],
      ['registerEntitySecret', { entitySecretCiphertext: 'x' }],
      ['updateWallet', { name: 'x' }],
      ['createSubscription', { endpoint: 'https://example.com' }],
      ['requestDrip', { usdc: true }],
    ] as const
  ).map(
    ([name, fields]): Attack => [
      name,
      /is closed in this process\. Nothing was sent/,
      (api) => {
        const call: (input: never) => Promise<unknown> = api[name];
        return call({ walletId: wallet.id, ...fields } as never);
      },
    ],
  ),
];

describe('an attack moves nothing:', () => {
  it.each(attacks)('%s', async (_, words, attack) => {
    const { api } = writer();
    const before = await callsSent();
    await expect(attack(api)).rejects.toThrow(words);
    expect((await callsSent()) - before).toBeLessThanOrEqual(_.includes('another system') ? 1 : 0);
  });

  async function callsSent(): Promise<number> {
    const answer = await fetch(`${sandbox.origin}/_sandbox/calls?after=0`);
    const { calls } = (await answer.json()) as { calls: { method: string; path: string }[] };
    return calls.filter(
      ({ method, path }) =>
        method !== 'GET' && !/walletSets|wallets$|drips|query|estimateFee/.test(path),
    ).length;
  }
});
