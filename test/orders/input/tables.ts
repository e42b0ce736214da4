import type { OrderKind } from '../../../src/orders/kinds';
import { address, deploy, fund, transfer, walletId } from '../samples';
import { exchange, optional, tooMuch, wrong } from './shapes';

/** A right order, and what each of its fields must not be, by the field's path. */
export type Table = { order: object; fields: Readonly<Record<string, readonly unknown[]>> };

const sequence = { name: 'Till', amount: '1', token: 'USDC' };
const call = {
  walletId,
  contractAddress: address,
  abiFunctionSignature: 'mintTo(address,uint256)',
  abiParameters: [address, '5'],
};
const { walletId: _, ...deploySequence } = deploy;

const line = { lineId: 'a-1', to: address, amount: '1', token: 'USDC' };
const alike = Array.from({ length: 2_501 }, (_, at) => ({ ...line, lineId: `a-${at}` }));
const pain = { message: 'pain.001.001.09', messageId: 'M1', paymentId: 'P1' };
const payout = {
  payoutId: '2026-01',
  wallets: [walletId],
  lines: [{ ...line, source: pain, exchange }],
  maxTotal: { USDC: '9' },
};

const exchanged = (path: string) => ({
  [path]: wrong.exchange,
  [`${path}.amount`]: wrong.money,
  [`${path}.currency`]: wrong.currency,
  [`${path}.rate`]: wrong.rate,
  [`${path}.day`]: wrong.day,
  [`${path}.source`]: wrong.rateSource,
});

const source = {
  source: wrong.source,
  'source.walletId': wrong.walletId,
  'source.walletAddress': wrong.address,
};

const deployment = {
  template: wrong.template,
  name: wrong.name,
  parameters: wrong.parameters,
  mint: [...wrong.object, {}, { amount: '1', memo: 'a' }],
  'mint.amount': [...wrong.amount, `1.${'1'.repeat(19)}`, tooMuch],
  'mint.to': optional(wrong.recipient),
  'mint.uri': wrong.uri,
};

/** One table for each kind of order. Fields that all kinds have are in another. */
export const tables: Readonly<Record<OrderKind, Table>> = {
  provisionWallets: {
    order: { name: 'Till' },
    fields: { name: wrong.name, count: wrong.count, accountType: wrong.accountType },
  },
  deployContract: {
    order: { ...deploy, mint: { amount: '1' } },
    fields: { walletId: wrong.walletId, ...deployment },
  },
  mintTokens: {
    order: { walletId, contractAddress: address, to: address, amount: '5' },
    fields: {
      walletId: wrong.walletId,
      contractAddress: wrong.address,
      to: wrong.recipient,
      amount: wrong.amount,
    },
  },
  executeContract: {
    order: call,
    fields: {
      walletId: wrong.walletId,
      contractAddress: wrong.address,
      abiFunctionSignature: [
        undefined,
        null,
        5,
        {},
        '',
        'mintTo',
        'mintTo(',
        'mintTo(adress)',
        'mintTo()',
        'function mintTo(address)',
        'event Minted(address)',
        ' mintTo(address,uint256)',
        'mintTo(address,uint256,bool)',
        'm'.repeat(1_001),
      ],
      abiParameters: [
        undefined,
        null,
        5,
        '[]',
        {},
        [],
        [address],
        [address, '5', '6'],
        Array(201).fill('1'),
        [address, [['5', {}]]],
      ],
      'abiParameters.0': [null, {}, 5, true, '', '0x12', address.replace('9B', '9b'), [address]],
      'abiParameters.1': [
        null,
        {},
        1.5,
        2 ** 60,
        true,
        '',
        '1.5',
        '-1',
        '1e3',
        ['5'],
        (2n ** 256n).toString(),
      ],
      amount: [...optional(wrong.amount), `1.${'1'.repeat(19)}`, tooMuch],
    },
  },
  fundWallet: {
    order: fund,
    fields: {
      wallet: wrong.wallet,
      'wallet.walletId': wrong.walletId,
      'wallet.walletAddress': wrong.address,
      amount: [...wrong.amount, '0.0000001', tooMuch],
      token: wrong.token,
      ...source,
    },
  },
  transferStablecoin: {
    order: { ...transfer, amount: '1', exchange },
    fields: {
      from: wrong.wallet,
      'from.walletId': wrong.walletId,
      'from.walletAddress': wrong.address,
      to: wrong.recipient,
      amount: [...wrong.amount, '1.1234567', tooMuch],
      token: wrong.token,
      ...exchanged('exchange'),
      strict: wrong.flag,
    },
  },
  sweepWallets: {
    order: { wallets: [walletId], into: { walletId }, token: 'USDC' },
    fields: {
      wallets: [...wrong.walletIds, Array(51).fill(walletId)],
      'wallets.0': wrong.listedWallet,
      into: wrong.wallet,
      'into.walletId': wrong.walletId,
      'into.walletAddress': wrong.address,
      token: wrong.token,
      keep: wrong.reserve,
    },
  },
  deploymentSequence: {
    order: { ...deploySequence, mint: { amount: '1' } },
    fields: { walletId: [walletId], ...deployment },
  },
  transferSequence: {
    order: sequence,
    fields: {
      name: wrong.name,
      accountType: wrong.accountType,
      amount: [...wrong.amount, '1.1234567', tooMuch],
      token: wrong.token,
      ...source,
      from: [{ walletId }],
      to: [address],
    },
  },
  payout: {
    order: payout,
    fields: {
      payoutId: wrong.lineId,
      wallets: [...wrong.walletIds, Array(101).fill(walletId)],
      'wallets.0': wrong.listedWallet,
      lines: [null, line, {}, [], alike, [line, line]],
      'lines.0': [null, 5, 'a', [], {}, { ...line, memo: 'a' }],
      'lines.0.lineId': wrong.lineId,
      'lines.0.to': wrong.recipient,
      'lines.0.amount': [...wrong.amount, '1.1234567', tooMuch],
      'lines.0.token': wrong.token,
      'lines.0.reference': wrong.lineText,
      'lines.0.name': wrong.lineText,
      'lines.0.source': [null, 5, 'a', {}, { ...pain, uetr: 'a' }],
      'lines.0.source.message': [undefined, null, 5, '', 'pain.008.001.08'],
      'lines.0.source.messageId': wrong.isoId,
      'lines.0.source.paymentId': wrong.isoId,
      'lines.0.source.instructionId': wrong.isoId,
      'lines.0.source.endToEndId': wrong.isoId,
      ...exchanged('lines.0.exchange'),
      maxTotal: [null, 5, '9', ['9'], { DAI: '1' }, { usdc: '1' }],
      'maxTotal.USDC': optional(wrong.amount),
      reservePerWallet: wrong.reserve,
      strict: wrong.flag,
      openMax: [null, '5', 0, -1, 1.5, 5_001],
      continued: [null, '1', -1, 1.5, 1_001],
      linesPerS: [null, '5', 0, -1, 10_001],
      batch: [null, true, 5, 'off'],
      memo: wrong.flag,
      'batch.linesMax': [undefined, null, '5', 1, 1.5, 251],
    },
  },
};
