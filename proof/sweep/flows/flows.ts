import { prepareDeployment, prepareDeploymentSequence } from './deployments';
import type { Flow } from './flow';
import {
  prepareCancelled,
  prepareCancelledLate,
  prepareResubmitted,
  prepareWoken,
} from './intents';
import { preparePayout } from './payouts';
import { preparePeriod } from './schedules';
import { prepareFunding, prepareTransferSequence, transfer } from './transfers';

/** Read by a worker before its first write, whichever order that is of, and then kept. */
const publicKey = /^service getPublicKey$/;

/** Every flow that is swept: its boundaries are found by running it once. */
export const flows: readonly Flow[] = [
  transfer('EOA'),
  transfer('SCA'),
  { ...transfer('EOA'), name: 'first write of a worker', needsFreshWorker: true, calls: publicKey },
  { name: 'transfer, woken', prepare: prepareWoken },
  {
    name: 'transfer, cancelled in time',
    // Its hash is on no chain, and is looked for there until the grace period is over.
    untilTimeIsUp: /checkReceipt|eth_getTransaction|start a timer/,
    prepare: prepareCancelled,
  },
  { name: 'transfer, cancelled too late', prepare: prepareCancelledLate },
  { name: 'transfer, failed and resubmitted', prepare: prepareResubmitted },
  { name: 'fund from treasury', prepare: prepareFunding },
  { name: 'deploy and mint', prepare: prepareDeployment },
  { name: 'deployment sequence', prepare: prepareDeploymentSequence },
  { name: 'transfer sequence', prepare: prepareTransferSequence },
  {
    name: 'payout',
    moreRuns: 4,
    // A shard looks at its lines, and sets its clock, as often as their settling takes.
    untilTimeIsUp: /watchLines|listTransactions|checkReceipts|eth_getTransaction|timer|nothing new/,
    prepare: preparePayout,
  },
  {
    name: 'period of a schedule',
    // The order that it starts is a transfer, which is swept by itself.
    calls: /Period|startOrder|Schedule|(Start|Describe)WorkflowExecution|task: complete/,
    prepare: preparePeriod,
  },
];
