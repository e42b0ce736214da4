import type { CustodyApi } from '../src/custody/endpoints';
import { finalState } from '../src/custody/objects/state';
import type { Transaction } from '../src/custody/objects/transaction';
import { readInFront } from '../src/orders/progress/inFront';
import { tryRecord } from './account/oneRecord';
import {
  type Sent,
  tryRead,
  tryWrite,
  type WriteIdentity,
  type WriteOf,
  type WriteSettings,
} from './attempt';
import type { NoticeSense, NoticeState } from './guard/noticeSense';
import { type Attempted, together } from './together';

/** A poll: the transaction, what its order knows of a notice, and whether it is overdue. */
type Polled = { id: string; notice?: NoticeState; isOverdue?: boolean };

/** A record, and what is in front of its transaction where that was asked. */
type Read = Transaction & { inFront?: string };

/** A request about a transaction that the service has accepted. */
type WishWrite = WriteIdentity & { transactionId: string };

/** The service's answer when it accepts a write: initiated, not completed. */
export type Accepted = Sent & {
  transactionId: string;
  /** The amount in the record of a transfer that was found in the service's list. */
  amount?: string | undefined;
};

type TransactionSettings = WriteSettings & { sense: NoticeSense };

export function transactionActivities(custody: CustodyApi, settings: TransactionSettings) {
  async function createTransfer(write: WriteOf<'createTransfer'>): Promise<Accepted> {
    return tryWrite(write, settings, async (own, options) => {
      const { id } = await custody.createTransfer({ ...write.input, ...own }, options);
      return { transactionId: id };
    });
  }

  return {
    createTransfer,

    /** One attempt at each of some transfers. Each has an outcome of its own, in their order. */
    async createTransfers(
      these: readonly WriteOf<'createTransfer'>[],
    ): Promise<Attempted<Accepted>[]> {
      return together(these, { perSecond: settings.writesPerSecond, attempt: createTransfer });
    },

    async executeContract(write: WriteOf<'executeContract'>): Promise<Accepted> {
      return tryWrite(write, settings, async (own, options) => {
        const { id } = await custody.executeContract({ ...write.input, ...own }, options);
        return { transactionId: id };
      });
    },

    /** Asks the service to cancel a transaction. The answer only says that it was asked. */
    async cancelTransaction({ transactionId: id, ...write }: WishWrite): Promise<void> {
      await tryWrite(write, settings, ({ idempotencyKey }, options) =>
        custody.cancelTransaction({ id, idempotencyKey }, options),
      );
    },

    /** Asks the service to pay a higher fee for a transaction, so that it settles sooner. */
    async accelerateTransaction({ transactionId: id, ...write }: WishWrite): Promise<void> {
      await tryWrite(write, settings, ({ idempotencyKey }, options) =>
        custody.accelerateTransaction({ id, idempotencyKey }, options),
      );
    },

    /**
     * Reads the record of a transaction. Undefined while the service does not know it. It learns
     * whether notices arrive. If it is overdue, what is in front of it is read as well.
     */
    async getTransaction({ id, notice, isOverdue }: Polled): Promise<Read | undefined> {
      const record = await tryRecord(custody, id);
      if (record !== undefined && notice !== undefined) settings.sense.polled(notice, record);
      if (!isOverdue || record === undefined || finalState(record.state) !== undefined)
        return record;
      const { walletId } = record;
      if (!walletId) return record;
      const inFront = await tryRead((signal) =>
        readInFront(custody, { walletId, ids: [id] }, { signal }),
      ).catch(() => undefined);
      return inFront === undefined ? record : { ...record, inFront };
    },
  };
}
