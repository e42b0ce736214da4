import { tellStatus } from '../../src/cli/tellStatus';
import type { OrderStatus } from '../../src/orderStatus';

const status: OrderStatus = {
  workflowId: 'transfer:1',
  runId: 'run',
  kind: 'transferStablecoin',
  execution: 'RUNNING',
  startedAt: '2026-01-01T12:00:00.000Z',
  closedAt: undefined,
  historyEvents: 12,
  progress: {
    status: 'Settling',
    done: ['transfer of 5 USDC: accepted as t'],
    waitingFor: 'transfer of 5 USDC to settle',
    since: '2026-01-01T12:00:05.000Z',
  },
  receipt: undefined,
  error: undefined,
};
const now = new Date('2026-01-01T12:03:25.000Z');
const closed = { closedAt: '2026-01-01T12:00:08.000Z' };

it('tells a running order as what is done, what it waits for and since when', () => {
  expect(tellStatus(status, now)).toEqual([
    'transfer:1 · transferStablecoin · Settling',
    'started 2026-01-01 12:00:00 UTC, 12 events',
    '  ✓ transfer of 5 USDC: accepted as t',
    '  → waiting for transfer of 5 USDC to settle',
    '    since 2026-01-01 12:00:05 UTC, that is 3 min 20 s',
  ]);
});

it('says that no worker answers when nothing is known of the progress', () => {
  const lines = tellStatus({ ...status, progress: undefined }, now);
  expect(lines.at(-1)).toBe('  → No worker answers: start one with "steadfast worker".');
});

it('tells a completed order with how long it took and its receipt', () => {
  const done = { ...status, ...closed, execution: 'COMPLETED', receipt: { txHash: '0xabc' } };
  const lines = tellStatus(done, now);
  expect(lines[0]).toContain('· done');
  expect(lines.slice(-2)).toEqual([
    'ended 2026-01-01 12:00:08 UTC, after 8.0 s',
    '  transaction hash  0xabc',
  ]);
});

it.each([
  ['Refused', 'refused'],
  ['Failed', 'failed'],
] as const)('tells an order that ended as %s apart, with its reason', (word, told) => {
  const progress = { status: word, done: [], waitingFor: 'nothing', since: closed.closedAt };
  const ended = { ...status, ...closed, execution: 'FAILED', error: 'The reason.', progress };
  const lines = tellStatus(ended, now);
  expect(lines[0]).toContain(`· ${told}`);
  expect(lines[2]).toBe('  ✗ The reason.');
});
