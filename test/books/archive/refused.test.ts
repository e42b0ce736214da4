import { join } from 'node:path';
import { openArchive } from '../../../src/books/archive/openArchive';
import { newFolder } from '../../support/jest/setUp';
import { newReceipt } from './stores';

const folder = newFolder();
const nobody = `0x${'0'.repeat(40)}`;
const token = { name: 'USDC', address: nobody, decimals: 6 };
const lots = { from: nobody, to: nobody, token, amount: 'a lot', baseUnits: '1' };

it.each([
  ['a sender', { sender: 'nobody', time: '2099-01-01T00:00:00Z' }, 'sender: must be an address.'],
  ['an amount', { money: lots }, 'money.amount: a lot is not 1 base units of 6 decimals.'],
  ['a field', { sender: nobody, more: 1 }, 'Unrecognized key: "more".'],
])(
  'a write with %s that no receipt has is not added, nor those beside it',
  async (_, change, why) => {
    const archive = await openArchive(`file:${join(folder, 'store')}`);
    const forged = newReceipt(change);
    await expect(archive.append([newReceipt(), forged])).rejects.toThrow(
      `A write of ${forged.order.id} makes no receipt. ${why}`,
    );
    expect(await archive.head()).toBeUndefined();
    await archive.close();
  },
);
