import type { Input } from '../../../src/custody/endpoints';
import type { Contract } from '../../../src/custody/objects/contract';
import { fault, found } from '../../errors/errors';
import { readPage } from '../../store/page';
import { type ContractRow, toContract } from '../../store/records/contractRecord';
import type { TransactionRow } from '../../store/records/records';
import type { SandboxApi, Service } from '../service';
import { acceptOnce, initiated } from '../transactions/accept';
import { newTransaction, senderWallet } from '../transactions/newTransaction';
import { addressAsKept, keyed } from '../wallets/wallets';
import { executionCall } from './abiCall';
import { abiOf } from './contractAbi';
import { query } from './query';

/** Contracts that have a record, calls that change any contract, and queries. */
export function contractHandlers(service: Service) {
  const { store, reads } = service;
  const show = (row: ContractRow) => showContract(service, row);
  return {
    executeContract: (input, options) =>
      acceptOnce(service, keyed('executeContract', input, options), async () =>
        initiated(toExecution(service, input)),
      ),

    getContract: async ({ id }) => ({
      contract: show(found(reads.contracts.get(id), 'noContract')),
    }),

    listContracts: async (input, options) => {
      const filters = listFilters(service, input);
      const page = { input, filters, paged: options?.paged, side: 'contracts' } as const;
      return { contracts: readPage(reads.contracts, page).map(show) };
    },

    updateContract: async ({ id, ...given }) => {
      found(store.contracts.get(id), 'noContract');
      const changes = Object.entries(given).filter(([, value]) => value !== undefined);
      if (changes.length === 0) throw fault('emptyUpdate');
      const changed = { ...Object.fromEntries(changes), updatedAtMs: Date.now() };
      return { contract: show(store.contracts.update(id, changed)) };
    },

    queryContract: (input) => query(service, input),
  } satisfies Partial<SandboxApi>;
}

/** A contract as its record shows it. */
export function showContract({ shown }: Service, row: ContractRow): Contract {
  return toContract(row, { blockchain: shown.blockchain, abi: abiOf(row) });
}

/** Archived contracts are in no list. They are found only by id. */
function listFilters({ shown }: Service, input: Input<'listContracts'>) {
  const { blockchain = shown.blockchain, contractInputType, deployerAddress } = input;
  return {
    id: blockchain === shown.blockchain ? undefined : [],
    inputType: contractInputType,
    deployerAddress: deployerAddress && addressAsKept(deployerAddress),
    name: input.name,
    status: input.status,
    archived: 'false',
  };
}

function toExecution(service: Service, input: Input<'executeContract'>): TransactionRow {
  const wallet = senderWallet(service, input);
  const call = executionCall(input);
  return {
    ...newTransaction(wallet, input),
    call,
    operation: 'CONTRACT_EXECUTION',
    amounts: call.value === '0' || input.amount === undefined ? [] : [input.amount],
    contractAddress: call.to,
    ...(input.abiFunctionSignature === undefined
      ? {}
      : {
          abiFunctionSignature: input.abiFunctionSignature,
          abiParameters: input.abiParameters ?? [],
        }),
  };
}
