import { firstSettings } from '../../../sandbox/config/settings';

it.each([
  ['127.0.0.1', 'on'],
  ['127.1.2.3', 'on'],
  ['localhost', 'on'],
  ['::1', 'on'],
  ['0.0.0.0', 'off'],
  ['::', 'off'],
  ['192.168.1.4', 'off'],
  ['127.0.0.1.example', 'off'],
])('a sandbox on %s begins with transactions of others %s', (host, outsideTransactions) => {
  const settings = firstSettings({ settleMs: 0, rateLimit: 'off', host });
  expect(settings).toMatchObject({ outsideTransactions });
});
