import type { Flow } from './flow';
import { prepareCancelled } from './intents';
import { polls, prepareBatches, preparePayout } from './payouts';
import { prepareGift, prepareReceived, told, toldOddly } from './told';
import { transfer } from './transfers';

/**
 * Notices, the receiver's calls, and what an order does once it is woken. Nothing is woken by
 * STUCK, and only runs in which a block passes a transaction have that notice.
 */
const ofNotices =
  /^(notice(?!.* STUCK)|receiver)|getTransaction|watchLines|Balance|task: .*complete/;

/** The second notice of a payout of two batches may find the payout done. */
const pollsAndNotices = new RegExp(`${polls.source}|^notice`);

/** The number of boundaries that the seed chooses of the other flows. */
const many = 24;
/** The same where only the notices come in another way. */
const few = 14;

const [late, twice] = [{ delayMs: 1_500 }, { kind: 'duplicateNotice' }] as const;

const oddly: readonly Flow[] = [
  { name: 'transfer, told twice', prepare: toldOddly(twice) },
  { name: 'transfer, first attempts lost', prepare: toldOddly({ kind: 'loseNotice' }) },
  {
    name: 'transfer, told out of order',
    prepare: toldOddly({ kind: 'lateNotice', ...late, count: 3 }),
  },
  { name: 'received, told twice', prepare: prepareReceived({ ...twice, ...late }) },
];

const others: readonly Flow[] = [
  // As without notices, few boundaries are in every run.
  { name: 'transfer, cancelled in time', prepare: told(prepareCancelled), moreRuns: 4 },
  { name: 'fund from anyone', prepare: told(prepareGift) },
  // The second notice of its two lines comes in some runs only.
  { name: 'payout', prepare: told(preparePayout), moreRuns: 5 },
  { name: 'batches', prepare: told(prepareBatches('EOA')), untilTimeIsUp: pollsAndNotices },
  { name: 'received', prepare: prepareReceived() },
];

/** Flows of which a receiver hears. Their names begin alike, so that one word chooses them. */
export const toldFlows: readonly Flow[] = [
  { name: 'transfer', prepare: told(transfer('EOA').prepare) },
  ...oddly.map((flow) => ({ ...flow, sweptMax: few })),
  ...others.map((flow) => ({ ...flow, sweptMax: many })),
].map((flow) => ({
  untilTimeIsUp: polls,
  moreRuns: 2,
  ...flow,
  name: `notices: ${flow.name}`,
  isTold: true,
  swept: ofNotices,
}));
