import picocolors from 'picocolors';
import { tellStatus } from '../../../src/cli/show/tellStatus';
import { visibleLine } from '../../../src/cli/show/visible';
import type { OrderStatus } from '../../../src/client/orderStatus';
import type { Progress } from '../../../src/orders/progress/status';

const progress: Progress = {
  status: 'Settling',
  timeline: [
    { kind: 'done', words: 'transfer of 5 USDC: accepted as t', at: '2026-01-01T12:00:02.000Z' },
  ],
  waitingFor: 'transfer of 5 USDC to settle',
  since: '2026-01-01T12:03:20.000Z',
};
const status: OrderStatus = {
  workflowId: 'transfer:1',
  runId: 'run',
  kind: 'transferStablecoin',
  execution: 'RUNNING',
  startedAt: '2026-01-01T12:00:00.000Z',
  closedAt: undefined,
  historyEvents: 12,
  progress,
  receipt: undefined,
  error: undefined,
};
const now = new Date('2026-01-01T12:03:22.000Z');
const closed = { closedAt: '2026-01-01T12:00:08.000Z' };
const tell = (fields: Partial<OrderStatus>, zone = 'UTC') =>
  tellStatus({ ...status, ...fields }, now, zone);

it('tells a running order as what has happened when, and how long it has waited since', () => {
  expect(tell({})).toEqual([
    'transfer:1 · transferStablecoin · Settling',
    '  2026-01-01, UTC',
    '  12:00:00    started',
    '  12:00:02  ✓ transfer of 5 USDC: accepted as t (2.0 s)',
    '  now       → waiting for transfer of 5 USDC to settle (3 min 20 s so far)',
  ]);
});

it('shows by its number what would forge a line or move the cursor', () => {
  const words = 'paused: \x1b[2J\x1b[8mwait\n  12:00:09  ✓ done';
  const timeline: Progress['timeline'] = [{ kind: 'asked', words, at: '2026-01-01T12:00:02.000Z' }];
  expect(tell({ progress: { ...progress, timeline } })[3]).toBe(
    '  12:00:02  › paused: \\u001b[2J\\u001b[8mwait\\u000a  12:00:09  ✓ done',
  );
});

it('has colours on a terminal, and none of them as text', () => {
  const tellOnTerminal = inColours(() => require('../../../src/cli/show/tellStatus').tellStatus);
  const done = { ...status, ...closed, execution: 'COMPLETED', progress: undefined };
  const lines = [...tellOnTerminal(done, now, 'UTC'), ...tellOnTerminal(status, now, 'UTC')];
  const said = lines.map((line: string) => visibleLine(line, true)).join('\n');
  expect(said).toContain('\u001b[32mdone\u001b[39m\u001b[2m (8.0 s in all)\u001b[22m');
  expect(said).toContain('\u001b[2m (3 min 20 s so far)\u001b[22m');
  expect(said).not.toContain('\\u001b');
});

/** Loads a module as on a terminal that has colours. */
function inColours<T>(load: () => T): T {
  let loaded: T | undefined;
  jest.isolateModules(() => {
    jest.doMock('../../../src/cli/show/colors', () => ({ pc: picocolors.createColors(true) }));
    loaded = load();
  });
  jest.dontMock('../../../src/cli/show/colors');
  if (loaded === undefined) throw new Error('Nothing was loaded.');
  return loaded;
}

it('tells trouble with how often it came, and a new day where one begins', () => {
  const timeline: Progress['timeline'] = [
    {
      kind: 'trouble',
      words: 'nobody listens',
      at: '2026-01-01T18:29:59.000Z',
      again: { times: 9, last: '2026-01-01T18:31:00.000Z' },
    },
    { kind: 'asked', words: 'paused: they called', at: '2026-01-01T18:31:10.000Z' },
    { kind: 'done', words: 'accepted', at: '2026-01-01T18:31:40.000Z' },
  ];
  expect(tell({ progress: { ...progress, timeline } }, 'Asia/Kolkata').slice(1, -1)).toEqual([
    '  2026-01-01, UTC+05:30',
    '  17:30:00    started',
    '  23:59:59  ! nobody listens (9 times, last 00:01:00)',
    '  2026-01-02, UTC+05:30',
    '  00:01:10  › paused: they called',
    '  00:01:40  ✓ accepted (6 h 31 min)',
  ]);
});

it('says what can be done about an order that is paused, and one that is unknown', () => {
  const paused = { reason: 'they called', since: '2026-01-01T12:03:20.000Z' };
  expect(tell({ progress: { ...progress, paused } }).slice(-2)).toEqual([
    '    if you want to continue it:  npx --no-install steadfast resume transfer:1',
    '    if you no longer want it:  npx --no-install steadfast cancel transfer:1 --reason "why"',
  ]);
  const unknown = { status: 'Unknown', target: 'transfer/1#0', evidence: ['try 1'] } as const;
  const lines = tell({ progress: { ...progress, ...unknown, evidence: [...unknown.evidence] } });
  expect(lines.at(-5)).toBe('    try 1');
  expect(lines.at(-4)).toContain("resolve transfer:1 --target 'transfer/1#0' --finding completed");
});

it('says that no worker answers when nothing is known of the progress', () => {
  const [told] = tell({ progress: undefined, lastStatus: 'Settling' }).slice(-1);
  const words =
    'No worker has answered in time. Does one run? Start it with "npx --no-install steadfast worker". ' +
    'It was Settling last.';
  expect(told).toBe(`  now       → ${words}`);
});

it('tells a completed order with how long it took and its receipt', () => {
  const done = { ...closed, execution: 'COMPLETED', receipt: { txHash: '0xabc' } };
  const lines = tell(done);
  expect(lines[0]).toContain('· done');
  expect(lines.slice(-2)).toEqual([
    '  12:00:08  ✓ done (8.0 s in all)',
    '  transaction hash  0xabc',
  ]);
});

it('tells until when the signature of an order counts that ended without being sent', () => {
  const signedUntil = '2026-01-02T12:00:00.000Z';
  const error = 'The reason.';
  const ended = { ...closed, execution: 'CANCELED', outcome: 'cancelled' as const, error };
  expect(tell({ ...ended, signedUntil }).slice(-2)).toEqual([
    `    What was signed for it counts until ${signedUntil}, unless it was withdrawn. Anyone who ` +
      'reads it in Temporal can still have it sent.',
    '    To withdraw it, with the key of its signer:  ' +
      'npx --no-install steadfast cancel transfer:1 --reason "withdrawn"',
  ]);
  expect(tell(ended).at(-1)).toContain('cancelled: The reason.');
});

it.each(['refused', 'failed', 'cancelled', 'terminated'] as const)(
  'tells an order that ended as %s apart, with its reason, also when no worker answers',
  (outcome) => {
    const error = 'The reason.';
    const made = { contractAddress: '0xc' };
    const ended = { ...closed, execution: 'FAILED', outcome, error, made, progress: undefined };
    const lines = tell(ended);
    expect(lines[0]).toContain(`· ${outcome}`);
    expect(lines.slice(3)).toEqual([
      expect.stringContaining('so the events in between are not shown'),
      `  12:00:08  ✗ ${outcome}: The reason. (8.0 s in all)`,
      'Completed before that:',
      '  contract address  0xc',
    ]);
  },
);
