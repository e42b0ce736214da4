import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { batchCall, batchStep, itemOfBatch, multicallFrom } from '../../../src/custody/batch';
import { memoContract, memoSignature } from '../../../src/custody/memo';
import { usdc } from '../../support/sandbox';
import { asOf, callFrom, partsOf, payee, stranger } from '../writer';
import type { Attack } from './attack';

const transferAbi = parseAbi(['function transfer(address to, uint256 amount)']);
/** The bytes of a transfer. */
export const transferData = (to: `0x${string}`, units: bigint) =>
  encodeFunctionData({ abi: transferAbi, args: [to, units] });

export const memoAbi = parseAbi([`function ${memoSignature}`]);

export const word: Hex = `0x${'11'.repeat(32)}`;
const onlyPayments = /It calls Memo with something else than the payment of a listed token/;

/** The batch of a payout that pays with memos. */
function memosTo(...payees: string[]): Attack[2] {
  return (api, { wallet }) => {
    const mark = (at: number) => `${at}`.padStart(64, '1');
    const payments = payees.map((to, at) => ({ to, baseUnits: '1', mark: mark(at) }));
    const batch = { walletId: wallet.id, tokenAddress: usdc, payments };
    const { identity, how } = asOf(partsOf(batchStep, { item: itemOfBatch(batch) }));
    const call = batchCall({ ...wallet, accountType: 'EOA' }, batch, { mayFail: true });
    return api.executeContract({ ...identity, walletId: wallet.id, ...call }, how);
  };
}

/** Calls of contracts and deployments that no rule lets out. */
export const contractAttacks: readonly Attack[] = [
  [
    'a transfer to a stranger as a call of the token',
    /0x6{40} is no recipient/,
    (api, { wallet }) => {
      const abiParameters = [stranger, '1000000'];
      const { input, how } = callFrom(wallet, 'transfer(address,uint256)', { abiParameters });
      return api.executeContract(input, how);
    },
  ],
  [
    'a call that moves nothing, for the fee alone',
    /It moves an amount of zero/,
    (api, { wallet }) => {
      const { input, how } = callFrom(wallet, 'transfer(address,uint256)', {
        abiParameters: [payee, '0'],
      });
      return api.executeContract(input, how);
    },
  ],
  ...(
    [
      ['approve(address,uint256)', stranger, '1'],
      ['increaseAllowance(address,uint256)', stranger, '1'],
      ['transferFrom(address,address,uint256)', stranger, stranger, '1'],
      [
        'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
        ...[stranger, stranger, '1', '9999999999', '27', word, word],
      ],
    ] as const
  ).map(
    ([signature, ...abiParameters]): Attack => [
      signature,
      /None of the rules out names the call 0x[0-9a-f]{8} of 0x3600/,
      (api, { wallet }) => {
        const { input, how } = callFrom(wallet, signature, { abiParameters });
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
    (api, { smart: wallet }) => {
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
    (api, { smart: wallet }) => {
      const fields = { contractAddress: wallet.address, abiParameters: [[[stranger, '1', '0x']]] };
      const { input, how } = callFrom(wallet, 'executeBatch((address,uint256,bytes)[])', fields);
      return api.executeContract(input, how);
    },
  ],
  ...(
    [
      [
        'a memo of a line in a call that is no batch of a payout',
        /only the batch of a payout names its lines by it/,
        usdc,
        transferData(payee, 1n),
      ],
      ['a memo around an approval', onlyPayments, usdc, `0x095ea7b3${word.slice(2).repeat(2)}`],
      [
        'a memo around a payment of a token that is not listed',
        onlyPayments,
        stranger,
        transferData(payee, 1n),
      ],
      [
        'a memo around a payment and a text',
        onlyPayments,
        usdc,
        transferData(payee, 1n),
        '0xc0ffee',
      ],
      ['a memo around a batch', onlyPayments, multicallFrom, '0x82ad56cb'],
      ['a memo around nothing', onlyPayments, usdc, '0x'],
    ] as const
  ).flatMap(([name, refusal, target, data, text = '0x' as const]): Attack[] => [
    [
      name,
      refusal,
      (api, { wallet }) => {
        const fields = { contractAddress: memoContract, abiParameters: [target, data, word, text] };
        const { input, how } = callFrom(wallet, memoSignature, fields);
        return api.executeContract(input, how);
      },
    ],
    [
      `a batch of ${name}`,
      refusal,
      (api, { wallet }) => {
        const args = [target, data, word, text] as const;
        const bytes = encodeFunctionData({ abi: memoAbi, args });
        const abiParameters = [[[memoContract, true, bytes]]];
        const fields = { contractAddress: multicallFrom, abiParameters };
        const { input, how } = callFrom(wallet, 'aggregate3((address,bool,bytes)[])', fields);
        return api.executeContract(input, how);
      },
    ],
  ]),
  ['a memo around a payment to a stranger', /0x6{40} is no recipient/, memosTo(stranger)],
  [
    'a batch of a memo around a payment to a stranger',
    /0x6{40} is no recipient/,
    memosTo(payee, stranger),
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
    'a deployment with a stranger as its admin',
    /None of the rules deployments names a deployment with the addresses in it/,
    (api, { deployer }) => {
      const { identity, how } = asOf(partsOf('deploy'));
      const templateParameters = { name: 'Coin', symbol: 'CN', defaultAdmin: stranger };
      const id = 'a1b74add-23e0-4712-88d1-6b3009e85a86';
      const input = { ...identity, id, name: 'Coin', walletId: deployer.id, templateParameters };
      return api.deployTemplate({ ...input, blockchain: 'ARC-TESTNET' }, how);
    },
  ],
];
