import {
  prepareApproved,
  prepareApprovedPayout,
  prepareRejected,
  prepareResetAcrossApproval,
} from './authority/approved';
import { prepareRacingPayouts } from './authority/racing';
import { prepareCollection, prepareExecution } from './contracts';
import { prepareDeployment, prepareDeploymentSequence } from './deployments';
import type { Flow } from './flow';
import { publicKey } from './flow';
import {
  prepareCancelled,
  prepareCancelledLate,
  prepareResubmitted,
  prepareWoken,
} from './intents';
import { polls, prepareBatches, preparePayout } from './payouts';
import { preparePeriod } from './schedules';
import { forgotten, halfPaid, prepareForgottenTransfer, terminated } from './startedAgain';
import { toldFlows } from './toldFlows';
import { prepareFunding, prepareTransferSequence, transfer } from './transfers';
import {
  prepareRestoredPayout,
  prepareRestoredTransfer,
  prepareShifted,
  prepareUndoneTransfer,
  prepareUnheardTransfer,
} from './upheavals';

/** Calls to the service, and answers of activities. */
const service = /^(service|activity)/;
/** Calls that come again once the order is started again. */
const again = /\([2-9]\)/;

/** So many boundaries the seed chooses in a flow that goes most of the way of another one. */
const most = 40;
const many = 16;
/** So many in a flow whose worker is replaced for each order. */
const few = 12;

const opened = { call: 'activity openOrder completed', nth: 1, point: 'between' } as const;
const sent = { call: 'service createTransfer', nth: 1, point: 'between' } as const;
const checked = { call: 'activity checkPayout completed', nth: 2, point: 'between' } as const;
const openedAgain = { ...opened, nth: 2 } as const;
const sentAgain = { ...sent, nth: 2 } as const;
const read = { call: 'activity getTransaction completed', nth: 1, point: 'between' } as const;

/** Flows in which nobody but the sweep disturbs an order. */
export const plainFlows: readonly Flow[] = [
  transfer('EOA'),
  transfer('SCA'),
  { ...transfer('EOA'), name: 'first write of a worker', needsFreshWorker: true, swept: publicKey },
  { name: 'transfer, woken', sweptMax: most, prepare: prepareWoken, moreRuns: 4 },
  {
    name: 'transfer, cancelled in time',
    // The hash is told before the cancellation or after it, so few boundaries are in every run.
    moreRuns: 4,
    // Its hash is on no chain, and is looked for there until the grace period is over.
    untilTimeIsUp: /checkReceipt|eth_|start a timer/,
    prepare: prepareCancelled,
  },
  { name: 'transfer, cancelled too late', sweptMax: most, prepare: prepareCancelledLate },
  {
    name: 'transfer, failed and resubmitted',
    sweptMax: most,
    untilTimeIsUp: polls,
    prepare: prepareResubmitted,
  },
  { name: 'fund from treasury', sweptMax: most, prepare: prepareFunding },
  { name: 'deploy and mint', prepare: prepareDeployment },
  { name: 'deployment sequence', prepare: prepareDeploymentSequence },
  {
    name: 'transfer sequence',
    // An order reads fewer pages of the list where another one has just read them.
    untilTimeIsUp: /listTransactions/,
    prepare: prepareTransferSequence,
  },
  {
    name: 'payout',
    moreRuns: 4,
    sweptMax: most,
    untilTimeIsUp: polls,
    prepare: preparePayout,
  },
  ...(['EOA', 'SCA'] as const).map((type) => ({
    name: `payout in batches, ${type}`,
    moreRuns: 2,
    sweptMax: many,
    untilTimeIsUp: polls,
    prepare: prepareBatches(type),
  })),
  {
    name: 'period of a schedule',
    // The order that it starts is a transfer, which is swept by itself.
    swept: /Period|startOrder|Schedule|(Start|Describe)WorkflowExecution|task: complete/,
    prepare: preparePeriod,
  },
  { name: 'execute a contract', swept: service, sweptMax: many, prepare: prepareExecution },
  { name: 'sweep wallets', swept: service, sweptMax: many, prepare: prepareCollection },
];

