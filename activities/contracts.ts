import type { Contract } from '../src/custody/contract';
import type { AbiParameter, CustodyApi } from '../src/custody/endpoints';
import { UnexpectedAnswerError } from '../src/custody/errors';
import type { FeeLevel } from '../src/custody/transaction';
import { tryRead, tryWrite, type WriteIdentity, type WriteSettings } from './attempt';
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

/** A question to a contract. */
export type ViewCall = {
  address: string;
  blockchain: string;
  signature: string;
  parameters?: AbiParameter[];
};

export type AcceptedDeployment = Accepted & { contractId: string };

export function contractActivities(custody: CustodyApi, settings: WriteSettings) {
  return {
    async deployTemplate(write: DeployWrite): Promise<AcceptedDeployment> {
      return tryWrite(write, settings, async ({ key, refId, signal }) => {
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
    async getContract(read: { id: string }): Promise<Contract> {
      const { contract } = await tryRead((signal) => custody.getContract(read, { signal }), {
        fresh: true,
      });
      // Nobody needs the code, which would be in the history once for each look.
      const { functions, events, sourceCode, abiJson, ...record } = contract;
      return record;
    },

    /** The single number that a view function returns, as a decimal string. */
    async readNumber(read: ViewCall) {
      const { address, blockchain, signature, parameters = [] } = read;
      return tryRead(async (signal) => {
        const call = {
          address,
          blockchain,
          abiFunctionSignature: signature,
          abiParameters: parameters,
        };
        const { outputData } = await custody.queryContract(call, { signal });
        if (/^0x[0-9a-fA-F]{64}$/.test(outputData)) return BigInt(outputData).toString();
        throw new UnexpectedAnswerError(
          `${signature} of ${address} did not return a number. Expected 32 bytes; came ` +
            `"${outputData.slice(0, 80)}".`,
          { status: 200 },
        );
      });
    },
  };
}
