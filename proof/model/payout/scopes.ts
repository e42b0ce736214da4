import type { PayoutScope, Promises } from './world';

export const promised: Promises = {
  asksPermission: true,
  asksForItsRun: true,
  endsByResult: true,
  readsWholeResult: true,
  adoptsAtCancel: true,
  looksUpAll: true,
  readsRunsBefore: true,
  retryNamesGeneration: true,
  retryNeedsProof: true,
  retriesAgainAfterReset: true,
  takesForgottenPart: true,
  waitsForSeal: true,
  looksUpAgain: true,
};

/** A payout that is started once, with nothing that goes wrong but lost answers. */
export const once: PayoutScope = {
  name: '',
  parts: [0],
  starts: 1,
  terminations: 0,
  kills: 0,
  resets: 0,
  restores: 0,
  retentions: 0,
  retries: 0,
  cancels: true,
  skips: false,
  grows: false,
};

/** Small enough for each run of the tests. */
export const smallPayouts: readonly PayoutScope[] = [
  { ...once, name: 'terminated, started again', starts: 2, terminations: 1 },
  { ...once, name: 'a month later', starts: 2, terminations: 1, retentions: 1 },
  { ...once, name: 'a part killed, a retry', kills: 1, retries: 1, skips: true },
  { ...once, name: 'a reset, a retry', resets: 1, retries: 1 },
  { ...once, name: 'Temporal restored, a retry', restores: 1, retries: 1, cancels: false },
  { ...once, name: 'two parts', parts: [0, 1] },
  {
    ...once,
    name: 'a line added a month later',
    parts: [0, 0],
    starts: 2,
    retentions: 1,
    grows: true,
  },
];

/** Each power at its largest. They take minutes. */
export const largePayouts: readonly PayoutScope[] = [
  { ...once, name: 'two parts, terminated', parts: [0, 1], starts: 2, terminations: 1 },
  { ...once, name: 'two parts, killed', parts: [0, 1], kills: 1 },
  {
    ...once,
    name: 'terminated, killed, retried',
    starts: 2,
    terminations: 1,
    kills: 1,
    retries: 1,
  },
  { ...once, name: 'three starts in three months', starts: 3, terminations: 2, retentions: 2 },
  { ...once, name: 'two months, a retry', starts: 2, terminations: 1, retentions: 2, retries: 1 },
  { ...once, name: 'two retries, two resets', resets: 2, retries: 2, skips: true },
  { ...once, name: 'Temporal restored a month later', restores: 1, retentions: 1, starts: 2 },
  { ...once, name: 'two parts, Temporal restored', parts: [0, 1], restores: 1 },
];

type PayoutFault = { name: string; breaks: keyof Promises; scope: PayoutScope };

/** None of them is in the product: each breaks one promise of the payout in the model. */
export const payoutFaults: readonly PayoutFault[] = [
  fault('a terminated payout pays on', 'asksPermission', { terminations: 1 }),
  fault('old permission sends before the new seal', 'asksForItsRun', {
    starts: 2,
    terminations: 1,
  }),
  fault('nothing waits for the seal', 'waitsForSeal', {}),
  fault('the report of a shard believed', 'endsByResult', {}),
  fault('a result with lines that wait believed', 'readsWholeResult', {
    starts: 2,
    terminations: 1,
  }),
  fault('cancelled without a search for parts', 'adoptsAtCancel', { starts: 2, terminations: 1 }),
  fault('a look-up that leaves a line out', 'looksUpAll', { starts: 2, retentions: 1 }),
  fault('a shard that ignores the runs before', 'readsRunsBefore', { kills: 1 }),
  fault('a retry of whatever has failed', 'retryNamesGeneration', { retries: 1 }),
  fault('a retry of a line that has not failed', 'retryNeedsProof', { retries: 1 }),
  fault('a reset that forgets a retry', 'retriesAgainAfterReset', { retries: 1, resets: 1 }),
  fault('a forgotten part that cannot come back', 'takesForgottenPart', {
    kills: 1,
    retentions: 1,
    cancels: false,
  }),
  fault('a look-up from before the backup trusted', 'looksUpAgain', { restores: 1, retentions: 1 }),
];

function fault(name: string, breaks: keyof Promises, powers: Partial<PayoutScope>): PayoutFault {
  return { name, breaks, scope: { ...once, name, ...powers } };
}
