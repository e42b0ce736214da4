import { randomUUID } from 'node:crypto';
import { type Hex, verifyMessage } from 'viem';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, inSandbox, usdc } from '../../../support/sandbox';

/** By its last digits, an address that freezes who sends to it. */
const sanctioned = '0x0000000000000000000000000000999999999999';

const message = 'developer/sign/message';
const typedData = 'developer/sign/typedData';
const upgrade = 'developer/transactions/walletUpgrade';
const data = {
  types: {
    EIP712Domain: [{ name: 'name', type: 'string' }],
    Mail: [
      { name: 'to', type: 'address' },
      { name: 'text', type: 'string' },
      { name: 'files', type: 'bytes[]' },
      { name: 'size', type: 'uint8' },
    ],
  },
  primaryType: 'Mail',
  domain: { name: 'Post' },
  message: { to: usdc, text: 'hello', files: ['0x00'], size: 7 },
};
const mail = (fields: object) => ({
  data: JSON.stringify({ ...data, message: { ...data.message, ...fields } }),
});

/** Values that a library would sign as something else. */
const oddValues: [type: string, value: unknown][] = [
  ['uint256', ''],
  ['uint256', false],
  ['uint256', [5]],
  ['uint256', 2 ** 53],
  ['uint8', 256],
  ['int8', '-129'],
  ['bytes', '0xabc'],
  ['bytes4', '0x12345'],
  ['bytes32', `0x${'zz'.repeat(32)}`],
  ['bool', 'true'],
  ['address', '0x12'],
  ['address', { toString: 1 }],
  ['address', [usdc]],
  ['uint0', 0],
  ['uint7', 1],
  ['int0', 0],
  ['uint1000', 1],
  ['uint99999999999', 1],
  ['bytes0', '0x'],
  ['bytes33', `0x${'00'.repeat(33)}`],
  ['function', `0x${'00'.repeat(24)}`],
  ['uint1000000000[]', [1, 1, 1, 1]],
];

/** Files of another type, of which there are none. */
const typedAs = (type: string, files: unknown = []) => {
  const Mail = data.types.Mail.map((field) =>
    field.name === 'files' ? { ...field, type } : field,
  );
  const message = { ...data.message, files };
  return { data: JSON.stringify({ ...data, types: { ...data.types, Mail }, message }) };
};

const sandbox = inSandbox();
const eoa = setUp(() => sandbox.wallet());

async function refusal(url: string, fields: object) {
  const { status, body } = await sandbox.signed(url, { walletId: eoa.id, ...fields });
  const { code, message: words } = body as { code: number; message: string };
  return { status, code, words };
}

