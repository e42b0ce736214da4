import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { proofIn, treeOf } from '../../../src/authority/lineTree';
import type { Steadfast } from '../../../src/client/client';
import type { Signed } from '../../../src/orders/input/signed';
import { readLines } from '../../../src/orders/payout/readLines';
import { payee, signedOffice } from './signedOffice';

const { keys, ...office } = signedOffice('back');

const lineOf = (lineId: string, amount: string) => ({ lineId, to: payee, amount, token: 'USDC' });

/** A payout with its lines, and the proof of each of them. */
function payoutWith(...amounts: string[]) {
  const payoutId = `back-${randomUUID().slice(0, 8)}`;
  const id = `payout:${payoutId}`;
  const lines = amounts.map((amount, at) => lineOf('abcdefgh'[at] ?? '', amount));
  const [wallet] = office.wallets();
  const order = { payoutId, wallets: [wallet?.id ?? ''] as [string], lines };
  const sendLine = (at: number, request: Signed): Promise<string> => {
    const { lineId = '', amount = '' } = lines[at] ?? {};
    const others = proofIn(treeOf(readLines(lines, 1)), [at]);
    const proof = { token: 'USDC', lines: [{ lineId, generation: 0, index: at }], others };
    const parts = { workflowId: id, step: 'line', item: lineId, generation: 0 };
    return office.attempt({ parts, amount, authority: { request, proof } });
  };
  return { id, order, sendLine };
}

/** Starts a payout that waits before its first line. */
async function startPaused(steadfast: Steadfast, { id, order }: ReturnType<typeof payoutWith>) {
  const { started, pausing } = await office.withoutWorker(async () => {
    const one = await steadfast.start('payout', id, order);
    return { started: one, pausing: steadfast.pause(id, 'wait') };
  });
  await pausing;
  while ((await steadfast.status(id)).progress?.status !== 'Paused') await sleep(200);
  return started;
}

describe('a line that was skipped with the key', () => {
  it('stays so if its payout is cancelled before it pays anything, and continued', async () => {
    const steadfast = office.steadfastWith(keys.backend.sign);
    const before = await office.paid();
    const payout = payoutWith('0.5', '0.75', '0.6');
    const { receipt } = await startPaused(steadfast, payout);
    await steadfast.skip(payout.id, ['b'], 'unknown invoice');
    await steadfast.cancel(payout.id, 'wrong month');
    await expect(receipt()).rejects.toThrow('was cancelled');
    const again = await steadfast.continue(payout.id);
    expect(await again.receipt()).toMatchObject({ lines: 3, paid: 2, skipped: 1 });
    const paid = await office.paid();
    expect(paid.slice(before.length).sort()).toEqual([500_000, 600_000]);
  });
});
