import type { Client, Connection } from '@temporalio/client';
import type { z } from 'zod';
import type { Period } from '../../books/chain/period';
import type { StatementWanted } from '../../client/account/asked';
import {
  findingsTold,
  type PolicyTold,
  policyTold,
  type StatementTold,
  type WalletsTold,
  walletsTold,
} from '../../client/account/told';
import { type TemporalConfig, temporalAddress } from '../../config';
import { checkChain } from '../../health/checkChain';
import { broken, fine, firstLine, type HealthFinding } from '../../health/finding';
import { checkPlace, placeNotChecked } from '../../health/temporal/checkPlace';
import { answerWithin, askingWorkers } from './askWorkers';
import { atMostEvery } from './atMostEvery';
import { type ChainBalances, chainBalances } from './chainBalances';
import { dayReceipts } from './dayReceipts';
import { readingCloses, type ShownClose } from './readCloses';
import { type SeenWorker, seenWorkers } from './seenWorkers';
import { readingStatements } from './statements';

/** All that pages show of the account, its books and its workers. Each is read once in a while. */
export type AccountWatch = {
  /** The wallets, as the service tells them to a worker. */
  wallets: () => Promise<WalletsTold>;
  statement: (wanted: StatementWanted) => Promise<StatementTold>;
  /** Findings of a worker about the service, its notices, the node and the archive. */
  service: () => Promise<HealthFinding[]>;
  /** The policy that a writer goes by. */
  writer: () => Promise<PolicyTold>;
  temporal: () => Promise<HealthFinding[]>;
  workers: () => Promise<SeenWorker[]>;
  closes: () => Promise<ShownClose[]>;
  /** The chain by the console's own node. Undefined where it has none. */
  node?: {
    look: () => Promise<HealthFinding>;
    balances: (address: string) => Promise<ChainBalances>;
  };
  /** The receipts of a day, as JSON Lines. Undefined where the console has no archive. */
  receipts?: (period: Period) => Promise<AsyncIterable<string>>;
};

type Places = {
  client: Client;
  connection: Connection;
  config: TemporalConfig;
  blockchain: string;
  rpcUrl: string | undefined;
  store: string | undefined;
};

/** Nothing is read more often than that, however many people look. */
const everyMs = 10_000;
/** Workers have this long to answer a page. */
const answeredMs = 8_000;
const temporalMs = 5_000;
const noWorker =
  'No worker has answered. Start one with "steadfast worker", with the same ' +
  'STEADFAST_TASK_QUEUE. Workers of an older version do not know this question.';
const noWriter = 'No writer has answered, so its policy is not known.';

/** Watches through Temporal, and through the console's own node and archive if it has any. */
export function watching({ client, connection, config, ...own }: Places): AccountWatch {
  const { blockchain, rpcUrl, store } = own;
  const ask = askingWorkers({ client, ...config });
  const asked = { client, connection, config, deployment: undefined };
  const place = { ...asked, answers: false, isFixing: false };
  const soon = <Told>(read: () => Promise<Told>): Promise<Told> =>
    client.withDeadline(Date.now() + temporalMs, read);
  const closes = readingCloses(client, config.keyScope);
  const told = <Schema extends z.ZodType>(
    about: 'wallets' | 'service' | 'policy',
    schema: Schema,
    late = noWorker,
  ) => atMostEvery(everyMs, () => answerWithin(answeredMs, ask({ about }, schema), late));
  return {
    wallets: told('wallets', walletsTold),
    statement: readingStatements(ask),
    service: told(
      'service',
      findingsTold.transform((all) => all.map(findingOf)),
    ),
    writer: told('policy', policyTold, noWriter),
    temporal: atMostEvery(everyMs, () => soon(() => lookAtTemporal(place))),
    workers: atMostEvery(everyMs, () => soon(() => seenWorkers(place))),
    closes: atMostEvery(everyMs, () => soon(closes)),
    ...(rpcUrl !== undefined && {
      node: {
        look: atMostEvery(everyMs, () => checkChain(rpcUrl, blockchain)),
        balances: (address: string) => chainBalances(rpcUrl, { blockchain, address }),
      },
    }),
    ...(store !== undefined && { receipts: (period: Period) => dayReceipts(store, period) }),
  };
}

/** A finding that somebody else has told. Absent fields are left out. */
function findingOf({
  mend,
  belongsTo,
  ...told
}: z.output<typeof findingsTold>[number]): HealthFinding {
  return { ...told, ...(mend && { mend }), ...(belongsTo && { belongsTo }) };
}

/** Temporal, its namespace, the workers and the schedules. */
async function lookAtTemporal(place: Parameters<typeof checkPlace>[0]): Promise<HealthFinding[]> {
  const address = temporalAddress(place.config);
  try {
    await place.client.workflowService.getSystemInfo({});
  } catch (error) {
    const words = `does not answer at ${address}: ${firstLine(error)}`;
    const mend = 'Orders go on once it is back. Start it, or find out why it does not answer.';
    return [broken('Temporal', words, mend), ...placeNotChecked()];
  }
  return [fine('Temporal', `answers at ${address}`), ...(await checkPlace(place))];
}
