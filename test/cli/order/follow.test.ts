import type { StopReason } from '../../../src/cli/interruption';
import { follow } from '../../../src/cli/order/follow';
import { tellEnd } from '../../../src/cli/show/tellEnd';
import {
  OrderError,
  type OrderKind,
  type Receipt,
  type Steadfast,
} from '../../../src/client/client';
import type { OrderStatus } from '../../../src/client/orderStatus';
import type { Status } from '../../../src/orders/progress/status';
import { recordedVoice } from '../recordedVoice';

const id = 'transfer:1';
const receipt = { walletSetId: 'set', wallets: [] };
const never = new Promise<never>(() => {});

function running(status: Status, waitingFor: string): OrderStatus {
  return {
    workflowId: id,
    runId: 'run',
    kind: 'provisionWallets',
    execution: 'RUNNING',
    startedAt: '2026-01-01T00:00:00.000Z',
    closedAt: undefined,
    historyEvents: 5,
    progress: { status, timeline: [], waitingFor, since: '2026-01-01T00:00:00.000Z' },
    receipt: undefined,
    error: undefined,
  };
}

/** Follows an order that ends or stands as told, and says how that ended. */
async function followed(told: {
  receipt?: () => Promise<Receipt<OrderKind>>;
  status?: () => OrderStatus;
  stopped?: Promise<StopReason>;
  isJson?: boolean;
}) {
  const recorded = recordedVoice(told.isJson);
  const steadfast: Steadfast = {
    start: () => never,
    execute: () => never,
    plan: () => never,
    resubmit: () => never,
    cancel: () => never,
    resolve: () => never,
    approve: () => never,
    reject: () => never,
    pause: () => never,
    resume: () => never,
    accelerate: () => never,
    payout: () => never,
    payoutLines: async function* () {},
    rate: () => never,
    continue: () => never,
    retry: () => never,
    skip: () => never,
    list: () => never,
    status: async () => told.status?.() ?? running('Preparing', 'the order check'),
    origin: () => never,
    rates: () => never,
    changeRates: () => never,
    schedules: {} as Steadfast['schedules'],
    close: async () => {},
  };
  const started = {
    workflowId: id,
    runId: 'run',
    outcome: 'started' as const,
    receipt: told.receipt ?? (() => never),
  };
  const { voice } = recorded;
  const { stopped = never } = told;
  const end = await follow({ steadfast, started, id, voice, stopped });
  return { ...recorded, code: tellEnd({ id, started, end, voice }) };
}

const throws = (error: Error) => async (): Promise<never> => {
  throw error;
};

/** A payout with one line unknown, and so many others that wait. */
function payoutWaiting(waiting: number): OrderStatus {
  const status = running('Unknown', 'the operator');
  const counts = { paid: 1, failed: 0, unknown: 1, skipped: 0, waiting, lines: 2 + waiting };
  const payout = { parts: 1, sealed: true, ...counts, totals: {} };
  return { ...status, progress: status.progress && { ...status.progress, payout } };
}

describe('waiting for an order ends', () => {
  it('with 0 and the receipt when it is done', async () => {
    const { code, said } = await followed({ receipt: async () => receipt });
    expect(code).toBe(0);
    expect(said).toEqual([expect.stringContaining('transfer:1 is done.'), '  wallet set id  set']);
  });

  it.each(['refused', 'failed', 'cancelled', 'terminated'] as const)(
    'with 1 and the reason when it is %s',
    async (outcome) => {
      const error = new OrderError('The reason.', { outcome, made: { contractAddress: '0xc' } });
      const { code, said } = await followed({ receipt: throws(error) });
      expect(code).toBe(1);
      expect(said[0]).toContain(`ended as ${outcome}: The reason.`);
      expect(said.slice(1)).toEqual(['Completed before that:', '  contract address  0xc']);
    },
  );

  it.each([
    ['Unknown', 'is unknown: it waits for a new API key'],
    ['NeedsOperator', 'waits (NeedsOperator) for a new API key'],
  ] as const)('with 3 and what to do when it stands still as %s', async (status, words) => {
    const { code, said } = await followed({ status: () => running(status, 'a new API key') });
    expect(code).toBe(3);
    expect(said[0]).toContain(words);
    expect(said[1]).toContain('steadfast status transfer:1');
  });

  it('with 3 for a payout with an unknown line only when no other line is under way', async () => {
    const statuses = [payoutWaiting(1)];
    const { code, noted } = await followed({ status: () => statuses.shift() ?? payoutWaiting(0) });
    expect(noted).toEqual([
      expect.stringContaining('1 of 3 paid, 1 unknown'),
      expect.stringContaining('1 of 2 paid, 1 unknown'),
    ]);
    expect(code).toBe(3);
  });

  it.each(['interrupted', 'timeout'] as const)(
    'with 4 and how to follow it when we stop: %s',
    async (why) => {
      const { code, said } = await followed({ stopped: Promise.resolve(why) });
      expect(code).toBe(4);
      expect(said[0]).toContain(
        'transfer:1 goes on. Follow it with: npx --no-install steadfast status transfer:1',
      );
    },
  );

  it('with 4 when Temporal goes away', async () => {
    const { code, said } = await followed({ receipt: throws(new Error('14 UNAVAILABLE')) });
    expect(code).toBe(4);
    expect(said[0]).toContain('Temporal cannot be reached any more.');
  });
});

it('notes each change once while waiting, beside the results', async () => {
  const statuses = [running('Settling', 'poll 1'), running('Settling', 'poll 1')];
  const { noted } = await followed({
    status: () => statuses.shift() ?? running('Unknown', 'the operator'),
  });
  expect(noted).toEqual(['Settling, waiting for poll 1', 'Unknown, waiting for the operator']);
});

it('goes on when a look at the order fails', async () => {
  let looks = 0;
  const { code } = await followed({
    status: () => {
      looks += 1;
      if (looks === 1) throw new Error('14 UNAVAILABLE');
      return running('Unknown', 'the operator');
    },
  });
  expect(code).toBe(3);
});

it('puts everything a program needs into one document', async () => {
  const record = { state: 'FAILED' };
  const error = new OrderError('The reason.', { outcome: 'failed', record });
  const { documents } = await followed({ receipt: throws(error), isJson: true });
  expect(documents).toEqual([
    {
      id,
      workflowId: id,
      runId: 'run',
      start: 'started',
      end: 'failed',
      message: 'The reason.',
      record,
      made: undefined,
    },
  ]);
});
