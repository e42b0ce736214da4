import { address, walletId } from '../samples';

/** Wrong in a letter that looks right. */
const cyrillic = { a: '\u0430', C: '\u0421' };
const recipient = `0x${'1'.repeat(40)}`;
const checksumOff = address.replace('9B', '9b');

const addresses = [
  undefined,
  null,
  5,
  {},
  '',
  '0x12',
  address.slice(0, -1),
  `${address}0`,
  address.slice(2),
  `0X${address.slice(2)}`,
  ` ${address}`,
  checksumOff,
  `0x${cyrillic.a.repeat(40)}`,
  'acme.example',
];

/** An exchange for an amount of 1. */
export const exchange = { amount: '1', currency: 'EUR', rate: '1', day: '2026-01-30' };

/** More than an EVM word holds, of any token. */
export const tooMuch = '9'.repeat(90);

/** Wrong values for each sort of field. Undefined stands for a missing field. */
export const wrong = {
  address: addresses,
  recipient: [...addresses, `0x${'0'.repeat(40)}`],
  amount: [
    undefined,
    null,
    12.5,
    -1,
    1e21,
    true,
    ['5'],
    {},
    '',
    ' 5',
    '5 ',
    '-5',
    '+5',
    '05',
    '.5',
    '5.',
    '1e3',
    '1,5',
    '0x10',
    '\u0665',
    '\uff15',
    '5\u200b',
    'NaN',
    '0',
    '0.00',
    '9'.repeat(101),
    `1.${'1'.repeat(37)}`,
  ],
  token: [
    undefined,
    null,
    5,
    '',
    'usdc',
    ' USDC',
    `USD${cyrillic.C}`,
    'DAI',
    'constructor',
    '0x12',
    checksumOff,
  ],
  walletId: [
    undefined,
    null,
    5,
    {},
    '',
    'till',
    walletId.slice(0, -1),
    `${walletId}0`,
    `{${walletId}}`,
    ` ${walletId}`,
    walletId.replaceAll('-', ''),
    walletId.replace('c', 'g'),
    address,
  ],
  wallet: [
    undefined,
    null,
    5,
    [],
    {},
    'till',
    walletId,
    { walletID: walletId },
    { walletId, walletAddress: recipient },
    { walletId, blockchain: 'ETH' },
  ],
  source: [
    null,
    5,
    [],
    {},
    'bank',
    'Faucet',
    walletId,
    { walletId, walletAddress: recipient },
    { walletId, blockchain: 'ETH' },
    { faucet: true },
  ],
  name: [undefined, null, 5, {}, '', 'x'.repeat(101)],
  text: [null, 5, ['a']],
  object: [null, 5, 'a', [], ['a']],
  url: [null, 5, '', 'token', `https://a.example/${'a'.repeat(2_000)}`],
  fraction: [null, true, [], '', '10%', '1e-3', -0.1, 1.1, 10, 0.12345, '0.12345', '2'],
  accountType: [null, 5, '', 'sca', 'MSCA'],
  count: [null, '2', true, 0, -1, 1.5, 201, 1e30],
  lineId: [undefined, null, 5, {}, '', 'a b', 'a/b', 'x'.repeat(65), `${cyrillic.a}1`],
  walletIds: [undefined, null, walletId, {}, [], [walletId, walletId]],
  listedWallet: [5, null, '', 'till', address],
  flag: [null, 'true', 1, 'yes'],
  lineText: [null, 5, {}, '', 'x'.repeat(141)],
  isoId: [null, 5, {}, '', 'x'.repeat(36)],
  reserve: [null, 0.5, '', '-1', '1e3', `1.${'1'.repeat(37)}`, '9'.repeat(101)],
  money: [undefined, null, 5, '', '1e3', '0'],
  currency: [undefined, null, 5, '', 'eur', 'EURC', 'XXX', 'AAA'],
  rate: [undefined, null, 1, '', '0', '-1', '1e3', '1,1', '1.'.padEnd(21, '1')],
  day: [undefined, null, 5, '', '30.01.2026', '2026-02-30'],
  rateSource: [null, 5, '', 'x'.repeat(61), 'a\nb'],
  exchange: [null, 5, 'a', [], {}, { ...exchange, amount: '2' }, { ...exchange, token: 'USDC' }],
  template: [null, 5, ['a'], '', 'nft', 'Fungible', walletId.slice(1)],
  parameters: [undefined, null, 5, 'a', [], ['a']],
  uri: [null, 5, ['a'], '', 'x'.repeat(2_001)],
  payee: [null, 5, ['a'], '0x12'],
} as const satisfies Record<string, readonly unknown[]>;

/** The wrong values of an optional field. */
export function optional(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value) => value !== undefined);
}

/** Wrong in the fields that every order may carry. */
export const wrongEverywhere = {
  blockchain: [null, 5, '', 'arc', 'ETH'],
  feeLevel: [null, 5, '', 'medium', 'FAST'],
  dryRun: [null, 'true', 1],
  reference: [null, 5, {}, 'x'.repeat(201)],
  validUntil: [
    null,
    1769860800000,
    '',
    'soon',
    '2026-01-31',
    '2026-02-30T12:00:00Z',
    '2026-01-31T12:00:00',
    '2026-01-31 12:00:00Z',
    '2026-01-31T25:00:00Z',
  ],
  generations: [null, 5, 'transfer/1', ['transfer/1'], { transfer: 1 }, { 'a/b/c': 1 }, { '': 1 }],
  'generations.transfer/1': [null, '1', true, {}, -1, 0.5, 1_001, 1e30],
  request: [null, 5, '{}', {}, ['{}'], { statement: '{}', signature: 'x'.repeat(60), key: '' }],
  'request.statement': [undefined, null, 5, {}, '', 'x'.repeat(100_001)],
  'request.signature': [undefined, null, 5, {}, 'x'.repeat(49), 'x'.repeat(4_001)],
};