/** Flows in which more happens to an order than kills. */
const upheavals: readonly Flow[] = [
  {
    name: 'payout, terminated and started again',
    moreRuns: 2,
    swept: again,
    sweptMax: many,
    untilTimeIsUp: polls,
    prepare: terminated(preparePayout),
  },
  {
    name: 'batches, terminated and started again',
    moreRuns: 2,
    swept: again,
    sweptMax: many,
    untilTimeIsUp: polls,
    prepare: terminated(prepareBatches('EOA')),
  },
  {
    name: 'transfer, approved by two people',
    isAlone: true,
    sweptMax: few,
    prepare: prepareApproved,
  },
  {
    name: 'transfer, rejected between two approvals',
    isAlone: true,
    sweptMax: few,
    prepare: prepareRejected,
  },
  {
    name: 'transfer, reset across its approvals',
    isAlone: true,
    sweptMax: few,
    prepare: prepareResetAcrossApproval,
  },
  {
    name: 'payout, approved by two people',
    isAlone: true,
    sweptMax: few,
    untilTimeIsUp: polls,
    prepare: prepareApprovedPayout,
  },
  {
    name: 'payouts that race for one window',
    isAlone: true,
    sweptMax: few,
    untilTimeIsUp: polls,
    prepare: prepareRacingPayouts,
  },
  {
    name: 'transfer, forgotten',
    isAlone: true,
    boundaries: [openedAgain],
    prepare: prepareForgottenTransfer,
  },
  {
    name: 'payout, forgotten',
    isAlone: true,
    boundaries: [checked],
    prepare: forgotten(preparePayout),
  },
  {
    name: 'payout, half paid and forgotten',
    isAlone: true,
    boundaries: [checked, sentAgain],
    prepare: halfPaid(preparePayout),
  },
  {
    name: 'batches, forgotten',
    isAlone: true,
    boundaries: [checked],
    prepare: forgotten(prepareBatches('SCA')),
  },
  {
    name: 'batches, half paid and forgotten',
    isAlone: true,
    boundaries: [checked],
    prepare: halfPaid(prepareBatches('EOA')),
  },
  {
    name: 'transfer, Temporal restored',
    isAlone: true,
    // It is looked up again and found, so that it is not sent again.
    boundaries: [read],
    prepare: prepareRestoredTransfer,
  },
  {
    name: 'payout, Temporal restored',
    isAlone: true,
    boundaries: [sentAgain],
    prepare: prepareRestoredPayout,
  },
  {
    name: 'transfer, Temporal restored without it',
    isAlone: true,
    boundaries: [openedAgain],
    prepare: prepareUnheardTransfer,
  },
  {
    name: 'transfer, service and chain restored',
    isAlone: true,
    // It is accepted only when they are restored.
    boundaries: [read],
    prepare: prepareUndoneTransfer,
  },
  {
    name: 'payout, clock behind',
    isAlone: true,
    boundaries: [sent],
    prepare: prepareShifted(-3),
  },
  {
    name: 'payout, clock ahead',
    isAlone: true,
    boundaries: [sent],
    prepare: prepareShifted(3),
  },
];

/** Every flow that is swept: its boundaries are found by running it once. */
export const flows: readonly Flow[] = [...plainFlows, ...upheavals, ...toldFlows];

/** The flows with these names, or parts of them. All of them if there are none. */
export function flowsNamed(parts: readonly string[]): ReadonlyMap<string, Flow> {
  const isName = (part: string): boolean => flows.some(({ name }) => name === part);
  const wanted = flows.filter(
    ({ name }) =>
      parts.length === 0 ||
      parts.some((part) => name === part || (!isName(part) && name.includes(part))),
  );
  if (wanted.length > 0) return new Map(wanted.map((flow) => [flow.name, flow]));
  const names = flows.map(({ name }) => name).join('; ');
  throw new Error(`There is no flow like "${parts.join('", "')}". There are: ${names}.`);
}
