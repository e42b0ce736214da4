import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, PayoutLine } from '../../../src/client/client';
import { sumByToken } from '../../../src/orders/payout/tally';
import { createServe, type Orders } from '../../support/orders';
import { newLine, newLines, openedPayout, payoutOf } from '../../support/payouts';
import { openTill, type Till } from '../../support/service/tillCustody';

const serve = createServe();

type Scene = { till: Till; orders: Orders; order: Order<'payout'>; lines: PayoutLine[] };

/** A payout of these lines, handed over part by part. */
async function paid(lines: PayoutLine[], { settles = true } = {}): Promise<Scene> {
  const till = openTill();
  till.settings.settleMs = settles ? 10 : 600_000;
  const orders = await serve(till.custody);
  const order = payoutOf(till.wallets);
  const { receipt } = await orders.steadfast.payout(order, lines);
  if (settles) await receipt();
  else while (till.taken.length < Math.min(lines.length, 3)) await sleep(50);
  return { till, orders, order, lines };
}

/** The refusal of other lines under the id of a payout. Nothing more may be sent. */
async function refusal({ till, orders, order }: Scene, lines?: PayoutLine[], change = {}) {
  const before = till.taken.length;
  const asked = { ...order, ...change };
  const outcome = await orders.steadfast.payout(asked, lines).catch((error: unknown) => error);
  if (!(outcome instanceof Error)) throw new Error(`Accepted: ${JSON.stringify(outcome)}`);
  expect(till.taken).toHaveLength(before);
  expect(outcome.name).toBe('BadOrderError');
  return outcome.message.replaceAll(order.payoutId, '<id>');
}

const lead = 'id: payout:<id> was handed over before, with other lines: ';
const onlyNew = 'Nothing is paid by this. Put only the new lines into a payout of their own.';
const asTheyWere = 'Nothing is paid by this. The payout keeps its lines as they were.';
const ids = (lines: readonly PayoutLine[]) => lines.map(({ lineId }) => lineId);

/** Changes of some lines, by name, and the sentence that names each. */
function changes(lines: PayoutLine[]): [name: string, now: PayoutLine[], words: string][] {
  const [one, two, three] = lines as [PayoutLine, PayoutLine, PayoutLine];
  const more = newLine();
  const dearer = { ...two, amount: '1.95' };
  const renamed = { ...two, lineId: '12' };
  const elsewhere = { ...two, to: one.to };
  const was = `of line ${two.lineId} was`;
  return [
    ['a line more', [...lines, more], `line ${more.lineId} is not in it. ${onlyNew}`],
    [
      'another id',
      [one, renamed, three],
      `line 12 is line ${two.lineId} under another id: give it the id that it had. ${asTheyWere}`,
    ],
    ['a line less', [one, three], `line ${two.lineId} is missing. ${asTheyWere}`],
    [
      'another amount',
      [one, dearer, three],
      `the amount ${was} ${two.amount}, is 1.95. ${asTheyWere}`,
    ],
    [
      'another token',
      [one, { ...two, token: 'EURC' }, three],
      `the token ${was} USDC, is EURC. ${asTheyWere}`,
    ],
    ['another address', [one, elsewhere, three], `the address ${was} `],
    ['another order', [two, one, three], `the order of the lines differs. ${asTheyWere}`],
  ];
}

test('a completed payout names each way in which the lines under its id differ', async () => {
  const scene = await paid(newLines(3));
  for (const [, now, words] of changes(scene.lines)) {
    expect(await refusal(scene, now)).toContain(`${lead}${words}`);
  }
  const same = await scene.orders.steadfast.payout(scene.order, scene.lines);
  expect(same.outcome).toBe('completed');
});

test('a running payout names them too, to the client and to any other language', async () => {
  const scene = await paid(newLines(3), { settles: false });
  for (const [, now, words] of changes(scene.lines)) {
    expect(await refusal(scene, now)).toContain(`${lead}${words}`);
  }
  const { orders, order, lines, till } = scene;
  const { update, handle } = await openedPayout(orders, order);
  const own = 'part: 1 was handed over before, with other lines: ';
  for (const [name, now, words] of changes(lines)) {
    const told = name === 'a line less' ? words.replace('missing', 'missing in part 1') : words;
    expect(await update('addLines', { part: 1, lines: now })).toContain(`${own}${told}`);
  }
  const more = newLine();
  expect(await update('addLines', { part: 2, lines: [more] })).toBe(
    `part: 2 was handed over before, with other lines: line ${more.lineId} is not in it. ${onlyNew}`,
  );
  expect(await update('addLines', { part: 2, lines: lines.slice(0, 1) })).toContain(
    `another part has some of them. ${asTheyWere}`,
  );
  till.settle();
  expect(await handle.result()).toMatchObject({ paid: 3 });
});

