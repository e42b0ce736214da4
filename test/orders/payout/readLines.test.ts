import { BadOrderError } from '../../../src/orders/input/read';
import { hashOfLines, readLines } from '../../../src/orders/payout/readLines';
import { address } from '../samples';

const line = { lineId: 'a-1', to: address, amount: '1.50', token: 'USDC' };

function refusal(lines: readonly unknown[], first = 1): string {
  try {
    readLines(lines, first);
  } catch (error) {
    if (error instanceof BadOrderError) return error.message;
    throw error;
  }
  throw new Error(`Taken: ${JSON.stringify(lines)}`);
}

describe('the lines of a payout', () => {
  it('come out in one form, however they were written', () => {
    const other = { ...line, lineId: 'a-2', to: address.toLowerCase(), amount: '2.500' };
    expect(readLines([line, other], 1)).toEqual([
      { ...line, amount: '1.5' },
      { ...line, lineId: 'a-2', amount: '2.5' },
    ]);
  });

  it('are refused with number, id, field and value of each that is wrong', () => {
    const wrong = [line, { ...line, lineId: 'a-2', to: '0x12' }, { amount: '1' }, null];
    expect(refusal(wrong, 501).replace(/ (line \d+)/g, '\n$1')).toBe(
      [
        'line 502 ("a-2"): to: "0x12" is not an address: give 0x and 40 hexadecimal digits.',
        'line 503: lineId: is missing. It must be text, in quotes. ' +
          'to: is missing. It must be text, in quotes. ' +
          'token: is missing. It must be text, in quotes.',
        'line 504: The order is null. It must be an object.',
      ].join('\n'),
    );
  });

  it('are refused where two have one id, which could not both be told of', () => {
    expect(refusal([line, { ...line, amount: '2' }])).toBe(
      'lineId: "a-1" has two lines. Give each line an id of its own.',
    );
  });

  it('are told by the first ten where hundreds are wrong', () => {
    const message = refusal(Array(300).fill({ ...line, amount: '-1' }));
    expect(message.match(/line \d+/g)).toHaveLength(10);
    expect(message).toMatch(/And 290 more\.$/);
  });
});

describe('what two uploads of a part are compared by', () => {
  const [read] = readLines([line], 1);
  if (read === undefined) throw new Error('Nothing was read.');

  it('is blind to how a line was written', () => {
    expect(hashOfLines(readLines([{ ...line, amount: '1.500' }], 7))).toBe(hashOfLines([read]));
  });

  it.each([
    ['the id', { lineId: 'a-2' }],
    ['the amount', { amount: '2' }],
    ['the token', { token: 'EURC' as const }],
    ['the recipient', { to: `0x${'1'.repeat(40)}` as const }],
  ])('sees %s', (_what, change) => {
    expect(hashOfLines([{ ...read, ...change }])).not.toBe(hashOfLines([read]));
  });
});
