import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { killOnTheWay } from '../../../proof/kill/kills';
import type { Mortal } from '../../../proof/kill/mortal';
import { type MortalStack, startMortalStack } from '../../../proof/kill/processes';
import {
  floorsOf,
  inspected,
  inspectorIn,
  type Sample,
  watchMemory,
} from '../../../proof/soak/memory';
import { createSteadfast } from '../../../src/client/client';
import type { Order } from '../../../src/orders/kinds';
import type { PayoutLine } from '../../../src/orders/payout';
import { walletOfLine } from '../../../src/orders/payout/walletOfLine';
import type { PartOptions } from '../../parts';
import { costOfMany } from '../histories';
import { accountOf } from '../judge';
import { makeLines } from '../makeLines';
import type { Killed, Results } from '../results';
import type { TransferFacts } from '../service/server';
import { type Payer, serviceAt, serviceCommand } from '../startService';
import { workflowBundle } from '../steadfast';
import { inRounds, usualPayers, usualSettleMs } from './options';

const openMax = 1_000;
const sampleMs = 2_000;
/** Each victim is killed three times, and once more for every further 10,000 lines. */
const killsOf = (lines: number): number => 3 * Math.max(3, Math.ceil(lines / 10_000) + 2);
/** The share of all kills that falls into the handing over. */
const handingShare = 0.2;
/** The time limit of a run. */
const msMaxOf = (lines: number): number => 300_000 + lines * 40;

type Part = Required<Results>['killed'];

/** Measures a payout while its worker, Temporal server and service are killed again and again. */
export async function measureKilled(options: PartOptions): Promise<Pick<Part, 'lines' | 'rounds'>> {
  const lines = options.linesMax;
  let seed = 0;
  const rounds = await inRounds(options, `${lines} lines under kills`, async () => {
    seed += 1;
    return onStage((stage) => payUnderKills(stage, { seed, lines: makeLines(lines) }));
  });
  return { lines, rounds };
}

/** The processes to kill, and a second worker that is spared so that its memory can be measured. */
type Stage = {
  stack: MortalStack;
  spared: Mortal;
  client: Client;
  inspectors: Map<string, string>;
};

