import { readFileSync } from 'node:fs';
import { faults } from '../../src/sandbox/codes';

const path = require.resolve('@circle-fin/developer-controlled-wallets');
const published = new Map(
  [
    ...readFileSync(path, 'utf8').matchAll(
      /"code",(\d{6})\),\w+\(\w+,"message",("(?:[^"\\\\]|\\\\.)*")/g,
    ),
  ].map(([, code, text]) => [Number(code), String(JSON.parse(String(text)))] as const),
);

type Row = readonly [status: number, code: number, message: string];

const raised = Object.values<Row | Record<'wallets' | 'contracts', Row>>(faults)
  .flatMap((entry): Row[] => ('wallets' in entry ? [entry.wallets, entry.contracts] : [entry]))
  .filter(([, code]) => published.has(code));

it("words each code as the vendor's SDK publishes it, if need be with more behind it", () => {
  const other = raised.filter(([, code, message]) => {
    const text = published.get(code) ?? '';
    return message !== text && !message.startsWith(`${text}: `);
  });
  expect(raised.length).toBeGreaterThan(60);
  expect(other).toEqual([]);
});
