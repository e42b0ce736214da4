import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { stablecoinAddresses } from '../../../sandbox/chain/genesis/contracts';
import { batchCall, markOf } from '../../../src/custody/batch';
import { createCustodyClient } from '../../../src/custody/client';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { RefusedError } from '../../../src/custody/errors';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import type { PayoutLine } from '../../../src/orders/payout';
import { walletOfLine } from '../../../src/orders/payout/walletOfLine';
import { isFinal } from '../payouts/rivals/pay';
import type { Course, Payer } from './course';

/** The hosted service accepts five writes a second. */
const paceMs = 200;
const lookMs = 500;
const againMs = 1_000;

/**
 * A plain program that makes the same batches on the same client. It keeps nothing, so a crash
 * forgets what it has sent. Returns the seconds until all batches were final.
 */
export async function payByScript(
  { stack, payers }: Course,
  { lines, linesMax }: { lines: readonly PayoutLine[]; linesMax: number },
): Promise<number> {
  const custody = createCustodyClient(stack);
  const startedMs = performance.now();
  let nextMs = Date.now();
  const turn = async (): Promise<void> => {
    const atMs = Math.max(nextMs, Date.now());
    nextMs = atMs + paceMs;
    await sleep(atMs - Date.now());
  };
  await Promise.all(
    payers.map(async (payer, wallet) => {
      const own = lines.filter(({ lineId }) => walletOfLine(lineId, payers.length) === wallet);
      const final: Promise<void>[] = [];
      for (let first = 0; first < own.length; first += linesMax) {
        const sent = await send(custody, {
          payer,
          lines: own.slice(first, first + linesMax),
          turn,
        });
        // A smart account's transactions follow one another.
        if (payer.accountType === 'SCA') await untilFinal(custody, sent);
        else final.push(untilFinal(custody, sent));
      }
      await Promise.all(final);
    }),
  );
  return (performance.now() - startedMs) / 1_000;
}

type Sending = { payer: Payer; lines: readonly PayoutLine[]; turn: () => Promise<void> };

async function send(custody: CustodyApi, { payer, lines, turn }: Sending): Promise<string> {
  const payments = lines.map(({ to, amount, lineId }) => {
    const baseUnits = toBaseUnits(amount, 6).toString();
    return { to, baseUnits, mark: markOf('script', lineId, 0) };
  });
  const paid = { tokenAddress: stablecoinAddresses.usdc, payments };
  const walletId = payer.id;
  const whole = batchCall(payer, paid, { mayFail: false });
  const { medium } = await insisting(() => custody.estimateExecution({ walletId, ...whole }));
  const gasLimit = ((BigInt(medium.gasLimit) * 5n) / 4n).toString();
  const input = {
    ...{ idempotencyKey: randomUUID(), walletId, feeLevel: 'MEDIUM' as const },
    ...batchCall(payer, paid, { mayFail: true }),
    ...(payer.accountType === 'SCA' ? {} : { gasLimit }),
  };
  const { id } = await insisting(async () => {
    await turn();
    return custody.executeContract(input);
  });
  return id;
}

/** Makes a call again for as long as the service says that it comes too soon. */
async function insisting<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 429) throw error;
      await sleep(againMs);
    }
  }
}

async function untilFinal(custody: CustodyApi, id: string): Promise<void> {
  while (!(await insisting(() => isFinal(custody, id)))) await sleep(lookMs);
}
