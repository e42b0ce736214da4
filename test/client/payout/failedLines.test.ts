import { inTurns } from '../../../src/client/payout/failedLines';
import { readOrder } from '../../../src/orders/input/read';
import { payoutOrder } from '../../../src/orders/payout';

const order = { payoutId: 'january', wallets: ['0c3f3d3e-1111-4222-8333-4444aaaa6666'] };
const failed = Array.from({ length: 10_000 }, (_, at) => {
  return { lineId: `${at}`.padStart(64, 'x'), generation: 0 };
});
const raisedBy = (targets: typeof failed) =>
  Object.fromEntries(targets.map(({ lineId }) => [`line/${lineId}`, 1]));

test('ten thousand failed lines are retried in turns, each of which a payout has room for', () => {
  const turns = inTurns(failed);
  expect(turns.flat()).toEqual(failed);
  for (const turn of turns) {
    const generations = raisedBy(turn);
    expect(readOrder(payoutOrder, { ...order, generations })).toMatchObject({ generations });
  }
});

test('too many retries at a time are refused with a way out that pays no line twice', () => {
  const generations = raisedBy(failed);
  const read = () => readOrder(payoutOrder, { ...order, generations });
  expect(read).toThrow('Retry fewer lines at a time, by their ids.');
  expect(read).not.toThrow('several orders');
});
