import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderStatus } from '../../../src/client/orderStatus';
import { createCustodyClient } from '../../../src/custody/client';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { isEnd, type Status } from '../../../src/orders/progress/status';
import { times } from '../lane';
import type { createServe, Orders, ServeOptions } from '../orders';
import { startTestSandbox, type TestSandbox } from '../sandbox';
import { type About, type LyingService, startLyingService } from '../service/lyingService';
import { neverMs } from '../stages';

/**
 * The grace period of workers whose service lies. A payment that the sandbox makes later than that
 * is one that nobody could know of, so a busy machine has more of it.
 */
export const graceMs = times({ short: 6_000, all: 15_000 });

/** A wait that is longer than this has failed, and says so long before the test would. */
const patienceMs = times({ short: 90_000, all: 240_000 });

/** A sandbox with its chain, and a service in front of it that lies. */
export type LyingScene = {
  sandbox: TestSandbox;
  service: LyingService;
  /** Starts workers for that service. They ask the chain itself, unless told otherwise. */
  work(options?: ServeOptions & { isBlind?: boolean }): Promise<Orders>;
  change(settings: object): Promise<void>;
  /** Sets faults of the sandbox. */
  plan(...rules: object[]): Promise<void>;
  /** Moves a record to another state, and this is no lie. */
  force(id: string, state: string, errorReason?: string): Promise<void>;
  /** The number of payments of each recipient, by the logs of the chain itself. */
  payments(...recipients: string[]): Promise<number[]>;
  stop(): Promise<void>;
};

export async function startLyingScene(
  serve: ReturnType<typeof createServe>,
  config: Parameters<typeof startTestSandbox>[0] = {},
): Promise<LyingScene> {
  const [sandbox, service] = await Promise.all([startTestSandbox(config), startLyingService()]);
  service.forwardTo(sandbox.baseUrl);
  const { baseUrl } = service;
  const control = async (method: string, path: string, body: object): Promise<void> => {
    const url = `${sandbox.origin}/_sandbox/${path}`;
    const { status } = await sandbox.request(method, url, { headers: {}, body });
    if (status !== 200) throw new Error(`${path} was answered with ${status}.`);
  };
  return {
    sandbox,
    service,
    work: ({ isBlind = false, ...options } = {}) => {
      const custody = createCustodyClient({ baseUrl, ...sandbox.secrets, deadlineMs: 60_000 });
      const node = isBlind ? {} : { chainRpcUrl: sandbox.rpcUrl };
      return serve(custody, { baseUrl, lookupGraceMs: graceMs, ...node, ...options });
    },
    change: (settings) => control('PATCH', 'settings', settings),
    plan: (...rules) => control('POST', 'faults', { seed: 1, rules }),
    force: (id, state, errorReason) =>
      control('POST', `transactions/${id}/state`, { state, ...(errorReason && { errorReason }) }),
    payments: async (...recipients) => {
      const transfers = await sandbox.transfers({});
      const paid = transfers.map(({ to }) => to);
      return recipients.map((to) => paid.filter((one) => one === to.toLowerCase()).length);
    },
    stop: async () => {
      await service.close();
      await sandbox.stop();
    },
  };
}

/** Chooses the records of payments that this address receives by themselves. */
export function paymentsTo(to: string): About {
  return ({ destinationAddress }) => destinationAddress?.toLowerCase() === to.toLowerCase();
}

/** Chooses the records of the batches that a wallet sends. */
export function batchesOf({ id }: { id: string }): About {
  return ({ walletId, operation }) => walletId === id && operation === 'CONTRACT_EXECUTION';
}

/** Repeats a look until it finds something. Its words tell what it waited for in vain. */
export async function seeing<T>(
  words: string | (() => string),
  look: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) {
      const what = typeof words === 'string' ? words : words();
      throw new Error(`${what}, after ${patienceMs / 1_000} s.`);
    }
    await sleep(200);
  }
}

/** The newest records of what the account has really sent, of some kind. Oldest first. */
export async function recordsOf({ sandbox }: LyingScene, about: About): Promise<Transaction[]> {
  const newest = { pageSize: 50, txType: 'OUTBOUND' } as const;
  const { transactions } = await sandbox.client.listTransactions(newest);
  return transactions.filter(about).toReversed();
}

/** The word that an order shows, once it has ended or shows one of these words. */
export async function shownBy(
  { steadfast }: Orders,
  id: string,
  ...words: Status[]
): Promise<OrderStatus & { word: Status }> {
  let last: OrderStatus | undefined;
  const told = (): string => {
    const { progress } = last ?? {};
    return `${id} is ${progress?.status} and waits for ${progress?.waitingFor}`;
  };
  return seeing(told, async () => {
    last = await steadfast.status(id);
    const word = (last.progress?.status ?? last.lastStatus) as Status;
    const hasEnded = isEnd(word) && last.execution !== 'RUNNING';
    return hasEnded || words.includes(word) ? { ...last, word } : undefined;
  });
}

/** Has an order look again now, if it has not ended. */
export async function wake({ client }: Orders, id: string): Promise<void> {
  await client.workflow
    .getHandle(id)
    .signal('wake')
    .catch(() => {});
}

/** Resubmits an order as its shown way out does. Tells if that was refused. */
export async function resubmitted({ steadfast }: Orders, id: string): Promise<string> {
  return steadfast.resubmit(id).then(
    () => 'started',
    () => 'refused',
  );
}

/** Runs a test in a world in which nothing happens at the service until the test says so. */
export async function inStillWorld<T>(
  serve: ReturnType<typeof createServe>,
  act: (still: LyingScene, orders: Orders) => Promise<T>,
): Promise<T> {
  const still = await startLyingScene(serve, { settleMs: neverMs });
  try {
    return await act(still, await still.work());
  } finally {
    await still.stop();
  }
}
