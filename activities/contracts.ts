import { decodeAbiParameters } from 'viem';
import type { AbiParameter, CustodyApi } from '../src/custody/endpoints';
import { RefusedError, UnexpectedAnswerError } from '../src/custody/errors';
import type { Contract } from '../src/custody/objects/contract';
import type { FeeLevel } from '../src/custody/objects/transaction';
import { tryRead, tryWrite, type WriteIdentity, type WriteSettings } from './attempt';
import type { Accepted } from './transactions';

export type ContractActivities = ReturnType<typeof contractActivities>;

/** A whole deployment, frozen before its first attempt. */
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

/** A question to a contract, and the one value that it must answer. */
export type ExpectedAnswer = {
  signature: string;
  parameters: AbiParameter[];
  type: 'string' | 'bool' | 'address';
  /** The value as text. */
  value: string;
};

/** A contract's record. Once complete, it also lists the faults of the code at its address. */
export type CheckedContract = Contract & {
  /** Questions without an answer. The code may not be there yet. */
  silence?: string[];
  /** Answers that differ from the expected ones. */
  faults?: string[];
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

    /**
     * Reads the record of an accepted contract, which may take a while to show. Once the record is
     * complete, asks the code at its address the expected answers.
     */
    async getContract(read: { id: string; answers?: ExpectedAnswer[] }): Promise<CheckedContract> {
      const { id, answers = [] } = read;
      const { contract } = await tryRead((signal) => custody.getContract({ id }, { signal }), {
        fresh: true,
      });
      // Nobody needs the code, and the history would keep it once for each poll.
      const { functions, events, sourceCode, abiJson, ...record } = contract;
      if (record.status !== 'COMPLETE' || record.contractAddress === undefined) return record;
      return { ...record, ...(await examine(custody, record, answers)) };
    },

    /** Returns the single number of a view function, as a decimal string. */
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
          `${signature} of ${address} did not return a number. Expected 32 bytes, got ` +
            `"${outputData.slice(0, 80)}".`,
          { status: 200 },
        );
      });
    },
  };
}

/** Asks a contract its questions. Returns those without an answer and those with a wrong one. */
async function examine(
  custody: CustodyApi,
  { contractAddress: address = '', blockchain }: Contract,
  answers: ExpectedAnswer[],
): Promise<Pick<CheckedContract, 'silence' | 'faults'>> {
  const silence: string[] = [];
  const faults: string[] = [];
  for (const { signature, parameters, type, value } of answers) {
    const question = { address, blockchain, abiFunctionSignature: signature };
    const said = await tryRead(async (signal) => {
      try {
        const call = { ...question, abiParameters: parameters };
        return textOf(type, (await custody.queryContract(call, { signal })).outputData);
      } catch (error) {
        // The service refuses a call that reverts, or finds no code, with 400.
        if (error instanceof RefusedError && error.status === 400) return undefined;
        throw error;
      }
    });
    const call = signature.replace(/\(.*/, `(${parameters.join(', ')})`);
    if (said === undefined) silence.push(`${call} gives no answer`);
    else if (!isSame(type, said, value))
      faults.push(`${call} is ${JSON.stringify(said)}, not "${value}"`);
  }
  return { silence, faults };
}

/** Compares two values. An address may be in lower case. */
function isSame(type: ExpectedAnswer['type'], said: string, value: string): boolean {
  return type === 'address' ? said.toLowerCase() === value.toLowerCase() : said === value;
}

/** The single value of an answer, as text. Undefined if it holds none of that type. */
function textOf(type: ExpectedAnswer['type'], outputData: string): string | undefined {
  try {
    const data: `0x${string}` = `0x${outputData.replace(/^0x/, '')}`;
    const [value] = decodeAbiParameters([{ type }], data);
    return String(value);
  } catch {
    return undefined;
  }
}
