import type { AbiParameter, CustodyApi } from '../src/custody/endpoints';
import type { FeeLevel } from '../src/custody/transaction';
import { tryRead, tryWrite, type WriteIdentity } from './attempt';
import type { Accepted } from './transactions';

export type ContractActivities = ReturnType<typeof contractActivities>;

/** A whole deployment, frozen before its first try. */
export type DeployWrite = WriteIdentity & {
  templateId: string;
  name: string;
  walletId: string;
  blockchain: string;
  templateParameters: Record<string, unknown>;
  feeLevel: FeeLevel;
};

export type AcceptedDeployment = Accepted & { contractId: string };

export function contractActivities(custody: CustodyApi, settings: { keyLifetimeMs: number }) {
  return {
    async deployTemplate(write: DeployWrite): Promise<AcceptedDeployment> {
      return tryWrite({ ...write, ...settings }, async ({ key, refId, signal }) => {
        const input = {
          id: write.templateId,
          idempotencyKey: key,
          name: write.name,
          walletId: write.walletId,
          blockchain: write.blockchain,
          templateParameters: write.templateParameters,
          feeLevel: write.feeLevel,
          refId,
        };
        const { contractIds, transactionId } = await custody.deployTemplate(input, { signal });
        const [contractId = ''] = contractIds;
        return { transactionId, contractId, key };
      });
    },

    /** The record of a contract that was accepted; it may take a while to show. */
    async getContract(read: { id: string }) {
      return tryRead(async (signal) => (await custody.getContract(read, { signal })).contract, {
        fresh: true,
      });
    },

    /** Calls a view function; returns the raw result as 0x hex. */
    async queryContract(read: {
      address: string;
      blockchain: string;
      abiFunctionSignature: string;
      abiParameters: AbiParameter[];
    }) {
      return tryRead(async (signal) => (await custody.queryContract(read, { signal })).outputData);
    },
  };
}
