import { randomUUID } from 'node:crypto';
import { encodeFunctionData, parseAbi } from 'viem';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { Wallet } from '../../src/custody/objects/wallet';
import { settled, usdc } from '../support/sandbox';
import { asOf, callFrom, partsOf, payee, stranger, transferFrom } from './writer';

const transferAbi = parseAbi(['function transfer(address to, uint256 amount)']);
const transferData = (to: `0x${string}`, units: bigint) =>
  encodeFunctionData({ abi: transferAbi, args: [to, units] });

/** The wallet that is attacked, and the service without a policy. */
type Place = { wallet: Wallet; client: CustodyApi };
export type Attack = readonly [
  what: string,
  words: RegExp,
  attack: (api: CustodyApi, place: Place) => Promise<unknown>,
];

/** A transfer as the activity sends it, with changes. */
const transferring =
  (amount: string, fields: object = {}): Attack[2] =>
  (api, { wallet }) => {
    const { input, how } = transferFrom(wallet, amount, fields);
    return api.createTransfer(input, how);
  };

/** Raw calls, as a hostile caller makes them. */
export const attacks: readonly Attack[] = [
  [
    'a transfer to a stranger',
    /0x6{40} is no recipient of the rules out/,
    transferring('1', { destinationAddress: stranger }),
  ],
  [
    'more than one transfer may have',
    /5\.000001 is more than 5, which the rule out allows/,
    transferring('5.000001'),
  ],
  [
    'another token',
    /names the token 0x89b5/,
    (api, { wallet }) => {
      const tokenAddress = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';
      const { input, how } = transferFrom(wallet, '1', { tokenAddress });
      return api.createTransfer(input, how);
    },
  ],
  [
    'two fields for the sender',
    /walletId has no place/,
    (api, place) => transferring('1', { walletId: place.wallet.id })(api, place),
  ],
  [
    'another chain',
    /It is for ETH, and this writer serves ARC-TESTNET/,
    transferring('1', { blockchain: 'ETH' }),
  ],
  ['an amount of zero, for the fee alone', /Its amount is zero/, transferring('0')],
  [
    'two amounts',
    /amounts must have at most 1 entry|amounts/,
    transferring('1', { amounts: ['1', '1'] }),
  ],
  ['a gas price of its own', /gasPrice has no place/, transferring('1', { gasPrice: '1000000' })],
  [
    'a key that is not of its parts',
    /key does not follow from its workflow/,
    (api, { wallet }) => {
      const { input } = transferFrom(wallet, '1');
      return api.createTransfer(input, { parts: partsOf() });
    },
  ],
  [
    'a call without the parts of its key',
    /without the parts of its key/,
    (api, { wallet }) => api.createTransfer(transferFrom(wallet, '1').input),
  ],
  [
    'a step that no order makes',
    /No order makes a createTransfer in a step "refund"/,
    (api, { wallet }) => {
      const { identity, how } = asOf(partsOf('refund'));
      return api.createTransfer({ ...transferFrom(wallet, '1').input, ...identity }, how);
    },
  ],
  [
    'a new generation without an end of the one before',
    /needs an end without effect of generation 0/,
    (api, { wallet }) => {
      const { identity, how } = asOf(partsOf('transfer', { generation: 1 }));
      return api.createTransfer({ ...transferFrom(wallet, '1').input, ...identity }, how);
    },
  ],
  [
    'a transfer to a stranger as a call of the token',
    /0x6{40} is no recipient/,
    (api, { wallet }) => {
      const abiParameters = [stranger, '1000000'];
      const { input, how } = callFrom(wallet, 'transfer(address,uint256)', { abiParameters });
      return api.executeContract(input, how);
    },
  ],
  ...(['approve(address,uint256)', 'increaseAllowance(address,uint256)'] as const).map(
    (signature): Attack => [
      signature,
      /None of the rules out names the call 0x[0-9a-f]{8} of 0x3600/,
      (api, { wallet }) => {
        const { input, how } = callFrom(wallet, signature, { abiParameters: [stranger, '1'] });
        return api.executeContract(input, how);
      },
    ],
  ),
  [
    'setApprovalForAll',
    /names the call 0xa22cb465/,
    (api, { wallet }) => {
      const abiParameters = [stranger, true];
      const { input, how } = callFrom(wallet, 'setApprovalForAll(address,bool)', { abiParameters });
      return api.executeContract(input, how);
    },
  ],
  [
    'multicall(bytes[]) with a transfer in it',
    /names the call 0xac9650d8/,
    (api, { wallet }) => {
      const abiParameters = [[transferData(stranger, 1n)]];
      const { input, how } = callFrom(wallet, 'multicall(bytes[])', { abiParameters });
      return api.executeContract(input, how);
    },
  ],
  [
    'a signature of a function in another spelling',
    /is not the plain signature of a function/,
    (api, { wallet }) => {
      const abiParameters = [payee, '1'];
      const { input, how } = callFrom(wallet, 'transfer(address to,uint256)', { abiParameters });
      return api.executeContract(input, how);
    },
  ],
  [
    'bytes instead of a signature',
    /callData has no place/,
    (api, { wallet }) => {
      const callData = transferData(stranger, 1n);
      const { input, how } = callFrom(wallet, 'transfer(address,uint256)', { callData });
      return api.executeContract(input, how);
    },
  ],
  [
    'a change of the wallet itself',
    /calls the wallet's own address/,
    (api, { wallet }) => {
      const fields = { contractAddress: wallet.address, abiParameters: [stranger] };
      const { input, how } = callFrom(wallet, 'transferOwnership(address)', fields);
      return api.executeContract(input, how);
    },
  ],
  [
    'a batch of the wallet that pays a stranger between others',
    /0x6{40} is no recipient/,
    (api, { wallet }) => {
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
    (api, { wallet }) => {
      const fields = { contractAddress: wallet.address, abiParameters: [[[stranger, '1', '0x']]] };
      const { input, how } = callFrom(wallet, 'executeBatch((address,uint256,bytes)[])', fields);
      return api.executeContract(input, how);
    },
  ],
  [
    'a deployment, which no rule names',
    /No rule of the wallet .* names deployContract or deploymentSequence/,
    (api, { wallet }) => {
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
    async (api, { wallet, client }) => {
      const { input } = transferFrom(wallet, '1', {
        idempotencyKey: randomUUID(),
        refId: '',
      });
      const { id } = await client.createTransfer(input);
      await settled(client, id);
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
      (api, { wallet }) => {
        const call: (input: never) => Promise<unknown> = api[name];
        return call({ walletId: wallet.id, ...fields } as never);
      },
    ],
  ),
];
