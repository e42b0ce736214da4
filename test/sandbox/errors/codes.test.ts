import { readFileSync } from 'node:fs';
import { faults } from '../../../sandbox/errors/codes';

const path = require.resolve('@circle-fin/developer-controlled-wallets');
const published = new Map(
  [
    ...readFileSync(path, 'utf8').matchAll(
      /"code",(\d{6})\),\w+\(\w+,"message",("(?:[^"\\\\]|\\\\.)*")/g,
    ),
  ].map(([, code, text]) => [Number(code), String(JSON.parse(String(text)))] as const),
);

const raised = Object.values<string | Record<'wallets' | 'contracts', string>>(faults)
  .flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)))
  .map((row) => ({ code: Number(row.split(' ')[1]), message: row.split(' ').slice(2).join(' ') }))
  .filter(({ code }) => published.has(code));

it("words each code as the vendor's SDK publishes it, if need be with more behind it", () => {
  const other = raised.filter(({ code, message }) => {
    const text = published.get(code) ?? '';
    return message !== text && !message.startsWith(`${text}: `);
  });
  expect(raised.length).toBeGreaterThan(60);
  expect(other).toEqual([]);
});
