import { constants } from 'node:os';
import type { StackPart } from '../../local/startPart';
import type { StackParts } from '../../local/startStack';

const shownLinesMax = 15;

export const everyPart: readonly StackPart[] = [
  'temporal',
  'sandbox',
  'worker',
  'webhooks',
  'console',
];
const names: Record<StackPart, string> = {
  temporal: 'Temporal',
  sandbox: 'The sandbox',
  worker: 'The worker',
  webhooks: 'The receiver of notices',
  console: 'The console',
};

/** A process of the stack that has ended by itself: how it ended, and its last lines. */
type Ended = { part: StackPart; name: string; how: string; last: string };

/** Resolves when this process of the stack ends. Never, where the stack has none. */
export async function partEnd(parts: StackParts, part: StackPart): Promise<Ended> {
  const child = parts[part];
  if (child === undefined) return new Promise(() => {});
  const how = tellEnd(await child.exited);
  return { part, name: names[part], how, last: lastOf(child) };
}

/** Rejects when a process of the stack ends by itself. The error names it and has its last lines. */
export async function untilBroken(parts: StackParts, watched = everyPart): Promise<never> {
  const { name, how, last } = await Promise.race(watched.map((part) => partEnd(parts, part)));
  throw new Error(`${name} ${how}.${last}`);
}

/** The shell around a process tells its signal as a number above 128. */
function tellEnd(code: number | null): string {
  const number = (code ?? 0) - 128;
  const signal = Object.entries(constants.signals).find(([, one]) => one === number)?.[0];
  if (code !== null && signal === undefined) return `ended by itself, with exit code ${code}`;
  return signal === 'SIGKILL' ? 'was killed (SIGKILL)' : `was ended by ${signal ?? 'a signal'}`;
}

function lastOf(child: StackParts['worker']): string {
  const lines = child.lastLines().slice(-shownLinesMax);
  return lines.length === 0 ? '' : ` Its last lines:\n${lines.join('\n')}`;
}
