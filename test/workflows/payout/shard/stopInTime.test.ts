import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../../../../src/custody/endpoints';
import { sumByToken } from '../../../../src/orders/payout/tally';
import { createServe } from '../../../support/orders';
import {
  linesOf,
  newLines,
  openedPayout,
  paidOnChain,
  payers,
  payoutOf,
} from '../../../support/payouts';
import { inSandbox } from '../../../support/sandbox';

const serve = createServe();
const sandbox = inSandbox();

type Question = 'estimateExecution' | 'listBalances';

/** A service where something happens while it is asked one thing. It counts what is sent. */
function interrupted(question: Question) {
  const { client } = sandbox;
  const moment: { happen?: (() => Promise<unknown>) | undefined; sent: number } = { sent: 0 };
  const custody: CustodyApi = {
    ...client,
    [question]: async (...call: [never]) => {
      await moment.happen?.();
      return client[question](...call);
    },
    executeContract: async (...call) => {
      moment.sent += 1;
      return client.executeContract(...call);
    },
    createTransfer: async (...call) => {
      moment.sent += 1;
      return client.createTransfer(...call);
    },
  };
  return { custody, moment };
}

const ways: { of: string; question: Question; change: object }[] = [
  { of: 'batches', question: 'estimateExecution', change: { batch: { linesMax: 2 } } },
  {
    of: 'single lines with a reserve',
    question: 'listBalances',
    change: { batch: false, reservePerWallet: '0.5' },
  },
];

/** A payout of which the first payments are asked about when something happens. */
async function asking(
  { question, change }: (typeof ways)[number],
  happen: (workflowId: string, orders: Awaited<ReturnType<typeof serve>>) => Promise<unknown>,
) {
  const { custody, moment } = interrupted(question);
  const { baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  const orders = await serve(custody, { baseUrl, chainRpcUrl });
  const lines = newLines(8);
  const opened = await openedPayout(orders, payoutOf(await payers(sandbox, 'EOA'), change));
  await opened.update('addLines', { part: 1, lines });
  // The seal asks the same, so that the question waits for what follows.
  await opened.update('pause', { reason: 'a test' });
  await opened.update('seal', { parts: 1, totals: sumByToken(lines) });
  const isAsked = new Promise<void>((resolve) => {
    let happening: Promise<void> | undefined;
    moment.happen = () => {
      happening ??= happen(opened.workflowId, orders)
        // Its part hears of it within a moment.
        .then(() => sleep(2_000))
        .then(resolve);
      return happening;
    };
  });
  await opened.update('resume', {});
  await isAsked;
  return { ...opened, orders, lines, moment };
}

describe.each(ways)('a payout of $of', (way) => {
  test.concurrent('that is cancelled while the first ones are asked about sends none', async () => {
    const { orders, workflowId, handle, lines, moment } = await asking(way, (id, { steadfast }) =>
      steadfast.cancel(id, 'wrong month'),
    );
    await handle.result().catch(() => undefined);
    expect(moment.sent).toBe(0);
    const outcomes = (await linesOf(orders, workflowId)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(lines.map(() => 'skipped'));
  });

  test.concurrent('that is paused while the first ones are asked about sends none until it goes on', async () => {
    const { update, handle, lines, moment } = await asking(way, (id, { steadfast }) =>
      steadfast.pause(id, 'look first'),
    );
    await sleep(4_000);
    expect(moment.sent).toBe(0);
    await update('resume', {});
    expect(await handle.result()).toMatchObject({ lines: 8, paid: 8 });
    const paid = Object.values(await paidOnChain(sandbox, lines));
    expect(paid.map((hashes) => hashes.length)).toEqual(lines.map(() => 1));
  });
});
