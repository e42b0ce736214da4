import { decodeAbiParameters } from 'viem';
import type { AbiParameter, CustodyApi } from '../src/custody/endpoints';
import { UnexpectedAnswerError } from '../src/custody/errors';
import type { Contract } from '../src/custody/objects/contract';
import { tryFind, tryRead, tryWrite, type WriteOf, type WriteSettings } from './attempt';
import type { Accepted } from './transactions';

/** A question to a contract. */
export type ViewCall = {
  address: string;
  blockchain: string;
  signature: string;
  parameters?: AbiParameter[];
};

/** A question to a contract, and the one value that it must answer, as text. */
export type ExpectedAnswer = Required<Pick<ViewCall, 'signature' | 'parameters'>> & {
  type: 'string' | 'bool' | 'address';
  value: string;
};

/** A contract's record. Once complete, it also lists the faults of the code at its address. */
type CheckedContract = Contract & {
  /** Questions without an answer. The code may not be there yet. */
  silence?: string[];
  /** Answers that differ from the expected ones. */
  faults?: string[];
};

/** An accepted deployment. The contract's id is empty while nobody knows it. */
export type AcceptedDeployment = Accepted & { contractId: string };

export function contractActivities(custody: CustodyApi, settings: WriteSettings) {
  return {
    async deployTemplate(write: WriteOf<'deployTemplate'>): Promise<AcceptedDeployment> {
      return tryWrite(write, settings, async (own, options) => {
        const answer = await custody.deployTemplate({ ...write.input, ...own }, options);
        const [contractId = ''] = answer.contractIds;
        return { transactionId: answer.transactionId, contractId };
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
    async readNumber(read: ViewCall): Promise<string> {
      return tryRead(async (signal) => {
        const number = await view(custody, { ...read, type: 'uint256' }, signal);
        if (number !== undefined) return number;
        const { signature, address } = read;
        const message = `${signature} of ${address} did not return a number.`;
        throw new UnexpectedAnswerError(message, { status: 200 });
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
  for (const { value, ...question } of answers) {
    const said = await viewIfAny(custody, { ...question, address, blockchain });
    const { type, signature, parameters } = question;
    // An address may be in lower case.
    const isSame =
      type === 'address' ? said?.toLowerCase() === value.toLowerCase() : said === value;
    const call = signature.replace(/\(.*/, `(${parameters.join(', ')})`);
    if (said === undefined) silence.push(`${call} gives no answer`);
    else if (!isSame) faults.push(`${call} is ${JSON.stringify(said)}, not "${value}"`);
  }
  return { silence, faults };
}

type TypedCall = ViewCall & { type: string };

/** Asks a contract. Undefined if the call reverts, or if the answer has no value of that type. */
export function viewIfAny(custody: CustodyApi, call: TypedCall): Promise<string | undefined> {
  return tryFind(400, (signal) => view(custody, call, signal));
}

async function view(
  custody: CustodyApi,
  { address, blockchain, signature, parameters = [], type }: TypedCall,
  signal: AbortSignal,
): Promise<string | undefined> {
  const call = { address, blockchain, abiFunctionSignature: signature, abiParameters: parameters };
  const { outputData } = await custody.queryContract(call, { signal });
  try {
    const [value] = decodeAbiParameters([{ type }], `0x${outputData.replace(/^0x/, '')}`);
    return String(value);
  } catch {
    return undefined;
  }
}
