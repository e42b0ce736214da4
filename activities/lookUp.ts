import { ApplicationFailure } from '@temporalio/activity';
import type { CustodyApi } from '../src/custody/endpoints';
import { idempotencyKey, type KeyParts, refHash } from '../src/custody/idempotencyKey';
import type { operations, Transaction } from '../src/custody/objects/transaction';
import { type FailureFacts, type FailureType, tryRead } from './attempt';
import type { AcceptedDeployment } from './contracts';
import { everyPage } from './everyPage';
import type { Accepted } from './transactions';
import type { Created, CreatedWallets } from './wallets';

export type LookUpActivities = ReturnType<typeof lookUpActivities>;

/** The write to look up, in all its generations. With `named`, one record only. */
export type Search = {
  parts: KeyParts;
  /** Earliest time of its records, in milliseconds since the epoch. */
  sinceMs?: number | undefined;
  /** Id or transaction hash of a record, whatever its reference. */
  named?: string | undefined;
};

export type TransactionSearch = Search & {
  walletId: string;
  /** A transfer's recipient, which narrows the list. */
  destinationAddress?: string;
  /** A deployment from a template has one of two operations, so it gives none. */
  operation?: Exclude<(typeof operations)[number], 'CONTRACT_DEPLOYMENT'>;
};

/** A trace of a write in the service's list. */
export type Trace<T> = {
  generation: number;
  /** The service's answer when it accepted the write. */
  accepted: T;
  /** The record of a transaction. */
  record?: Transaction;
};

export type Found<T> = {
  /** Number of records that were read. */
  seen: number;
  traces: Trace<T>[];
};

/** Looks up writes by their reference in the service's lists, which never forget. */
export function lookUpActivities(custody: CustodyApi) {
  const transactions = async (search: TransactionSearch): Promise<Found<Accepted>> => {
    const seen = await tryRead((signal) => listTransactions(custody, search, signal));
    return { seen: seen.length, traces: seen.flatMap((record) => traceOf(record, search)) };
  };
  return {
    findTransaction: transactions,

    /** Finds the transaction of a deployment, with its contract. */
    async findDeployment(
      search: TransactionSearch & { deployer: string; blockchain: string },
    ): Promise<Found<AcceptedDeployment>> {
      const { seen, traces } = await transactions(search);
      if (traces.length === 0) return { seen, traces: [] };
      const { deployer, blockchain } = search;
      const contracts = await tryRead((signal) =>
        everyPage(async (page) => {
          const input = { ...page, deployerAddress: deployer, blockchain };
          return (await custody.listContracts(input, { signal })).contracts;
        }),
      );
      const contractOf = (id: string): string => {
        const made = contracts.find(
          ({ deploymentTransactionId }) => deploymentTransactionId === id,
        );
        if (made !== undefined) return made.id;
        throw new Error(`Deployment ${id} was found, but its contract is not listed yet.`);
      };
      const withContract = ({ accepted, ...trace }: Trace<Accepted>) => {
        const contractId = contractOf(accepted.transactionId);
        return { ...trace, accepted: { ...accepted, contractId } };
      };
      return { seen, traces: traces.map(withContract) };
    },

    /** Finds a wallet set. A set has no reference field, so its name ends with the hash of one. */
    async findWalletSet(search: Search): Promise<Found<Created<{ id: string }>>> {
      const sets = await tryRead((signal) =>
        everyPage(async (page) => {
          const input = { ...page, ...since(search) };
          return (await custody.listWalletSets(input, { signal })).walletSets;
        }),
      );
      const traces = sets.flatMap(({ id, name }) => {
        const generation = generationIn(name, search.parts);
        if (generation === undefined) return [];
        return [{ generation, accepted: { created: { id }, key: keyOf(search, generation) } }];
      });
      return { seen: sets.length, traces };
    },

    /**
     * Finds the wallets of one write, in the order in which they were requested. They are one
     * trace.
     */
    async findWallets(
      search: Search & { walletSetId: string; count: number },
    ): Promise<Found<CreatedWallets>> {
      const { walletSetId, count, parts } = search;
      const wallets = await tryRead((signal) =>
        everyPage(async (page) => {
          const input = { ...page, walletSetId };
          return (await custody.listWallets(input, { signal })).wallets;
        }),
      );
      const created = wallets
        .filter(({ refId }) => generationIn(refId, parts) !== undefined)
        .sort((one, other) => numberOf(one.name) - numberOf(other.name));
      if (created.length === 0) return { seen: wallets.length, traces: [] };
      if (created.length !== count) throw tooFew(created.length, search);
      const key = keyOf(search, parts.generation);
      const trace = { generation: parts.generation, accepted: { created, key } };
      return { seen: wallets.length, traces: [trace] };
    },
  };
}

async function listTransactions(
  custody: CustodyApi,
  search: TransactionSearch,
  signal: AbortSignal,
): Promise<Transaction[]> {
  const { walletId, destinationAddress, operation, named } = search;
  if (named !== undefined && !named.startsWith('0x')) {
    return [(await custody.getTransaction({ id: named }, { signal })).transaction];
  }
  const narrowed = {
    walletIds: walletId,
    includeAll: true,
    ...(operation === undefined ? {} : { operation }),
    ...(named === undefined ? since(search) : { txHash: named }),
    ...(destinationAddress === undefined ? {} : { destinationAddress }),
  };
  return everyPage(
    async (page) =>
      (await custody.listTransactions({ ...page, ...narrowed }, { signal })).transactions,
  );
}

function traceOf(record: Transaction, search: TransactionSearch): Trace<Accepted>[] {
  const { parts, named } = search;
  // A received transaction is no trace of a sent one.
  if (record.transactionType === 'INBOUND') return [];
  const isNamed = named !== undefined && !record.refId;
  const generation = isNamed ? parts.generation : generationIn(record.refId, parts);
  if (generation === undefined) return [];
  const accepted = { transactionId: record.id, key: keyOf(search, generation) };
  return [{ generation, accepted, record }];
}

/** The generation in a reference of this write. Undefined for any other text. */
function generationIn(reference: string | undefined, parts: KeyParts): number | undefined {
  const { hash, generation } = readReference(reference);
  return hash === refHash(parts) ? generation : undefined;
}

/** Reads the hash and the generation in a reference. Empty for any other text. */
export function readReference(reference: string | undefined): {
  hash?: string | undefined;
  generation?: number;
} {
  const [, hash, generation] = reference?.match(/(?:^| )([0-9a-f]{16})\.g(\d{1,9})$/) ?? [];
  return { hash, generation: Number(generation) };
}

function keyOf({ parts }: Search, generation: number): string {
  return idempotencyKey({ ...parts, generation });
}

/** "wallet 12" is number 12 of the wallets that were requested together. */
function numberOf(name: string | undefined): number {
  return Number(name?.split(' ').at(-1) ?? 0);
}

export function since({ sinceMs }: Pick<Search, 'sinceMs'>): { from?: string } {
  return sinceMs === undefined ? {} : { from: new Date(sinceMs).toISOString() };
}

function tooFew(found: number, { count, walletSetId }: { count: number; walletSetId: string }) {
  return ApplicationFailure.create({
    message:
      `Wallet set ${walletSetId} has ${found} wallets with the reference of this order, which ` +
      `asked for ${count}. The service creates all or none. Find out what happened to the others.`,
    type: 'NeedsOperator' satisfies FailureType,
    nonRetryable: true,
    details: [{ ambiguous: true } satisfies FailureFacts],
  });
}
