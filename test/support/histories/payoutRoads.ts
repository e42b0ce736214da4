import { setTimeout as sleep } from 'node:timers/promises';
import { cancelOrder, untilShown } from './operator';
import type { Journey, Road, Scene } from './road';
import { payoutLines, payouts } from './subjects';

const totals = { USDC: '0.3' };
const seal = { parts: 2, totals };

/** Sends an update to a payout. A refusal is an expected part of the road. */
async function update({ handle }: Scene, name: string, request: object): Promise<void> {
  await handle.executeUpdate<unknown, [object]>(name, { args: [request] }).catch(() => {});
}

/** Hands over the lines, each in a part of its own. */
async function handOver(scene: Scene): Promise<void> {
  for (const [at, line] of payoutLines.entries()) {
    await update(scene, 'addLines', { part: at + 1, lines: [line] });
  }
}

/** Roads that only payouts have. */
const inParts: readonly Road[] = [
  {
    name: 'inParts',
    play: async (scene) => {
      await handOver(scene);
      await update(scene, 'seal', seal);
    },
    shows: /"seal"/,
  },
  {
    name: 'sealRefused',
    play: async (scene) => {
      const [ann, bob] = payoutLines;
      await update(scene, 'addLines', { part: 1, lines: [{ ...ann, lineId: 'bob' }] });
      await update(scene, 'seal', seal);
      await update(scene, 'addLines', { part: 2, lines: [bob] });
      await update(scene, 'seal', seal);
      await handOver(scene);
      await update(scene, 'seal', seal);
    },
    shows: /has two lines/,
  },
  {
    name: 'controlled',
    play: async (scene) => {
      const { steadfast } = scene.orders;
      await handOver(scene);
      await steadfast.pause(scene.id, 'to be recorded');
      await update(scene, 'seal', seal);
      await steadfast.skip(scene.id, ['ann'], 'not this month');
      await steadfast.rate(scene.id, 2);
      await sleep(1_000);
      await steadfast.resume(scene.id);
    },
    shows: /ann is skipped/,
  },
  {
    name: 'cancelledHalfWay',
    play: async (scene) => {
      await update(scene, 'addLines', { part: 1, lines: payoutLines });
      await scene.orders.steadfast.rate(scene.id, 0.02);
      await update(scene, 'seal', { parts: 1, totals });
      await untilShown(scene, ({ payout }) => payout?.paid === 1);
      await cancelOrder(scene);
    },
    shows: /It was cancelled before it was sent/,
  },
  {
    name: 'cancelledBeforeSeal',
    play: async (scene) => {
      await handOver(scene);
      await cancelOrder(scene);
    },
    ends: 'CANCELLED',
  },
];

const wholeOnly: readonly Road[] = [
  {
    name: 'retried',
    faults: [{ kind: 'failOnChain' }],
    play: async ({ orders, id, handle }) => {
      await handle.result();
      await orders.steadfast.retry(id);
    },
    shows: /"generation":1/,
  },
];

const continued: Road = {
  name: 'continuedAsNew',
  worker: 'shortLived',
  shows: /"continuedExecutionRunId":"\w/,
};

/** The roads of every order on which a payout does something of its own. */
const shared = ['happy', 'lostAnswer', 'unknown', 'failed', 'reset', 'startedAgain', 'told'];

/** All journeys of payouts. Each also records its first shard. */
export function payoutJourneys(roads: readonly Road[], checkedOnChain: Road): Journey[] {
  const own = roads.filter(({ name }) => shared.includes(name));
  const whole = [...own, checkedOnChain, ...wholeOnly].map((road) => ({
    name: `payout.${road.name}`,
    subject: payouts.whole,
    // A payout completes even if some lines fail.
    road: { ...road, ends: 'COMPLETED' as const },
  }));
  return [
    ...whole,
    ...inParts.map((road) => ({ name: `payout.${road.name}`, subject: payouts.inParts, road })),
    { name: `payout.${continued.name}`, subject: payouts.slow, road: continued },
  ];
}
