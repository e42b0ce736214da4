import { openArchive } from '../../../src/books/archive/openArchive';
import type { Paid } from '../../../src/checks/payment';
import { beginStores, endStores, newReceipt, storeKinds } from './stores';

const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const token = { name: 'USDC', address: `0x36${'0'.repeat(38)}`, decimals: 6 };
const money = { from: `0x${'1'.repeat(40)}`, to, token, amount: '12.5', baseUnits: '12500000' };

beforeAll(beginStores);
afterAll(endStores);

describe.each(storeKinds)('the payments of an archive in $name', ({ newPlace }) => {
  it('are told once each, in pages, also those that come after a reading', async () => {
    const archive = await openArchive(await newPlace());
    const paid = async (): Promise<Paid[]> => {
      const pages: (readonly Paid[])[] = [];
      for await (const page of archive.payments()) pages.push(page);
      return pages.flat();
    };
    try {
      expect(await paid()).toEqual([]);
      const first = Array.from({ length: 3 }, () => newReceipt({ money }));
      await archive.append([...first, { ...newReceipt({ money }), outcome: 'failed' }]);
      expect(await paid()).toHaveLength(3);
      const [one] = first;
      await archive.append([newReceipt({ money })]);
      const all = await paid();
      expect(all).toHaveLength(4);
      expect(all[0]).toMatchObject({
        orderId: one?.order.id,
        lineId: one?.item,
        to: to.toLowerCase(),
        amount: '12.5',
        coin: 'native',
      });
      expect(await paid()).toEqual(all);
    } finally {
      await archive.close();
    }
  });
});
