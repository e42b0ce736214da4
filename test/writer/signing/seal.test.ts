import { receiptsOf, type Settlements } from '../../../src/books/settled';
import { idempotencyKey } from '../../../src/custody/idempotencyKey';
import type { Grounds } from '../../../src/custody/objects/grounds';
import { openLedger } from '../../../src/writer/ledger/openLedger';
import {
  countedSeals,
  isSealed,
  ledgerIdOf,
  newSealKey,
  sealed,
} from '../../../src/writer/signing/seal';

const grounds: Grounds = { policy: '1 d1', rules: ['out'], signedBy: 'backend' };
const parts = { workflowId: 'transfer:1', step: 'transfer', item: '1', generation: 0 };
const key = idempotencyKey(parts);

/** The settled write of these parts, with the grounds that its activity has answered with. */
const settlements = (given: Grounds | undefined): Settlements => ({
  order: { id: 'transfer:1', kind: 'transferStablecoin', digest: 'a'.repeat(64) },
  service: 'http://127.0.0.1:4010/v1/w3s',
  blockchain: 'ARC-TESTNET',
  settled: [
    {
      step: 'transfer',
      item: '1',
      generation: 0,
      transactionId: 't',
      outcome: 'completed',
      kind: 'transfer',
      sender: `0x${'1'.repeat(40)}`,
      grounds: given,
      time: new Date(0).toISOString(),
    },
  ],
});

describe('the grounds of a receipt', () => {
  const ledger = openLedger(':memory:');
  const own = sealed(newSealKey(), key, grounds);
  const seal = own.seal ?? { ledger: '', publicKey: '', signature: '' };
  const groundsKept = (given: Grounds, ledgers = [ledger.id, seal.ledger]) =>
    receiptsOf(settlements(given), countedSeals(ledgers))[0]?.grounds;
  afterAll(() => ledger.close());

  it('are those that the ledger of a writer has sealed for its write', () => {
    const kept = ledger.seal(key, grounds);
    expect(kept).toMatchObject({ ...grounds, seal: { ledger: ledger.id } });
    expect(groundsKept(kept)).toEqual(kept);
    expect(isSealed(key, JSON.parse(JSON.stringify(kept)))).toBe(true);
  });

  it.each([
    ['that nobody has named', [ledger.id]],
    ['while none is named', []],
  ])('are left out where they have the seal of a ledger %s', (_, ledgers) => {
    expect(groundsKept(own)).toEqual(own);
    expect(groundsKept(own, ledgers)).toBeUndefined();
  });

  it.each<[string, Grounds]>([
    ['without a seal', grounds],
    ['with more people than were sealed', { ...own, approvedBy: ['ann', 'bo'] }],
    ['with another signer', { ...own, signedBy: 'ann' }],
    [
      'sealed for another write',
      sealed(newSealKey(), idempotencyKey({ ...parts, item: '2' }), grounds),
    ],
    ['in the name of another ledger', { ...own, seal: { ...seal, ledger: ledger.id } }],
    [
      'with the key of another ledger',
      {
        ...own,
        seal: { ...seal, publicKey: sealed(newSealKey(), key, grounds).seal?.publicKey ?? '' },
      },
    ],
    ['with a key that is none', { ...own, seal: { ...seal, publicKey: 'x' } }],
    ['with a signature that is none', { ...own, seal: { ...seal, signature: '' } }],
  ])('are left out: %s', (_, forged) => {
    expect(groundsKept(forged)).toBeUndefined();
  });

  it('name a ledger whose id follows from its key', () => {
    const sealKey = newSealKey();
    expect(sealed(sealKey, key, grounds).seal?.ledger).toBe(ledgerIdOf(sealKey));
    expect(ledgerIdOf(sealKey)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    expect(ledgerIdOf(newSealKey())).not.toBe(ledgerIdOf(sealKey));
  });
});
