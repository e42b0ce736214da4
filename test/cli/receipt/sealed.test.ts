import type { ArchivedReceipt } from '../../../src/books/receipt';
import type { Grounds } from '../../../src/custody/objects/grounds';
import { newSealKey, sealed } from '../../../src/writer/signing/seal';
import { someone } from '../../support/stages';
import { forged, type Scene, startScene } from './scene';

const grounds: Grounds = { policy: '1 d1', rules: ['out'], signedBy: 'backend' };
let scene: Scene;
let receipt: ArchivedReceipt;

beforeAll(async () => {
  scene = await startScene();
  const { sandbox, orders } = scene;
  const from = { walletId: (await sandbox.fundedWallet('EOA')).id };
  const order = { from, to: someone(), amount: '1.25', token: 'USDC' };
  await orders.steadfast.execute('transferStablecoin', 'transfer:sealed', order);
  const [one] = await scene.receipts('transfer:sealed');
  if (one === undefined) throw new Error('It has no receipt.');
  receipt = one;
});
afterAll(() => scene.stop());
afterEach(() => {
  scene.env = {};
});

/** The same payment, with the grounds of a ledger. */
function sealedReceipt(change: Partial<Grounds> = {}) {
  const own = sealed(newSealKey(), receipt.key, grounds);
  const ledger = own.seal?.ledger ?? '';
  return { ledger, receipt: forged(receipt, { grounds: { ...own, ...change } }) };
}

describe('receipt verify tells that the chain proves the money alone', () => {
  it('and names the ledger whose seal says who has signed', async () => {
    const { ledger, receipt } = sealedReceipt();
    const { code, told } = await scene.verify(receipt);
    expect(told).toMatch(
      /^transfer:sealed transfer\/1: \S+ USDC \(contract .* is proven by the chain$/m,
    );
    expect(told).toContain(`the ledger ${ledger} has sealed who signed and approved it. Compare`);
    expect(told).toContain('It does not know the order, nor who signed and approved it.');
    expect(code).toBe(0);
  });

  it('and cannot tell where another ledger has sealed it than those that count', async () => {
    const [own, other] = [sealedReceipt(), sealedReceipt()];
    scene.env = { STEADFAST_LEDGER_ID: own.ledger };
    expect(await scene.verify(own.receipt)).toMatchObject({ code: 0 });
    const { code, told } = await scene.verify(other.receipt);
    expect(told).toContain('transfer:sealed transfer/1: who signed it cannot be told');
    expect(told).toContain(`the ledger ${other.ledger} has sealed who signed and approved it, and`);
    expect(code).toBe(3);
  });

  it('and refuses grounds that no ledger has sealed as they are', async () => {
    const { receipt } = sealedReceipt({ approvedBy: ['ann', 'bo'] });
    const { code, told } = await scene.verify(receipt);
    expect(told).toContain('grounds: no ledger has sealed them for this write');
    expect(code).toBe(1);
  });
});

test('receipt ends with 3 where another ledger has sealed it than those that count', async () => {
  const { ledger, receipt: foreign } = sealedReceipt();
  const { place: _, previous: __, hash: ___, ...own } = foreign;
  await scene.archive.append([
    { ...own, order: { ...own.order, id: 'transfer:foreign' }, item: '2' },
  ]);
  expect(await scene.steadfast('receipt', 'transfer:foreign')).toMatchObject({ code: 0 });
  scene.env = { STEADFAST_LEDGER_ID: sealedReceipt().ledger };
  const { code, told } = await scene.steadfast('receipt', 'transfer:foreign');
  expect(told).toContain(`transfer:foreign (transfer/2): grounds: the ledger ${ledger} has sealed`);
  expect(code).toBe(3);
});
