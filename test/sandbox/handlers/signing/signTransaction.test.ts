import {
  type Hex,
  keccak256,
  parseGwei,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerialized,
  toHex,
  zeroAddress,
} from 'viem';
import { createWalletKeys } from '../../../../sandbox/engine/keys';
import type { Service } from '../../../../sandbox/handlers/service';
import { signingHandlers } from '../../../../sandbox/handlers/signing/signing';
import type { WalletRow } from '../../../../sandbox/store/records/records';
import { openStore } from '../../../../sandbox/store/store';
import { stopLater } from '../../../support/jest/setUp';
import { inSandbox, usdc } from '../../../support/sandbox';

const walletId = 'f3a1a1d4-63a5-4f0a-8a8b-0c4d7f3c7f10';
const seed = toHex(new Uint8Array(64).fill(9));
/** As the vendor's EVM provider sends it, which signs on EVM-TESTNET for every test network. */
const fields = {
  to: usdc,
  nonce: '0x7',
  value: '0x2386f26fc10000',
  gas: '0x5208',
  maxFeePerGas: '0x9c7652400',
  maxPriorityFeePerGas: '0x5d21dba00',
  chainId: '0x13882',
};
const meant = {
  type: 'eip1559',
  to: usdc,
  nonce: 7,
  value: 10_000_000_000_000_000n,
  gas: 21_000n,
  maxFeePerGas: parseGwei('42'),
  maxPriorityFeePerGas: parseGwei('25'),
  chainId: 80_002,
} as const;

const sandbox = inSandbox();
const store = openStore(undefined);
const keys = createWalletKeys({ seed, store, accountAddress: () => zeroAddress });
let address: Hex;

/** A wallet that is on no chain of ours, which only signs. */
beforeAll(async () => {
  const place = { walletSetId: 'set', index: 0 };
  store.walletSets.insert({ id: 'set', index: 0, name: '', createdAtMs: 0 });
  address = keys.address(place, 'EOA');
  const row: WalletRow = {
    ...place,
    id: walletId,
    address,
    accountType: 'EOA',
    blockchain: 'EVM-TESTNET',
    name: undefined,
    refId: undefined,
    createdAtMs: 0,
  };
  store.wallets.insert(row);
  stopLater(() => store.close());
});

function sign(given: { rawTransaction?: string; transaction?: string }) {
  const shown = { blockchain: 'ARC-TESTNET', vocabulary: 'interface' } as const;
  const { chain } = sandbox;
  // The handlers of signatures stand on no more than this.
  const parts: Partial<Service> = { store, chain, keys, shown };
  return signingHandlers(parts as Service).signTransaction({ walletId, ...given });
}
const json = (changes: object = {}) => ({
  transaction: JSON.stringify({ ...fields, ...changes }),
});

async function expectSigned(answer: Awaited<ReturnType<typeof sign>>, unsigned: Hex) {
  const signed = answer.signedTransaction as TransactionSerialized;
  const { r, s, v, yParity, ...rest } = parseTransaction(signed);
  expect(serializeTransaction(rest as Parameters<typeof serializeTransaction>[0])).toBe(unsigned);
  expect(await recoverTransactionAddress({ serializedTransaction: signed })).toBe(address);
  expect(answer.txHash).toBe(keccak256(signed));
  expect(answer.signature.slice(0, 130)).toBe(`${r}${s?.slice(2)}`);
  expect(answer.signature.slice(130)).toMatch(/^1[bc]$/);
  expect([r, s, v, yParity]).not.toContain(undefined);
}

describe('a transaction for another network', () => {
  it.each([
    ['hex', fields],
    ['decimals', { ...fields, nonce: 7, gas: '21000', chainId: 80_002 }],
    ['its sender', { ...fields, type: '0x2' }],
  ])('is signed as its fields say, with %s', async (_what, transaction) => {
    const from = address.toLowerCase();
    const answer = await sign({ transaction: JSON.stringify({ ...transaction, from }) });
    await expectSigned(answer, serializeTransaction(meant));
  });

  it.each([
    ['EIP-1559', serializeTransaction(meant)],
    ['legacy', serializeTransaction({ ...legacy(), type: 'legacy' })],
    ['EIP-2930', serializeTransaction({ ...legacy(), type: 'eip2930', accessList: [] })],
    ['that deploys', serializeTransaction({ ...meant, to: undefined, data: '0x6001' })],
  ])('is signed as its raw form says, %s', async (_what, rawTransaction) => {
    await expectSigned(await sign({ rawTransaction }), rawTransaction);
  });

  it('is signed with more gas than any block has, since it is the sender who says how much', async () => {
    const gas = 10n ** 18n;
    const answer = await sign({ transaction: JSON.stringify({ ...fields, gas: String(gas) }) });
    await expectSigned(answer, serializeTransaction({ ...meant, gas }));
  });

  it('is signed with a gas price, where that is what it offers', async () => {
    const { maxFeePerGas: _max, maxPriorityFeePerGas: _priority, ...rest } = fields;
    const answer = await sign({
      transaction: JSON.stringify({ ...rest, gasPrice: '42000000000' }),
    });
    await expectSigned(answer, serializeTransaction({ ...legacy(), type: 'legacy' }));
  });

  it.each([
    ['nothing', {}, 155801],
    ['two at once', { ...json(), rawTransaction: serializeTransaction(meant) }, 155801],
    ['no JSON', { transaction: 'x' }, 155801],
    ['a field that is none', json({ gasLimit: '21000' }), 155801],
    ['no nonce', json({ nonce: undefined }), 155801],
    ['two kinds of fees', json({ gasPrice: '1' }), 155801],
    ['no fees', json({ maxFeePerGas: undefined }), 155801],
    ['a tip above its fee', json({ maxFeePerGas: '1' }), 155801],
    ['another type than its fees', json({ type: 0 }), 155801],
    ['another sender', json({ from: usdc }), 155803],
    ['a sender that is no text', json({ from: [usdc] }), 155801],
    ['a payee that is no text', json({ to: { toString: 1 } }), 155801],
    ['a payee in a list', json({ to: [usdc] }), 155801],
    ['a list for an address', json({ accessList: [{ address: [usdc], storageKeys: [] }] }), 155801],
    ['no chain', json({ chainId: undefined }), 155808],
    ['a main network', json({ chainId: 1 }), 155807],
    ['more than 256 bits', json({ value: `0x1${'0'.repeat(64)}` }), 155801],
    ['more gas than there is', json({ gas: `0x1${'0'.repeat(16)}` }), 155801],
    ['data that differ', json({ data: '0x01', input: '0x02' }), 155801],
    [
      'half a key of storage',
      json({ accessList: [{ address: usdc, storageKeys: ['0x01'] }] }),
      155801,
    ],
    ['no raw form', { rawTransaction: '0x02zz' }, 155805],
    ['a cut raw form', { rawTransaction: serializeTransaction(meant).slice(0, 40) }, 155805],
  ])('is refused with %s', async (_what, given, code) => {
    await expect(sign(given)).rejects.toMatchObject({ status: 400, code });
  });

  it('is refused where it is signed already', async () => {
    const { signedTransaction } = await sign(json());
    const again = sign({ rawTransaction: signedTransaction });
    await expect(again).rejects.toMatchObject({ status: 400, code: 155804 });
  });
});

function legacy() {
  const { type, maxFeePerGas, maxPriorityFeePerGas, ...rest } = meant;
  return { ...rest, gasPrice: maxFeePerGas };
}
