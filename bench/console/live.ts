import { setTimeout as sleep } from 'node:timers/promises';
import type { Desk } from '../../src/cli/demo/office/payroll';
import type { StackParts } from '../../src/local/startStack';
import { cpuSeconds } from '../payouts/cpu';
import { linesOf, type Session } from './stage';

const views = 50;
const linesEach = 60;
const listensMs = 30_000;
/** Orders that are paid to the end, one after another. */
const paid = 10;
/** Their sum asks nobody. */
const paidLines = linesOf(1, 1);

export type LiveMeasured = { views: number; listeningMsPerS: number; orderMs: number };

/** The processor time of Temporal while pages listen to orders, and for a whole order. */
export async function measureLive({
  parts,
  desk,
  session,
  tell,
}: {
  parts: StackParts;
  desk: Desk;
  session: Session;
  tell: (what: string) => void;
}): Promise<LiveMeasured> {
  const cpuMs = (): number => cpuSeconds(parts.temporal.pid) * 1_000;
  tell(`${views} payouts ask for approval`);
  for (let at = 0; at < views; at += 1) await desk.ask(`watched-${at}`, linesOf(linesEach));
  tell('Pages listen to them');
  const idle = await costOf(cpuMs, () => sleep(listensMs));
  const end = new AbortController();
  for (let at = 0; at < views; at += 1) void listen(session, at, end.signal);
  const listening = await costOf(cpuMs, () => sleep(listensMs));
  end.abort();
  tell(`${paid} orders are paid`);
  const paying = await costOf(cpuMs, async () => {
    for (let at = 0; at < paid; at += 1) await desk.pay(`paid-${at}`, paidLines);
  });
  const orderMs = (paying.cpuMs - (idle.cpuMs / idle.tookMs) * paying.tookMs) / paid;
  const listeningMsPerS = ((listening.cpuMs - idle.cpuMs) / listening.tookMs) * 1_000;
  return { views, listeningMsPerS, orderMs };
}

async function costOf(cpuMs: () => number, work: () => Promise<void>) {
  const [beganMs, before] = [performance.now(), cpuMs()];
  await work();
  return { cpuMs: cpuMs() - before, tookMs: performance.now() - beganMs };
}

/** Listens as the script of a page does, until the signal. */
async function listen({ origin, cookie }: Session, at: number, signal: AbortSignal) {
  const url = `${origin}/payouts/payout%3Awatched-${at}/live`;
  try {
    const answer = await fetch(url, { headers: { cookie }, signal });
    for await (const _ of answer.body ?? []) if (signal.aborted) return;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
