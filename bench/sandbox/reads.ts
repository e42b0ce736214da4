import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Wallet } from '../../src/custody/objects/wallet';
import { freshAddress, requireTransfers } from './oracle';
import type { PreparedRequest, Target } from './target';
import { transferRequest, untilSettled } from './transfers';

const readers = 32;
const durationMs = 4_000;
/** Ten times what the hosted service allows one account. */
export const writesPerS = 50;

const acceptedSchema = z.object({ data: z.object({ id: z.string() }) });

/** Measures status reads per second and their p99 while writes run. */
export async function timeReads(
  target: Target,
  wallets: readonly Wallet[],
): Promise<{ readsPerS: number; p99Ms: number }> {
  const to = freshAddress();
  const writes = Array.from({ length: (writesPerS * durationMs) / 1_000 }, (_, index) => {
    const wallet = wallets[index % wallets.length];
    return transferRequest(target, { walletId: wallet?.id ?? '', to });
  });
  const count = writes.length;
  const first = writes.pop();
  if (first === undefined) throw new Error('There is nothing to write.');
  const ids = [await accept(target, first)];
  const start = performance.now();
  const writing = write(target, writes, ids);
  const latenciesMs = (
    await Promise.all(Array.from({ length: readers }, () => read(target, ids, start)))
  ).flat();
  const ms = performance.now() - start;
  await writing;
  await untilSettled(target);
  await requireTransfers(target.rpcUrl, { to, count });
  latenciesMs.sort((one, other) => one - other);
  return {
    readsPerS: (latenciesMs.length * 1_000) / ms,
    p99Ms: latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN,
  };
}

/** Sends each request at its time, without a wait for earlier answers. */
async function write(
  target: Target,
  requests: readonly PreparedRequest[],
  ids: string[],
): Promise<void> {
  const start = performance.now();
  await Promise.all(
    requests.map(async (request, index) => {
      await sleep(start + (index * 1_000) / writesPerS - performance.now());
      ids.push(await accept(target, request));
    }),
  );
}

async function accept(target: Target, request: PreparedRequest): Promise<string> {
  return acceptedSchema.parse(await target.send(request)).data.id;
}

/** Reads one status after the other. New and old transactions come equally often. */
async function read(target: Target, ids: readonly string[], startMs: number): Promise<number[]> {
  const latenciesMs: number[] = [];
  for (let sent = performance.now(); sent - startMs < durationMs; sent = performance.now()) {
    const id = ids[Math.floor(Math.random() * ids.length)];
    await target.send({ method: 'GET', path: `/v1/w3s/transactions/${id}` });
    latenciesMs.push(performance.now() - sent);
  }
  return latenciesMs;
}