async function onStage<Found>(act: (stage: Stage) => Promise<Found>): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-bench-'));
  const inspectors = new Map<string, string>();
  const rules = { settleMs: usualSettleMs };
  const journal = ['--journal', join(folder, 'journal.jsonl')] as const;
  const stack = await startMortalStack({
    folder,
    sandboxEnv: { SANDBOX_RATE_LIMIT: 'off' },
    serviceCommand: ({ apiKey }, port) => [
      ...serviceCommand(rules, apiKey),
      '--port',
      String(port),
      ...journal,
    ],
    workerEnv: {
      ...inspected,
      CHAIN_RPC_URL: '',
      STEADFAST_WORKFLOW_BUNDLE: await workflowBundle(),
    },
    onLine: (name, line) => {
      const inspector = inspectorIn(line);
      if (inspector !== undefined) inspectors.set(name, inspector);
    },
  });
  const connection = await Connection.connect({ address: stack.temporalAddress });
  try {
    const spared = stack.addWorker();
    await spared.start();
    return await act({ stack, spared, client: new Client({ connection }), inspectors });
  } finally {
    await connection.close();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function payUnderKills(
  { stack, spared, client, inspectors }: Stage,
  { seed, lines }: { seed: number; lines: readonly PayoutLine[] },
): Promise<Killed> {
  const service = serviceAt(stack);
  const payers = await service.createPayers(usualPayers, 'EOA');
  const url = inspectors.get(spared.name) ?? '';
  const memory = watchMemory(new Map([[spared.name, url]]));
  const startedMs = performance.now();
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  const paying = pay({ stack, client, isOver }, { payers, lines });
  const [kills] = await Promise.all([
    killOnTheWay({
      seed,
      kills: killsOf(lines.length),
      isOver,
      victims: [stack.worker, stack.temporal, { ...stack.sandbox, name: 'service' }],
      done: async () => {
        const { transfers } = await service.counts();
        const shares = [paying.handed() * handingShare, transfers * (1 - handingShare)];
        return shares.reduce((sum, share) => sum + share, 0) / lines.length;
      },
    }),
    sampleUntil(isOver, memory.sample),
    paying.whole.finally(() => over.abort()),
  ]).finally(() => over.abort());
  const seconds = (performance.now() - startedMs) / 1_000;
  const record = await service.transfers();
  const { once, twice, lost } = accountOf(lines, record);
  const { largestEvents, largestBytes, largestEventBytes } = await costsOf(client, paying.id);
  return {
    once,
    twice,
    lost,
    otherwise: otherwise(record, { payers, lines }),
    kills: Object.fromEntries(kills),
    seconds,
    linesPerS: lines.length / seconds,
    largestEvents,
    largestBytes,
    largestEventBytes,
    memory: memoryOf(memory.samples.get(spared.name) ?? []),
  };
}

type Bill = { payers: readonly Payer[]; lines: readonly PayoutLine[] };

/** Hands the lines over and waits. Repeats both when Temporal was away. */
function pay(
  { stack, client, isOver }: Pick<Stage, 'stack' | 'client'> & { isOver: () => boolean },
  { payers, lines }: Bill,
): { id: string; handed: () => number; whole: Promise<void> } {
  const steadfast = createSteadfast({ client, taskQueue: stack.taskQueue });
  const payoutId = `killed-${lines[0]?.lineId}`;
  const order: Order<'payout'> = { payoutId, wallets: payers.map(({ id }) => id), openMax };
  let handed = 0;
  const whole = async (): Promise<void> => {
    for (const endMs = Date.now() + msMaxOf(lines.length); ; await sleep(500)) {
      try {
        const started = await steadfast.payout(order, lines, (told) => {
          handed = Math.max(handed, told.lines);
        });
        await started.receipt();
        return;
      } catch (error) {
        if (isOver() || Date.now() > endMs) throw error;
      }
    }
  };
  return { id: `payout:${payoutId}`, handed: () => handed, whole: whole() };
}

async function sampleUntil(isOver: () => boolean, sample: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    await sample();
    await sleep(sampleMs);
  }
  await sample();
}

async function costsOf(client: Client, id: string) {
  const parts = await client.workflow.getHandle(id).query<{ shardId: string }[]>('parts');
  return costOfMany(client, { each: [id, ...parts.map(({ shardId }) => shardId)] });
}

/** Transfers that no line ordered: wrong recipient, wrong amount, or wrong wallet. */
function otherwise(record: readonly TransferFacts[], { payers, lines }: Bill): number {
  const lineOf = new Map(lines.map((line) => [line.to.toLowerCase(), line]));
  return record.filter(({ to, amount, walletId }) => {
    const line = lineOf.get(to.toLowerCase());
    if (line === undefined || line.amount !== amount) return true;
    return payers[walletOfLine(line.lineId, payers.length)]?.id !== walletId;
  }).length;
}

/** The memory that remains after a collection: the minimum in each third of the time. */
function memoryOf(samples: readonly Sample[]): Killed['memory'] {
  const last = samples.at(-1);
  const [, middle, end] = floorsOf(samples, 'heapMebibytes');
  const [, residentMiddle, residentEnd] = floorsOf(samples, 'residentMebibytes');
  return {
    peakMebibytes: last === undefined ? Number.NaN : peakOf(last.pid),
    finalMebibytes: last?.residentMebibytes ?? Number.NaN,
    heapMebibytes: { middle, end },
    residentMebibytes: { middle: residentMiddle, end: residentEnd },
  };
}

const kibibytesPerMebibyte = 1_024;

/** The peak memory of a process, as Linux notes it. NaN on other systems. */
function peakOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1]) / kibibytesPerMebibyte;
  } catch {
    return Number.NaN;
  }
}
