import { encodeAbiParameters, pad, toHex } from 'viem';
import type { CustodyApi, EndpointName, Input, Output } from '../../../src/custody/endpoints';
import { RefusedError } from '../../../src/custody/errors';
import type { Balance } from '../../../src/custody/objects/token';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { TransferOrder } from '../../../src/orders/transfer';

/** One call of a workflow, as the service sees it. */
export type SeenCall = { name: EndpointName; input: Record<string, unknown> };

/**
 * The answer of one endpoint: a value, an error, or a function of the input and the number of
 * calls.
 */
type Script = {
  [Name in EndpointName]?: (
    input: Input<Name>,
    call: number,
  ) => Output<Name> | Error | Promise<Output<Name> | Error>;
};

/** A hand-written CustodyApi that answers from a script and records its calls. */
export type ScriptedCustody = CustodyApi & {
  seen: SeenCall[];
  calls(name: EndpointName): SeenCall[];
};

export const sender = {
  id: '11111111-1111-4111-8111-111111111111',
  address: '0x1111111111111111111111111111111111111111',
};
export const treasury = {
  id: '44444444-4444-4444-8444-444444444444',
  address: '0x4444444444444444444444444444444444444444',
};
export const recipient = '0x2222222222222222222222222222222222222222';
export const blockchain = 'ARC-TESTNET';
const date = '2026-01-01T00:00:00Z';
const usdcId = 'f9d68076-9d6b-5f37-a226-0b49cfa631d5';

/** The order of a transfer of 5 USDC from the sender to the recipient. */
export const transferOrder: TransferOrder = {
  from: { walletId: sender.id },
  to: recipient,
  amount: '5',
  token: 'USDC',
};

/** The record of a transfer of 5 USDC from the sender to the recipient. */
export function transferRecord(fields: Partial<Transaction> = {}): Transaction {
  return {
    id: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
    blockchain,
    state: 'COMPLETE',
    transactionType: 'OUTBOUND',
    walletId: sender.id,
    sourceAddress: sender.address,
    destinationAddress: recipient,
    tokenId: usdcId,
    amounts: ['5'],
    txHash: '0xabc',
    createDate: date,
    updateDate: date,
    ...fields,
  };
}

const estimate = {
  gasLimit: '60000',
  baseFee: '160',
  priorityFee: '1',
  maxFee: '321',
  networkFee: '0.01926',
  networkFeeRaw: '0.01926',
};
const estimates = { low: estimate, medium: estimate, high: estimate };

/** A balance of the coin that pays fees. */
export function nativeBalance(amount: string): Balance {
  const symbol = 'USDC-NATIVE';
  const token = { id: treasury.id, blockchain, isNative: true, symbol, createDate: date };
  return { amount, token: { ...token, updateDate: date }, updateDate: date };
}

const usual: Script = {
  getWallet: ({ id }) => ({
    wallet: {
      id,
      address: id === sender.id ? sender.address : treasury.address,
      state: 'LIVE',
      walletSetId: sender.id,
      custodyType: 'DEVELOPER',
      blockchain,
      accountType: 'EOA',
      createDate: date,
      updateDate: date,
    },
  }),
  getToken: ({ id }) => ({
    token: {
      id,
      blockchain,
      isNative: false,
      symbol: 'USDC',
      tokenAddress: '0x3600000000000000000000000000000000000000',
      createDate: date,
      updateDate: date,
    },
  }),
  listTransactions: () => ({ transactions: [] }),
  listWalletSets: () => ({ walletSets: [] }),
  listWallets: () => ({ wallets: [] }),
  listContracts: () => ({ contracts: [] }),
  estimateTransfer: () => estimates,
  estimateExecution: () => estimates,
  estimateDeployment: () => estimates,
  listBalances: () => ({ tokenBalances: [nativeBalance('5')] }),
  createTransfer: () => ({ id: transferRecord().id, state: 'INITIATED' }),
  getTransaction: () => ({ transaction: transferRecord() }),
};

const bool = [{ type: 'bool' }] as const;
const string = [{ type: 'string' }] as const;

/** Answers of a token's code: its name, its roles, and a supply that grows with each read. */
export function codeAnswers({ name = 'Harbour Credit' } = {}) {
  let supply = 0n;
  return (signature: string | undefined): { outputData: string } => {
    if (signature === 'name()') return { outputData: encodeAbiParameters(string, [name]) };
    if (signature?.startsWith('hasRole')) return { outputData: encodeAbiParameters(bool, [true]) };
    if (signature === 'decimals()') return { outputData: pad(toHex(18)) };
    const outputData = pad(toHex(supply));
    supply += 10n ** 20n;
    return { outputData };
  };
}

/** A service that accepts and settles a transfer. The script changes single answers. */
export function scriptedCustody(script: Script = {}): ScriptedCustody {
  const seen: SeenCall[] = [];
  const calls = (name: EndpointName): SeenCall[] => seen.filter((call) => call.name === name);
  const answers: Script = { ...usual, ...script };
  const handler = {
    get: (target: { seen: SeenCall[] }, name: string) => {
      if (name === 'seen') return target.seen;
      if (name === 'calls') return calls;
      return async (input: Record<string, unknown>) => {
        const answer = answers[name as EndpointName] as
          | ((input: unknown, call: number) => unknown)
          | undefined;
        if (answer === undefined) throw new Error(`The script has no answer for ${name}.`);
        seen.push({ name: name as EndpointName, input });
        const given = await answer(input, calls(name as EndpointName).length);
        if (given instanceof Error) throw given;
        return given;
      };
    },
  };
  return new Proxy({ seen }, handler) as unknown as ScriptedCustody;
}

/** The reads of a service that has these records, which may become more. */
export function readsOf(
  records: readonly Transaction[],
): Pick<Script, 'getTransaction' | 'listTransactions'> {
  return {
    getTransaction: ({ id }) => {
      const transaction = records.find((record) => record.id === id);
      return transaction ? { transaction } : new RefusedError('none', { status: 404, code: 404 });
    },
    listTransactions: ({ pageAfter }) => ({
      transactions: pageAfter === undefined ? [...records] : [],
    }),
  };
}
