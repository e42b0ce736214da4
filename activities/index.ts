import type { Archive } from '../src/books/archive/archive';
import type { Receiver } from '../src/client/answers/receiver';
import type { CustodyApi } from '../src/custody/endpoints';
import { type AccountIndex, createAccountIndex } from '../src/store/index/accountIndex';
import { accountActivities } from './account/readAccount';
import { sealingActivities } from './answers/sealEnds';
import type { answerActivities } from './answers/tellReceiver';
import type { WriteSettings } from './attempt';
import { archiveActivities } from './chain/archive';
import { closeActivities } from './chain/closes';
import { receiptActivities } from './chain/receipt';
import { contractActivities } from './contracts';
import { readDecided } from './guard/earlierRuns';
import { createNoticeSense } from './guard/noticeSense';
import { openOrderActivity } from './guard/openOrder';
import type { OrderSettings } from './guard/settings';
import { lookUpActivities } from './lookUp';
import { cancelRun, holdFor } from './ownRun';
import { payoutActivities } from './payout';
import { periodActivities } from './periods';
import { type PolicySettings, policyActivities } from './policy';
import { transactionActivities } from './transactions';
import { walletActivities } from './wallets';

type ActivitySettings = OrderSettings &
  PolicySettings &
  Omit<WriteSettings, 'uptimeMs'> & {
    /** The index that look-ups answer from. Default: a new one, in memory. */
    index?: AccountIndex | undefined;
  };

/** Activities that run on the workflow's own worker, and ask neither service nor chain. */
export function localActivities({ archive, ledgers, receiver }: LocalSettings = {}) {
  return { holdFor, ...archiveActivities(archive, ledgers), ...sealingActivities(receiver) };
}

type LocalSettings = {
  archive?: Archive | undefined;
  ledgers?: readonly string[] | undefined;
  receiver?: Pick<Receiver, 'settings'> | undefined;
};

/**
 * All that a workflow may ask of the custody service, with named failures. Each makes one upstream
 * call, but for `createTransfers`, which makes one for each of its lines.
 */
export function createActivities(custody: CustodyApi, settings: ActivitySettings) {
  const { lookupGraceMs: graceMs } = settings;
  const index = settings.index ?? createAccountIndex({ custody, graceMs });
  const lookUps = lookUpActivities(custody, index);
  const open = { index, custody };
  const sense = createNoticeSense();
  const startedMs = performance.now();
  const writing = { ...settings, uptimeMs: () => performance.now() - startedMs };
  return {
    ...localActivities(),
    openOrder: openOrderActivity(custody, { ...settings, open, lookUps, sense }),
    cancelRun,
    readDecided,
    ...walletActivities(custody, writing),
    ...transactionActivities(custody, { ...writing, sense }),
    ...contractActivities(custody, writing),
    ...policyActivities(settings),
    ...lookUps,
    ...receiptActivities(settings.chainRpcUrl, {
      custody,
      archives: settings.archive !== undefined,
    }),
    ...periodActivities(settings),
    ...closeActivities(custody, settings),
    ...accountActivities(custody, settings),
    ...payoutActivities(custody, { ...settings, open, index }),
  };
}

/** Activities of the role writes. All others run where nothing can be written. */
const ofWriters: readonly (keyof Activities)[] = [
  'createWalletSet',
  'createWallets',
  'createTransfer',
  'createTransfers',
  'executeContract',
  'deployTemplate',
  'cancelTransaction',
  'accelerateTransaction',
  'requestDrip',
  // Only a writer knows the policy.
  'explainOrder',
  'keepWithdrawal',
  'tellPolicy',
];

/** Activities that only workflows of the same worker may ask for. No queue has them. */
const isLocal = (name: string): boolean => Object.hasOwn(localActivities(), name);

/** The activities of one role. A process registers no others. */
export function ofRole(
  activities: ReturnType<typeof createActivities>,
  role: 'reads' | 'writes',
): Partial<Activities> {
  const named = Object.entries(activities).filter(([name]) => {
    const isOfRole = ofWriters.some((one) => one === name) === (role === 'writes');
    return isOfRole && !isLocal(name);
  });
  return Object.fromEntries(named);
}

export type Activities = ReturnType<typeof createActivities> & ReturnType<typeof answerActivities>;
