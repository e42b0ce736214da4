import { filesOfLines, other, to } from '../../client/lines/linesOf';
import { watchedCli } from '../watchedCli';

const files = filesOfLines();
afterAll(files.remove);

const wallet = '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17';
/** Nothing listens there. The id is told before. */
const env = { TEMPORAL_ADDRESS: '127.0.0.1:1' };

/** The id that a terminal tells of an order that was given none. */
async function idOf(...more: string[]): Promise<string | undefined> {
  const own = ['transfer', '--from', wallet, '--to', to, '--amount', '5', '--token', 'USDC'];
  const { stdout } = await watchedCli([...own, ...more, '--dry-run'], env);
  return /id (transfer:[0-9a-f]{16})/.exec(stdout)?.[1];
}

test('the id of an order that was given none follows from what it pays, and to whom', async () => {
  const usual = await idOf();
  expect(usual).toBeDefined();
  const asBefore = [['--amount', '5.00'], ['--fee-level', 'HIGH'], ['--strict']];
  for (const more of asBefore) expect(await idOf(...more)).toBe(usual);
  const others = [
    ['--amount', '6'],
    ['--to', other],
    ['--token', 'EURC'],
    ['--reference', 'invoice 2'],
  ];
  const ids = await Promise.all(others.map((more) => idOf(...more)));
  expect(new Set([usual, ...ids]).size).toBe(1 + others.length);
  expect(ids).not.toContain(undefined);
});

test('an amount in a currency has the same id at every rate, and none of the token alone', async () => {
  const at = (rate: string, amount = '5 EUR') => {
    const day = new Date().toISOString().slice(0, 10);
    const text = `date,currency,token,rate\n${day},EUR,USDC,${rate}\n`;
    return idOf('--amount', amount, '--rates', files.write(`${rate}.csv`, text));
  };
  const usual = await at('1.08');
  expect(usual).toBeDefined();
  expect(await at('1.09')).toBe(usual);
  expect(await at('1.08', '6 EUR')).not.toBe(usual);
  expect(await idOf()).not.toBe(usual);
});
