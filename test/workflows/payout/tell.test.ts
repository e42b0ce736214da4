import { paceOf } from '../../../workflows/payout/tell';

test.each([
  [
    'ten seconds after the seal',
    { ended: 5, waiting: 20, seconds: 10, mostPerS: null },
    { linesPerS: 0.5, leftS: 40 },
  ],
  [
    'after its first batch, with a rate',
    { ended: 100, waiting: 500, seconds: 3, mostPerS: 5 },
    { linesPerS: 5, leftS: 100 },
  ],
  ['before a line has ended', { ended: 0, waiting: 20, seconds: 10, mostPerS: null }, {}],
  [
    'in the moment of the seal, with a line that was skipped',
    { ended: 1, waiting: 2, seconds: 0, mostPerS: null },
    {},
  ],
])('%s, a payout tells its pace where it has one', (_, course, pace) => {
  expect(paceOf(course)).toEqual(pace);
});
