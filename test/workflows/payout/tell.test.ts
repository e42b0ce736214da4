import { paceOf } from '../../../workflows/payout/tell';

test.each([
  [
    'ten seconds after the seal',
    { ended: 5, waiting: 20, seconds: 10 },
    { linesPerS: 0.5, leftS: 40 },
  ],
  ['before a line has ended', { ended: 0, waiting: 20, seconds: 10 }, {}],
  [
    'in the moment of the seal, with a line that was skipped',
    { ended: 1, waiting: 2, seconds: 0 },
    {},
  ],
])('%s, a payout tells its pace where it has one', (_, course, pace) => {
  expect(paceOf(course)).toEqual(pace);
});
