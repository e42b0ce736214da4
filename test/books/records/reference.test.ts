import { chained } from '../../../src/books/receipt';
import { receiptAmong } from '../../../src/books/records/reference';
import { batchStep } from '../../../src/custody/batch';
import { newReceipt } from '../archive/stores';

const chain = { blockchain: 'ARC-TESTNET', chainId: 5042002 };
const refId = `pay:1 ${batchStep}/7 ${'a'.repeat(16)}.b ${'b'.repeat(16)}.g0`;

/** The receipts of a batch, one for the log of each line. A line without a log has failed alone. */
function batchOf(logs: readonly (number | undefined)[]) {
  return logs.map((log, at) => {
    const own = {
      step: 'line',
      item: `line-${at}`,
      refId,
      fee: { baseUnits: '9', lines: logs.length },
    };
    const place = log === undefined ? chain : { ...chain, logIndex: log };
    return chained(newReceipt({ ...own, chain: place }), undefined);
  });
}

const lineAt = (logs: readonly (number | undefined)[], logIndex: number | undefined) =>
  receiptAmong(batchOf(logs), { refId, logIndex })?.item;

describe('the movements of a batch', () => {
  it('are of the lines that their logs name', () => {
    expect([4, 2].map((log) => lineAt([2, 4], log))).toEqual(['line-1', 'line-0']);
    expect(lineAt([2, 4], 3)).toBeUndefined();
  });

  it('are a fee of all its lines, which is of none of them, also where one has failed alone', () => {
    expect(lineAt([2, 4], undefined)).toBeUndefined();
    expect(lineAt([2, undefined], undefined)).toBeUndefined();
  });

  it('are a fee of its line, where it had one', () => {
    expect(lineAt([2], undefined)).toBe('line-0');
  });
});
