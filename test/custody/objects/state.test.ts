import { finalState } from '../../../src/custody/objects/state';

describe('the words of a state', () => {
  it.each([
    ['COMPLETE', 'COMPLETE'],
    ['COMPLETED', 'COMPLETE'],
    ['FAILED', 'FAILED'],
    ['DENIED', 'DENIED'],
    ['CANCELLED', 'CANCELLED'],
    ['CANCELED', 'CANCELLED'],
    ['Canceled', 'CANCELLED'],
    ['complete', 'COMPLETE'],
  ])('%s is final, and means %s', (word, state) => {
    expect(finalState(word)).toBe(state);
  });

  it.each(['INITIATED', 'PENDING', 'CLEARED', 'QUEUED', 'SENT', 'STUCK', 'CONFIRMED'])(
    '%s is not final',
    (word) => {
      expect(finalState(word)).toBeUndefined();
    },
  );

  it.each(['', 'RECALLED', 'constructor', 'toString', '__proto__'])(
    'a word that nobody knows, such as "%s", is not final yet',
    (word) => {
      expect(finalState(word)).toBeUndefined();
    },
  );
});