describe('what is to be signed is refused', () => {
  it.each(oddValues)('where it is typed data with an odd %s: %j', async (type, value) => {
    const { status, code } = await refusal(typedData, typedAs(type, value));
    expect({ status, code }).toEqual({ status: 400, code: 156026 });
  });

  it.each([
    ['hex that is none', message, { message: 'hello', encodedByHex: true }, 409, 156023],
    ['half a byte', message, { message: '0x123', encodedByHex: true }, 409, 156023],
    ['no text at all', message, { message: '' }, 400, 156025],
    ['no bytes at all', message, { message: '0x', encodedByHex: true }, 400, 156025],
    ['typed data that is not JSON', typedData, { data: '{' }, 400, 156024],
    [
      'JSON of any depth',
      typedData,
      { data: '['.repeat(60_000) + ']'.repeat(60_000) },
      400,
      156026,
    ],
    ['an empty list of no type', typedData, typedAs('letters[]'), 400, 156026],
    ['an empty list of a size that is none', typedData, typedAs('uint7[]'), 400, 156026],
    ['an empty list of functions', typedData, typedAs('function[]'), 400, 156026],
    ['a type that is no name', typedData, typedAs('[1]x[]'), 400, 156026],
    ['a list without its length', typedData, typedAs('uint8[2]'), 400, 156026],
    ['JSON that is no typed data', typedData, { data: '[]' }, 400, 156026],
    ['a number out of its range', typedData, mail({ size: 256 }), 400, 156026],
    ['an address that is none', typedData, mail({ to: '0x36' }), 400, 156026],
    ['a number for a text', typedData, mail({ text: 5 }), 400, 156026],
    ['a text for bytes', typedData, mail({ files: ['x'] }), 400, 156026],
    ['one value for a list', typedData, mail({ files: '0x00' }), 400, 156026],
    ['a field without a value', typedData, mail({ text: undefined }), 400, 156026],
    ['a field without a type', typedData, mail({ more: 1 }), 400, 156026],
  ])('with %s', async (_what, url, fields, status, code) => {
    expect(await refusal(url, fields)).toMatchObject({ status, code });
  });

  it('with a type of any length, or more objects than can be hashed, in time', async () => {
    const beganAtMs = performance.now();
    await refusal(typedData, typedAs(`${'[1]'.repeat(30_000)}x[]`));
    const Wide = Array.from({ length: 1_000 }, (_, at) => ({ name: `f${at}`, type: 'bool' }));
    const types = { EIP712Domain: [], Mail: [{ name: 'all', type: 'Wide[][]' }], Wide };
    const message = { all: Array.from({ length: 1_000 }, () => [{}]) };
    const large = JSON.stringify({ types, primaryType: 'Mail', domain: {}, message });
    const { words } = await refusal(typedData, { data: large });
    expect(words).toBe('Invalid typed data in request: it is too large');
    expect(performance.now() - beganAtMs).toBeLessThan(2_000);
  });

  it.each(['domain', 'message'])(
    'with more list elements than can be hashed in its %s, in time',
    async (part) => {
      const beganAtMs = performance.now();
      const types = { EIP712Domain: [], Mail: [] };
      const lists = [{ name: 'lists', type: 'uint8[][]' }];
      const long = {
        types: { ...types, [part === 'domain' ? 'EIP712Domain' : 'Mail']: lists },
        primaryType: 'Mail',
        domain: {},
        message: {},
        [part]: { lists: Array.from({ length: 300_000 }, () => []) },
      };
      const { words } = await refusal(typedData, { data: JSON.stringify(long) });
      expect(words).toBe('Invalid typed data in request: it is too large');
      expect(performance.now() - beganAtMs).toBeLessThan(2_000);
    },
  );

  it('with a part of the domain left unsigned, and the words name it', async () => {
    const domain = { name: 'Post', chainId: 5042002 };
    const unsigned = await refusal(typedData, { data: JSON.stringify({ ...data, domain }) });
    expect(unsigned.words).toBe('Invalid typed data in request: domain.chainId has no type');
    const { EIP712Domain: _none, ...types } = data.types;
    const untyped = await refusal(typedData, { data: JSON.stringify({ ...data, types }) });
    expect(untyped.words).toBe('Invalid typed data in request: types has no EIP712Domain');
  });

  it.each([
    ['an unknown wallet', { walletId: randomUUID() }, 404, 156001],
    ['an address without its blockchain', { walletId: undefined, walletAddress: usdc }, 400, 2],
    ['two wallets', { walletAddress: usdc, blockchain }, 400, 155244],
    ['another chain', { blockchain: 'ETH-SEPOLIA' }, 400, 155225],
  ])('with %s', async (_what, fields, status, code) => {
    expect(await refusal(message, { message: 'hello', ...fields })).toMatchObject({ status, code });
  });

  it('without the entity secret', async () => {
    const body = { walletId: eoa.id, message: 'hello' };
    const said = await sandbox.request('POST', message, { body });
    expect(said).toMatchObject({ status: 400, body: { code: 2 } });
  });
});

it('a text that looks like hex is signed as the text that it is', async () => {
  const { signature } = await sandbox.client.signMessage({ walletId: eoa.id, message: '0x12' });
  const signed = { message: '0x12', signature: signature as Hex };
  expect(await verifyMessage({ address: eoa.address as Hex, ...signed })).toBe(true);
});

it('the same is signed in the same way each time, over HTTP and without', async () => {
  const input = { walletId: eoa.id, message: 'hello' };
  expect(await sandbox.client.signMessage(input)).toEqual(await sandbox.api.signMessage(input));
});

it('a frozen wallet signs nothing, and is not upgraded', async () => {
  const wallet = await sandbox.fundedWallet('SCA');
  expect(await sandbox.pay(wallet, sanctioned)).toMatchObject({ state: 'DENIED' });
  const frozen = { status: 409, code: 155501 };
  const walletId = wallet.id;
  const newScaCore = 'circle_6900_singleowner_v2';
  expect(await refusal(message, { walletId, message: 'hello' })).toMatchObject(frozen);
  expect(await refusal(typedData, { walletId, ...mail({}) })).toMatchObject(frozen);
  const order = { walletId, newScaCore, feeLevel: 'LOW', idempotencyKey: randomUUID() };
  expect(await refusal(upgrade, order)).toMatchObject(frozen);
});

it.each([
  ['of an EOA', { newScaCore: 'circle_6900_singleowner_v2' }, 155515],
  ['to what is no newer core', { newScaCore: 'circle_6900_singleowner_v3' }, 2],
])('an upgrade %s is refused', async (_what, fields, code) => {
  const order = { idempotencyKey: randomUUID(), feeLevel: 'LOW', ...fields };
  expect(await refusal(upgrade, order)).toMatchObject({ status: 400, code });
});
