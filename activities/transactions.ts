import type { AbiParameter, CustodyApi } from '../src/custody/endpoints';
import type { FeeLevel } from '../src/custody/objects/transaction';
import { tryRead, tryWrite, type WriteIdentity, type WriteSettings } from './attempt';

export type TransactionActivities = ReturnType<typeof transactionActivities>;

/** A whole transfer, frozen before its first attempt. The native coin has an empty address. */
export type TransferWrite = WriteIdentity & {
  walletAddress: string;
  blockchain: string;
  tokenAddress: string;
  destinationAddress: string;
  amount: string;
  feeLevel: FeeLevel;
};

/** A whole call of a contract, frozen before its first attempt. */
export type ExecutionWrite = WriteIdentity & {
  walletId: string;
  contractAddress: string;
  abiFunctionSignature: string;
  abiParameters: AbiParameter[];
  /** Native coin that is sent along with the call. */
  amount?: string | undefined;
  feeLevel: FeeLevel;
};

/** A request about a transaction that the service has accepted. */
export type WishWrite = WriteIdentity & { transactionId: string };

/** The service's answer when it accepts a write: initiated, not completed. */
export type Accepted = { transactionId: string; key: string };

export function transactionActivities(custody: CustodyApi, settings: WriteSettings) {
  return {
    async createTransfer(write: TransferWrite): Promise<Accepted> {
      return tryWrite(write, settings, async ({ key, refId, signal }) => {
        const input = {
          idempotencyKey: key,
          walletAddress: write.walletAddress,
          blockchain: write.blockchain,
          tokenAddress: write.tokenAddress,
          destinationAddress: write.destinationAddress,
          amounts: [write.amount],
          feeLevel: write.feeLevel,
          refId,
        };
        const { id } = await custody.createTransfer(input, { signal });
        return { transactionId: id, key };
      });
    },

    async executeContract(write: ExecutionWrite): Promise<Accepted> {
      return tryWrite(write, settings, async ({ key, refId, signal }) => {
        const input = {
          idempotencyKey: key,
          walletId: write.walletId,
          contractAddress: write.contractAddress,
          abiFunctionSignature: write.abiFunctionSignature,
          abiParameters: write.abiParameters,
          ...(write.amount === undefined ? {} : { amount: write.amount }),
          feeLevel: write.feeLevel,
          refId,
        };
        const { id } = await custody.executeContract(input, { signal });
        return { transactionId: id, key };
      });
    },

    /** Asks the service to cancel a transaction. The answer only says that it was asked. */
    async cancelTransaction(write: WishWrite): Promise<{ state: string }> {
      return tryWrite(write, settings, async ({ key, signal }) => {
        const input = { id: write.transactionId, idempotencyKey: key };
        const { state } = await custody.cancelTransaction(input, { signal });
        return { state };
      });
    },

    /** Asks the service to pay a higher fee for a transaction, so that it settles sooner. */
    async accelerateTransaction(write: WishWrite): Promise<void> {
      return tryWrite(write, settings, async ({ key, signal }) => {
        await custody.accelerateTransaction(
          { id: write.transactionId, idempotencyKey: key },
          { signal },
        );
      });
    },

    /** Reads the record of an accepted transaction, which may take a while to show. */
    async getTransaction(read: { id: string }) {
      return tryRead(
        async (signal) => (await custody.getTransaction(read, { signal })).transaction,
        { fresh: true },
      );
    },
  };
}
