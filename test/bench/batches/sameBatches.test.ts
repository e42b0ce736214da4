import { sameBatches } from '../../../bench/batches/rivals/sameBatches';
import { makeLines } from '../../../bench/payouts/makeLines';
import { partLinesMax } from '../../../src/orders/payout/tally';

const payers = ['one', 'other'].map((id) => ({ id, address: `0x${id}`, accountType: 'EOA' }));

describe('the batches of a rival', () => {
  it('have lines of one part and one wallet, each line once', () => {
    const lines = makeLines(partLinesMax + 100);
    const batches = sameBatches(lines, { payers, linesMax: 100 });
    const paid = batches.flatMap((batch) => batch.lines.map(({ lineId }) => lineId));
    expect(paid.toSorted()).toEqual(lines.map(({ lineId }) => lineId).toSorted());
    for (const batch of batches) {
      const places = batch.lines.map((line) => Math.floor(lines.indexOf(line) / partLinesMax));
      expect(new Set(places).size).toBe(1);
      expect(batch.lines.length).toBeLessThanOrEqual(100);
    }
  });

  it('are full where one wallet pays, as those of a payout are', () => {
    const batches = sameBatches(makeLines(1_000), { payers: payers.slice(0, 1), linesMax: 100 });
    expect(batches.map((batch) => batch.lines.length)).toEqual(Array(10).fill(100));
  });

  it('have one line where lines are paid one by one', () => {
    const batches = sameBatches(makeLines(7), { payers, linesMax: undefined });
    expect(batches).toHaveLength(7);
    expect(new Set(batches.map(({ key }) => key)).size).toBe(7);
  });
});
