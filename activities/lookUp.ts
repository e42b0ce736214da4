import { Context, heartbeat } from '@temporalio/activity';
import type { CustodyApi } from '../src/custody/endpoints';
import { idempotencyKey, type KeyParts } from '../src/custody/idempotencyKey';
import type { Transaction } from '../src/custody/objects/transaction';
import { readOutbound } from '../src/custody/outbound';
import { readReference, refHash } from '../src/custody/reference';
import type { AccountIndex, Asker, Depth } from '../src/store/index/accountIndex';
import type { Entry, IndexedRecord } from '../src/store/index/records';
import { tryRecord } from './account/oneRecord';
import { tryRead } from './attempt';
import type { AcceptedDeployment } from './contracts';
import { stop } from './failure';
import { everyPage } from './reading';
import type { Accepted } from './transactions';
import type { Created, CreatedWallets } from './wallets';

export type LookUpActivities = ReturnType<typeof lookUpActivities>;

/** The write to look up, in all its generations. With `named`, one record only. */
export type Search = Depth & {
  parts: KeyParts;
  /** Id or transaction hash of a record, whatever its reference. */
  named?: string | undefined;
};

/** A trace of a write in the service's list. */
export type ListTrace<T> = {
  generation: number;
  /** The service's answer when it accepted the write. */
  accepted: T;
  /** The record of a transaction. */
  record?: IndexedRecord & Partial<Transaction>;
};

/** The traces of a write, and the number of records that were looked through. */
export type Found<T> = { seen: number; traces: ListTrace<T>[] };

/**
 * Looks up writes by their reference in the service's lists, which never forget. Transactions are
 * found whatever their wallet, recipient or operation is.
 */
export function lookUpActivities(custody: CustodyApi, index: AccountIndex) {
  const findTransaction = async (search: Search): Promise<Found<Accepted>> => {
    const { parts, named, backToMs } = search;
    if (named !== undefined) return findNamed(custody, { parts, named });
    const hash = refHash(parts);
    const { seen, entries } = await tryRead(() => index.lookUp([hash], { ...asker(), backToMs }));
    return { seen, traces: entries.map((entry) => traceOf(entry, parts)) };
  };
  return {
    findTransaction,

    /** Finds the transaction of a deployment, with its contract if the service lists one. */
    async findDeployment(
      search: Search & { deployer: string; blockchain: string },
    ): Promise<Found<AcceptedDeployment>> {
      const { traces, seen } = await findTransaction(search);
      if (traces.length === 0) return { seen, traces: [] };
      const { deployer, blockchain } = search;
      const contracts = await tryRead((signal) =>
        everyPage(async (page, how) => {
          const input = { ...page, deployerAddress: deployer, blockchain };
          return (await custody.listContracts(input, { signal, ...how })).contracts;
        }),
      );
      const withContract = ({ accepted, ...trace }: ListTrace<Accepted>) => {
        const { transactionId } = accepted;
        const made = contracts.find((one) => one.deploymentTransactionId === transactionId);
        return { ...trace, accepted: { ...accepted, contractId: made?.id ?? '' } };
      };
      return { seen, traces: traces.map(withContract) };
    },

    /** Finds a wallet set. A set has no reference field, so its name ends with the hash of one. */
    async findWalletSet({ parts }: Search): Promise<Found<Created<{ id: string }>>> {
      const sets = await tryRead((signal) =>
        everyPage(async (page, how) => {
          return (await custody.listWalletSets(page, { signal, ...how })).walletSets;
        }),
      );
      const traces = sets.flatMap(({ id, name }) => {
        const generation = generationIn(name, parts);
        if (generation === undefined) return [];
        return [{ generation, accepted: { created: { id }, key: keyOf(parts, generation) } }];
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
        everyPage(async (page, how) => {
          const input = { ...page, walletSetId };
          return (await custody.listWallets(input, { signal, ...how })).wallets;
        }),
      );
      const created = wallets
        .filter(({ refId }) => generationIn(refId, parts) !== undefined)
        .sort((one, other) => numberOf(one.name) - numberOf(other.name));
      const seen = wallets.length;
      if (created.length === 0) return { seen, traces: [] };
      if (created.length !== count) {
        throw stop(
          'NeedsOperator',
          `Wallet set ${walletSetId} has ${created.length} wallets with the reference of this ` +
            `order, which asked for ${count}. The service creates all or none. Find out what ` +
            'happened to the others.',
          { ambiguous: true, ofRecord: true },
        );
      }
      const { generation } = parts;
      return {
        seen,
        traces: [{ generation, accepted: { created, key: keyOf(parts, generation) } }],
      };
    },
  };
}

/** Identifies the running activity to the index, in all its attempts. */
export function asker(): Asker {
  const { info, cancellationSignal: signal } = Context.current();
  const name = `${info.workflowExecution?.runId} ${info.activityId}`;
  return { name, signal, onPage: heartbeat };
}

/**
 * Finds the record that a person has named. A record without a reference counts as well. None is
 * seen where the service has none by that name.
 */
async function findNamed(
  custody: CustodyApi,
  { parts, named }: { parts: KeyParts; named: string },
): Promise<Found<Accepted>> {
  const records = named.startsWith('0x')
    ? await tryRead((signal) => everyPage(readOutbound(custody, { txHash: named, signal })))
    : await recordWith(custody, named);
  const traces = records.flatMap((record) => {
    // A received transaction is no trace of a sent one.
    if (record.transactionType === 'INBOUND') return [];
    const generation = record.refId ? generationIn(record.refId, parts) : parts.generation;
    return generation === undefined ? [] : [traceOf({ generation, record }, parts)];
  });
  return { seen: records.length, traces };
}

async function recordWith(custody: CustodyApi, id: string): Promise<Transaction[]> {
  const found = await tryRecord(custody, id);
  return found === undefined ? [] : [found];
}

function traceOf(
  { generation, record }: Pick<Entry, 'generation' | 'record'>,
  parts: KeyParts,
): ListTrace<Accepted> {
  const amount = record.amounts?.[0];
  const accepted = { transactionId: record.id, key: keyOf(parts, generation), amount };
  return { generation, accepted, record };
}

/** The generation in a reference of this write. Undefined for any other text. */
function generationIn(reference: string | undefined, parts: KeyParts): number | undefined {
  const read = readReference(reference);
  return read?.hash === refHash(parts) ? read.generation : undefined;
}

function keyOf(parts: KeyParts, generation: number): string {
  return idempotencyKey({ ...parts, generation });
}

/** "wallet 12" is number 12 of the wallets that were requested together. */
function numberOf(name: string | undefined): number {
  return Number(name?.split(' ').at(-1) ?? 0);
}