test('the lines of a long payout may shift by one, and the new line alone is called new', async () => {
  const scene = await paid(newLines(1_003));
  const first = newLine();
  expect(await refusal(scene, [first, ...scene.lines])).toBe(
    `${lead}line ${first.lineId} is not in it. ${onlyNew}`,
  );
  const [gone, ...rest] = scene.lines;
  expect(await refusal(scene, rest)).toBe(`${lead}line ${gone?.lineId} is missing. ${asTheyWere}`);
  expect(await refusal(scene, scene.lines.slice(0, 1_000))).toBe(
    `${lead}${ids(scene.lines.slice(1_000))
      .map((lineId) => `line ${lineId} is missing`)
      .join('; ')}. ${asTheyWere}`,
  );
});

test('another language that shifts a part is told of no line as new that another part has', async () => {
  const { orders, order, lines, till } = await paid(newLines(1_003), { settles: false });
  const { update } = await openedPayout(orders, order);
  const shifted = [...lines.slice(1, 1_001)];
  const words = await update('addLines', { part: 1, lines: shifted });
  expect(words).toContain(`line ${lines[0]?.lineId} is missing in part 1. ${asTheyWere}`);
  expect(words).not.toContain('is not in it');
  const totals = sumByToken(lines.slice(0, 1_000));
  expect(await update('seal', { parts: 1, totals })).toContain(
    `parts: were 2, and are 1: line ${lines[1_000]?.lineId} is missing`,
  );
  till.settle();
});

test('a payout whose parts Temporal has forgotten is compared by its root, count and sums', async () => {
  const scene = await paid(newLines(3));
  const { client } = scene.orders;
  await client.workflowService.deleteWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: `payout:${scene.order.payoutId}:shard:1` },
  });
  const [one, two, three] = scene.lines as [PayoutLine, PayoutLine, PayoutLine];
  const forgotten = 'Temporal has forgotten the earlier lines, so that their root, number and sums';
  const dearer = [{ ...one, amount: '5' }, two, three];
  for (;;) {
    const words = await refusal(scene, dearer);
    // The deletion takes a moment.
    if (words.includes('the amount of line')) await sleep(100);
    else {
      expect(words).toContain(`with other lines. ${forgotten} were compared: the sum was `);
      break;
    }
  }
  expect(await refusal(scene, [one, two])).toContain('there were 3 lines, and are 2');
  expect(await refusal(scene, [two, one, three])).toContain('the root differs');
  const same = await scene.orders.steadfast.payout(scene.order, scene.lines);
  expect(same.outcome).toBe('completed');
});

test('lines in the order itself and wallets are named, and not told by their hashes', async () => {
  const till = openTill({ wallets: 2 });
  till.settings.settleMs = 10;
  const orders = await serve(till.custody);
  const lines = newLines(3);
  const order = payoutOf(till.wallets, { lines });
  const { receipt, workflowId } = await orders.steadfast.payout(order);
  await receipt();
  const scene = { till, orders, order, lines };
  const own = 'id: "payout:<id>" belongs to another order: ';
  for (const [, now, words] of changes(lines)) {
    expect(await refusal(scene, undefined, { lines: now })).toContain(`${own}${words}`);
  }
  const wallets = [...order.wallets].reverse();
  expect(await refusal(scene, undefined, { wallets })).toBe(
    `${own}the order of the wallets differs. ${asTheyWere}`,
  );
  expect(await refusal(scene, undefined, { wallets: wallets.slice(1) })).toBe(
    `${own}wallet ${wallets[0]} is missing. ${asTheyWere}`,
  );
  // A starter in another language may start it again whatever has become of it.
  const again = await orders.client.workflow.start('payout', {
    workflowId,
    taskQueue: orders.taskQueue,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [{ ...order, lines: [...lines, newLine({ lineId: 'dan' })] }],
  });
  await expect(again.result()).rejects.toMatchObject({
    cause: { message: expect.stringContaining(`line dan is not in it. ${onlyNew}`) },
  });
  expect(till.taken).toHaveLength(3);
});
