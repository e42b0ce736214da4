import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { multicallFrom } from '../../../src/custody/batch';
import { memoContract, memoSignature } from '../../../src/custody/memo';
import { usdc } from '../../support/sandbox';
import { asOf, callFrom, partsOf, payee, stranger } from '../writer';
import type { Attack } from './attack';
import { memoAbi, transferData, word } from './contractAttacks';

const mintAbi = parseAbi(['function mintTo(address to, uint256 amount)']);
const mintData = encodeFunctionData({ abi: mintAbi, args: [payee, 1n] });

/** A payment to the payee, with more digits behind it. */
const longer = (digits: string): Hex => `${transferData(payee, 1n)}${digits}`;
const mark = '5e'.repeat(16);

/** A call of Memo whose inner payment begins a word later than an encoder would have it. */
const oddMemo = (): Hex => {
  const args = [usdc, transferData(payee, 1n), word, '0x'] as const;
  const bytes = encodeFunctionData({ abi: memoAbi, args }).slice(10);
  const words = bytes.match(/.{64}/g) ?? [];
  const later = (at: number) => (BigInt(`0x${words[at]}`) + 32n).toString(16).padStart(64, '0');
  const head = [words[0], later(1), words[2], later(3)];
  return `0xc3b2c4f8${[...head, 'ff'.repeat(32), ...words.slice(4)].join('')}`;
};

/** Calls that one batch makes, of which the second is at fault. */
const batchOf =
  (target: string, data: Hex): Attack[2] =>
  (api, { wallet }) => {
    const abiParameters = [
      [
        [usdc, false, transferData(payee, 1n)],
        [target, false, data],
      ],
    ];
    const fields = { contractAddress: multicallFrom, abiParameters };
    const { input, how } = callFrom(wallet, 'aggregate3((address,bool,bytes)[])', fields);
    return api.executeContract(input, how);
  };

/** The same with the batch of a smart account. */
const ownBatchOf = (...calls: readonly [target: string, data: Hex][]): Attack[2] => {
  return (api, { smart: wallet }) => {
    const abiParameters = [calls.map(([target, data]) => [target, '0', data])];
    const fields = { contractAddress: wallet.address, abiParameters };
    const { input, how } = callFrom(wallet, 'executeBatch((address,uint256,bytes)[])', fields);
    return api.executeContract(input, how);
  };
};

const behind = (bytes: number) => new RegExp(`has ${bytes} bytes behind its arguments`);
const otherwise = /encodes its arguments in another form/;

/** Bytes that say nothing, and that cost a fee. */
export const byteAttacks: readonly Attack[] = [
  [
    'bytes behind a payment in a batch',
    behind(140_000),
    batchOf(usdc, longer('ff'.repeat(140_000))),
  ],
  ['one byte behind a payment in a batch', behind(1), batchOf(usdc, longer('00'))],
  ['a mark in a batch that is of no payout', behind(16), batchOf(usdc, longer(mark))],
  ['bytes behind a mint in a batch', behind(32), batchOf(usdc, `${mintData}${'ff'.repeat(32)}`)],
  [
    'bytes behind a payment in a batch of the wallet',
    behind(1_000),
    ownBatchOf([usdc, longer('ff'.repeat(1_000))]),
  ],
  [
    'bytes above the recipient of a payment in a batch',
    otherwise,
    batchOf(usdc, `0xa9059cbb${'ff'.repeat(12)}${transferData(payee, 1n).slice(34)}`),
  ],
  ['bytes between the arguments of a memo in a batch', otherwise, batchOf(memoContract, oddMemo())],
  [
    'bytes behind the payment in a memo',
    behind(16),
    (api, { wallet }) => {
      const fields = {
        contractAddress: memoContract,
        abiParameters: [usdc, longer(mark), word, '0x'],
      };
      const { input, how } = callFrom(wallet, memoSignature, fields);
      return api.executeContract(input, how);
    },
  ],
  [
    'half a byte behind a payment in a batch',
    /is not 0x and whole bytes/,
    batchOf(usdc, longer('f')),
  ],
  [
    'a call without data in a batch',
    /calls 0x6{40} without data, and no rule can name such a call/,
    batchOf(stranger, '0x'),
  ],
  [
    'a call without data and without coins',
    /calls 0x6{40} without data/,
    ownBatchOf([stranger, '0x']),
  ],
  [
    'a call of a recipient without data and without coins',
    /without data/,
    ownBatchOf([usdc, transferData(payee, 1n)], [payee, '0x']),
  ],
  [
    'a deployment with a parameter that its template lacks',
    /templateParameters: .*filling/,
    (api, { deployer }) => {
      const { identity, how } = asOf(partsOf('deploy'));
      const templateParameters = { name: 'Coin', filling: 'ff'.repeat(1_000) };
      const id = 'a1b74add-23e0-4712-88d1-6b3009e85a86';
      const input = { ...identity, id, name: 'Coin', walletId: deployer.id, templateParameters };
      return api.deployTemplate({ ...input, blockchain: 'ARC-TESTNET' }, how);
    },
  ],
];
