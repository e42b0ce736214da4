import Database from 'libsql';
import { createRecordBook } from '../../../src/books/records/recordBook';
import { transferRecord } from '../../support/service/scriptedCustody';
import { someone } from '../../support/stages';

const txHash = `0x${'a'.repeat(64)}`;
const [one, other] = [someone(), someone()];
const inbound = { transactionType: 'INBOUND', txHash };

/** The transaction of the record that a movement of a wallet has, out of some. */
function foundFor(wallet: string, records: Parameters<typeof transferRecord>[0][]) {
  const book = createRecordBook(new Database(':memory:'));
  book.keepRecords(records.map((record) => transferRecord(record)));
  const coin = { name: 'USDC', decimals: 18, address: '', isCoin: true, isListed: true };
  const place = { block: 1, timeMs: 0, txHash, txIndex: 0 };
  return book.about({ wallet, money: coin, kind: 'transfer', change: 1n, ...place }).transactionId;
}

describe('the record of a payment that came in', () => {
  it('is the one of its own wallet, where one transaction paid two', () => {
    const records = [
      { ...inbound, id: 'to one', destinationAddress: one.toUpperCase().replace('X', 'x') },
      { ...inbound, id: 'to other', destinationAddress: other },
    ];
    expect(foundFor(one.toLowerCase(), records)).toBe('to one');
    expect(foundFor(other.toLowerCase(), records)).toBe('to other');
    expect(foundFor(someone().toLowerCase(), records)).toBeUndefined();
  });

  it('may be one that names no wallet', () => {
    const nameless = { ...inbound, id: 'to nobody', destinationAddress: undefined };
    expect(foundFor(one.toLowerCase(), [nameless])).toBe('to nobody');
    const named = { ...inbound, id: 'to one', destinationAddress: one };
    expect(foundFor(one.toLowerCase(), [nameless, named])).toBe('to one');
  });
});
