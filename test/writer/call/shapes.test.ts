import { batchCall } from '../../../src/custody/batch';
import { readOrderOf } from '../../../src/orders/kinds';
import { type JudgedMethod, readCall } from '../../../src/writer/call/shapes';

const id = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const address = '0x523b27014ba9331e4a6c1bd7bc3b2b9f3b2bec7d';
const always = { idempotencyKey: id };
const sent = { ...always, feeLevel: 'MEDIUM', refId: 'order' };
const execution = {
  ...sent,
  walletId: id,
  contractAddress: address,
  abiFunctionSignature: 'f(uint256[])',
  abiParameters: [],
};
const many = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

const refusal = (method: JudgedMethod, input: object): string => {
  try {
    readCall(method, input);
    return 'read';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'no error';
  }
};

describe('a call', () => {
  it('of more bytes than an order has is refused before its schema is asked', () => {
    expect(refusal('executeContract', { ...execution, abiParameters: many({}, 400_000) })).toMatch(
      /^NotUnderstood: The call has 12\d{5} bytes as JSON, and may have 310000/,
    );
  });

  it('with lists inside lists is refused at the 64th level', () => {
    const deep = many(0, 65).reduce<unknown[]>((inner) => [inner], []);
    expect(refusal('executeContract', { ...execution, abiParameters: deep })).toMatch(
      /^NotUnderstood: The call has values inside values, more than 64 levels deep/,
    );
  });

  it.each<[what: string, method: JudgedMethod, input: object, words: string]>([
    [
      'no parameters in its list',
      'executeContract',
      { ...execution, abiParameters: [many({}, 90_000)] },
      'abiParameters.0.0 must be text, a number, true, false, or a list of these.',
    ],
    [
      'more parameters than a function has',
      'executeContract',
      { ...execution, abiParameters: many({}, 90_000) },
      'abiParameters must have at most 1000 entries.',
    ],
    [
      'a wallet more than it may create',
      'createWallets',
      {
        ...always,
        walletSetId: id,
        blockchains: ['ARC-TESTNET'],
        count: 1,
        accountType: 'EOA',
        metadata: many({}, 90_000),
      },
      'metadata must have at most 200 entries.',
    ],
    [
      'a name that no order has',
      'deployTemplate',
      {
        ...sent,
        id,
        name: 'x'.repeat(101),
        walletId: id,
        blockchain: 'ARC-TESTNET',
        templateParameters: {},
      },
      'name must have at most 100 characters.',
    ],
    [
      'fields that it does not have',
      'createWalletSet',
      {
        ...always,
        name: 'x',
        ...Object.fromEntries(many(0, 20_000).map((_, at) => [`f${at}`, 1])),
      },
      'f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 19990 more have no place in a call that is judged.',
    ],
  ])('with %s is refused in one short sentence', (_, method, input, words) => {
    expect(refusal(method, input)).toBe(`NotUnderstood: ${words}`);
  });

  it('of the largest batch with memos is read, and so is that of the largest order', () => {
    const payments = many({ to: address, baseUnits: '9'.repeat(30), mark: 'ab'.repeat(32) }, 250);
    const account = { address, accountType: 'EOA' };
    const batch = batchCall(account, { tokenAddress: address, payments }, { mayFail: true });
    expect(readCall('executeContract', { ...sent, walletId: id, ...batch })).toBeDefined();
    const order = {
      walletId: id,
      contractAddress: address,
      abiFunctionSignature: 'f(bytes)',
      abiParameters: [`0x${'ab'.repeat(149_800)}`],
    };
    expect(JSON.stringify(readOrderOf('executeContract', order)).length).toBeGreaterThan(299_800);
    const call = { ...execution, ...order, refId: 'x'.repeat(150) };
    expect(readCall('executeContract', call)).toBeDefined();
  });
});
