import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../../../src/orders/progress/status';
import { cancelOrder, resetRun, transactionOf, untilShown } from './operator';
import { payoutJourneys } from './payoutRoads';
import type { Journey, Road, Scene } from './road';
import { subjects } from './subjects';

const { transferStablecoin, deploymentSequence, transferSequence, fundFromTreasury, ...others } =
  subjects;

const isSettling = ({ status }: Progress): boolean => status === 'Settling';
const isUnknown = ({ status }: Progress): boolean => status === 'Unknown';
const needsOperator = ({ status }: Progress): boolean => status === 'NeedsOperator';
const refusedKey = { kind: 'status', status: 401 } as const;

const happy: Road = { name: 'happy' };

const lostAnswer: Road = {
  name: 'lostAnswer',
  faults: [{ kind: 'loseAnswer', count: 1, every: true }],
  shows: /no answer|ended/i,
};

/** Roads that any write with a transaction can go. */
const roads: readonly Road[] = [
  happy,
  lostAnswer,
  {
    name: 'rateLimited',
    faults: [{ kind: 'status', status: 429, retryAfterS: 1, count: 2 }],
    shows: /Too many requests/,
  },
  {
    name: 'needsOperator',
    faults: [{ ...refusedKey, count: 1 }],
    shows: /Unauthorized/,
  },
  {
    name: 'unknown',
    faults: [
      { kind: 'loseRequest', count: 1 },
      { kind: 'status', status: 400, count: 1 },
    ],
    play: async (scene) => {
      await untilShown(scene, isUnknown);
      const { orders, id, write } = scene;
      const evidence = 'the service says so';
      await orders.steadfast.resolve(id, { target: `${write}#0`, finding: 'noEffect', evidence });
    },
    shows: /"resolve"/,
  },
  {
    name: 'unknownFound',
    faults: [
      { kind: 'lateCommit', delayMs: 4_000, count: 1 },
      { kind: 'status', status: 400, count: 1 },
    ],
    play: async (scene) => {
      await untilShown(scene, isUnknown);
      await sleep(4_000);
      await scene.handle.signal('wake', {});
    },
    shows: /"wake"/,
  },
  {
    name: 'cancelledBeforeSending',
    faults: [refusedKey],
    play: async (scene) => {
      await untilShown(scene, needsOperator);
      await cancelOrder(scene);
    },
    ends: 'CANCELLED',
    shows: /"cancelRun"/,
  },
  {
    name: 'cancelledByTemporal',
    faults: [refusedKey],
    play: async (scene) => {
      await untilShown(scene, needsOperator);
      await scene.handle.cancel();
    },
    ends: 'CANCELLED',
  },
  {
    name: 'cancelledAfterAcceptance',
    faults: [{ kind: 'stuck' }],
    play: async (scene) => {
      await untilShown(scene, isSettling);
      await cancelOrder(scene);
    },
    ends: 'CANCELLED',
    shows: /"cancelTransaction"/,
  },
  {
    name: 'stuck',
    faults: [{ kind: 'stuck' }],
    play: freeStuck,
    shows: /"STUCK"/,
  },
  { name: 'failed', faults: [{ kind: 'failOnChain' }], ends: 'FAILED', shows: /"FAILED"/ },
  {
    name: 'resubmitted',
    faults: [{ kind: 'failOnChain' }],
    play: async ({ orders, id, handle }) => {
      await handle.result().catch(() => {});
      await orders.steadfast.resubmit(id);
    },
    shows: /"generation":1/,
  },
  {
    name: 'reset',
    play: async (scene) => {
      await scene.handle.result();
      await resetRun(scene, 2);
    },
    shows: /reset/i,
  },
  {
    name: 'resetTwice',
    play: async (scene) => {
      await scene.handle.result();
      await resetRun(scene, 2);
      await scene.handle.result();
      await resetRun(scene, 4);
    },
    shows: /reset/i,
  },
  {
    name: 'startedAgain',
    play: async (scene) => {
      await untilShown(scene, isSettling);
      await scene.handle.terminate('to be started again');
      await scene.start();
    },
  },
];

/** A cancellation that comes too late for an order with a single write. */
const cancelledTooLate: Road = {
  name: 'cancelledTooLate',
  play: async (scene) => {
    await untilShown(scene, isSettling);
    await sleep(1_500);
    await cancelOrder(scene);
  },
  shows: /"cancelTransaction"/,
};

const checkedOnChain: Road = {
  name: 'checkedOnChain',
  worker: 'chainReading',
  shows: /"checkReceipt"/,
};

const told: Road = { name: 'told', worker: 'telling', isTold: true, shows: /"answer"/ };

const continuedAsNew: Road = {
  name: 'continuedAsNew',
  worker: 'shortLived',
  faults: [{ kind: 'stuck' }],
  play: freeStuck,
  shows: /"continuedExecutionRunId":"\w/,
};

/** Accelerates a stuck transaction, as an operator would, once the order shows it. */
async function freeStuck(scene: Scene): Promise<void> {
  const { stage, handle } = scene;
  const progress = await untilShown(scene, ({ waitingFor }) => waitingFor.includes('STUCK'));
  await stage.custody.accelerateTransaction(transactionOf(progress));
  await sleep(1_000);
  await handle.signal('wake', {});
}

const callRoads = roads.filter(({ name }) =>
  ['lostAnswer', 'unknown', 'stuck', 'failed', 'resubmitted', 'startedAgain'].includes(name),
);

/** All recorded journeys: the usual road of each workflow, and all other roads of a transfer. */
export const journeys: readonly Journey[] = [
  ...[transferStablecoin, deploymentSequence].flatMap((subject) =>
    [...roads, checkedOnChain, continuedAsNew].map((road) => journey(subject, road)),
  ),
  journey(transferStablecoin, cancelledTooLate),
  journey(transferStablecoin, told),
  // The writes after the cancelled one are not made.
  journey(deploymentSequence, { ...cancelledTooLate, ends: 'CANCELLED' }),
  ...[happy, lostAnswer, continuedAsNew].map((road) => journey(transferSequence, road)),
  journey(fundFromTreasury, { ...happy, name: 'fromTreasury' }),
  ...Object.values(others).map((subject) => journey(subject, happy)),
  ...[others.mintTokens, others.executeContract, others.sweepWallets].flatMap((subject) =>
    callRoads.map((road) => journey(subject, road)),
  ),
  ...payoutJourneys([...roads, told], { ...checkedOnChain, shows: /"checkReceipts"/ }),
];

function journey(subject: Journey['subject'], road: Road): Journey {
  return { name: `${subject.kind}.${road.name}`, subject, road };
}
