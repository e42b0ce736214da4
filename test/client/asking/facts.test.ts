import { factsIn } from '../../../src/client/asking/facts';

const many = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

describe('the fields of a document', () => {
  it('are told once each, with their paths', () => {
    const wallet = { walletId: 'a', keys: ['b', 'c'] };
    expect(factsIn({ walletId: 'a', wallet })).toEqual({
      all: [
        ['wallet id', 'a'],
        ['wallet key 1', 'b'],
        ['wallet key 2', 'c'],
      ],
      isCut: false,
    });
  });

  it('are a thousand at most, unless a reader wants all of them', () => {
    const document = { paid: many(1, 20_000) };
    const { all, isCut } = factsIn(document);
    expect([all.length, all.at(-1), isCut]).toEqual([1_000, ['paid 1000', '1'], true]);
    expect(factsIn({ paid: many(1, 1_000) })).toMatchObject({ isCut: false });
    const whole = factsIn(document, { most: Number.POSITIVE_INFINITY });
    expect([whole.all.length, whole.isCut]).toEqual([20_000, false]);
  });

  it.each<[what: string, document: unknown, count: number]>([
    ['a name of a million letters', { ['x'.repeat(1_000_000)]: many(many(null, 10), 10_000) }, 0],
    ['a value of a million letters', { told: 'x'.repeat(1_000_000) }, 0],
    [
      'long names in each other',
      many(0, 60).reduce((inner: object) => ({ ['x'.repeat(900)]: inner }), many(1, 999)),
      18,
    ],
    ['lists in lists', many(0, 5_000).reduce((inner: unknown) => [inner], 1), 0],
    ['objects in objects', many(0, 5_000).reduce((a: unknown) => ({ a }), 1), 0],
  ])('end where there is %s', (_, document, count) => {
    const { all, isCut } = factsIn(document);
    expect([all.length, isCut]).toEqual([count, true]);
  });
});
