import type { Race, Raced } from '../../../bench/payouts/contender';
import { accountOf, judge } from '../../../bench/payouts/judge';
import { makeLines } from '../../../bench/payouts/makeLines';
import type { TransferFacts } from '../../../bench/payouts/service/server';

const startedAtMs = 1_000_000;
const settleMs = 1_000;
const lagMs = 100;

const race: Race = {
  payers: [],
  lines: makeLines(10),
  warmUp: makeLines(2),
  open: 10,
  way: { window: 10, method: 'any' },
};

/** As the stub tells of a line: sent one after another, 10 ms apart. */
function transferOf(line: { to: string }, index: number): TransferFacts {
  const receivedAtMs = startedAtMs + index * 10;
  const facts = { id: `transaction ${index}`, walletId: 'w', amount: '0.01', asked: 1 };
  return {
    ...facts,
    refId: undefined,
    receivedAtMs,
    to: line.to.toUpperCase(),
    settlesAtMs: receivedAtMs + settleMs,
  };
}

const transfers = race.lines.map(transferOf);

function racedOver(held: readonly TransferFacts[]): Raced {
  const known = held.map(({ id, settlesAtMs }) => [id, settlesAtMs + lagMs]);
  const largest = { largestEvents: 40, largestBytes: 5_000, largestEventBytes: 900 };
  const history = { events: 40, bytes: 5_000, actions: 12, ...largest };
  return {
    startedAtMs,
    cpuS: { server: 0.5, worker: 0.2 },
    history,
    knownAtMs: Object.fromEntries(known),
  };
}

const serviceOf = (held: TransferFacts[]) => ({ transfers: async () => held });

describe('the judge of a race', () => {
  it('tells pace, lag and cost by the line, of the race alone', async () => {
    const earlier = race.warmUp.map((line, index) => transferOf(line, index + 50));
    const figures = await judge(serviceOf([...earlier, ...transfers]), race, racedOver(transfers));
    expect(figures).toMatchObject({
      linesPerS: 10_000 / (90 + settleMs + lagMs),
      submitToKnownMs: { p50: settleMs + lagMs, p99: settleMs + lagMs },
      lagMs: { p50: lagMs, p99: lagMs },
      eventsPerLine: 4,
      bytesPerLine: 500,
      actionsPerLine: 1.2,
      serverCpuMs: 50,
      workerCpuMs: 20,
    });
  });

  it('refuses a race that has paid a line twice, or not at all', async () => {
    const twice = [...transfers, { ...transferOf(race.lines[3] ?? { to: '' }, 3), id: 'more' }];
    await expect(judge(serviceOf(twice), race, racedOver(twice))).rejects.toThrow(
      'Of 10 lines 10 were paid, in 11 transfers.',
    );
    const fewer = transfers.slice(1);
    await expect(judge(serviceOf(fewer), race, racedOver(fewer))).rejects.toThrow(
      'Of 10 lines 9 were paid, in 9 transfers.',
    );
  });

  it('accounts for each line: once, more often, or not at all', () => {
    const [first] = transfers;
    if (first === undefined) throw new Error('There is no transfer.');
    const stranger = { ...first, id: 'stranger', to: '0x1' };
    const record = [...transfers.slice(0, 9), first, first, stranger];
    const account = accountOf(race.lines, record);
    expect(account).toMatchObject({ once: 8, twice: 1, lost: 1 });
    expect(account.transfers).toHaveLength(11);
  });

  it('refuses to believe that something was known before it had settled', async () => {
    const raced = racedOver(transfers);
    const knownAtMs = { ...raced.knownAtMs, 'transaction 4': startedAtMs };
    await expect(judge(serviceOf(transfers), race, { ...raced, knownAtMs })).rejects.toThrow(
      'Transaction transaction 4 settled at',
    );
  });
});
