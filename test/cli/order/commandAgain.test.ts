import { commandAgain } from '../../../src/cli/order/commandAgain';

const args = ['payout', 'my staff.csv', '--rates', 'rates.csv'];
const lead = "npx --no-install steadfast payout 'my staff.csv' --rates rates.csv";

it('the command that goes on with an order has its id, and the day of its rates', () => {
  const today = new Date().toISOString().slice(0, 10);
  const flags = { rates: 'rates.csv' };
  expect(commandAgain({ args, flags }, 'january')).toBe(
    `${lead} --id january --rates-day ${today}`,
  );
});

it('a day and an id that were given stay as they were', () => {
  const given = [...args, '--id', 'january', '--rates-day', '2026-01-30'];
  const flags = { rates: 'rates.csv', id: 'january', ratesDay: '2026-01-30' };
  expect(commandAgain({ args: given, flags }, 'january')).toBe(
    `${lead} --id january --rates-day 2026-01-30`,
  );
});
