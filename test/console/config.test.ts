import { readConsoleConfig } from '../../src/console/config';

const needed = { STEADFAST_CONSOLE_FILE: 'console.db', STEADFAST_POLICY_FILE: 'policy.yaml' };

it('takes the origin of Temporal UI, and goes without one', () => {
  expect(readConsoleConfig(needed).temporalUi).toBeUndefined();
  const origin = 'http://localhost:8233';
  const read = readConsoleConfig({ ...needed, STEADFAST_TEMPORAL_UI: origin });
  expect(read.temporalUi).toBe(origin);
});

it.each(['https://temporal.example.org/ui', 'javascript:alert(1)', 'temporal.example.org'])(
  'refuses "%s" as the address of Temporal UI',
  (address) => {
    const read = () => readConsoleConfig({ ...needed, STEADFAST_TEMPORAL_UI: address });
    expect(read).toThrow('STEADFAST_TEMPORAL_UI');
    expect(read).toThrow('must be an address without a path');
  },
);
