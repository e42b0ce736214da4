import type { Contract } from '../../custody/contract';
import type { Input } from '../../custody/endpoints';
import { abiOf } from '../contractAbi';
import { fault } from '../errors';
import type { Handlers, Service } from '../service';
import { type ContractRow, toContract } from '../store/contractRecord';
import { readPage } from '../store/page';
import type { TransactionRow } from '../store/records';
import { accept } from './accept';
import { executionCall } from './executionCall';
import { refuseGasLimit } from './gas';
import { newTransaction, sender } from './newTransaction';
import { query } from './query';
import { checksummed, keyed } from './wallets';

type Names =
  | 'getContract'
  | 'listContracts'
  | 'updateContract'
  | 'queryContract'
  | 'executeContract';

/** Contracts that have a record, calls that change any contract, and queries. */
export function contractHandlers(service: Service): Handlers<Names> {
  const { store, reads, engine, idempotent } = service;
  const show = (row: ContractRow) => showContract(service, row);
  return {
    executeContract: async (input, options) => {
      const answer = await idempotent(keyed('executeContract', input, options), async () => {
        const row = toExecution(service, input);
        await refuseGasLimit(service, row);
        return {
          answer: { id: row.id, state: 'INITIATED' },
          save: () => accept(service, row, { side: 'wallets', fate: options?.fate }),
        };
      });
      engine.wake();
      return answer;
    },

    getContract: async ({ id }) => {
      const row = reads.contracts.get(id);
      if (row === undefined) throw fault('noContract');
      return { contract: show(row) };
    },

    listContracts: async (input, options) => {
      const filters = listFilters(service, input);
      const page = { input, filters, paged: options?.paged, side: 'contracts' } as const;
      return { contracts: readPage(reads.contracts, page).map(show) };
    },

    updateContract: async ({ id, ...given }) => {
      if (store.contracts.get(id) === undefined) throw fault('noContract');
      const changes = Object.entries(given).filter(([, value]) => value !== undefined);
      if (changes.length === 0) throw fault('emptyUpdate');
      const changed = { ...Object.fromEntries(changes), updatedAtMs: Date.now() };
      return { contract: show(store.contracts.update(id, changed)) };
    },

    queryContract: (input) => query(service, input),
  };
}

/** A contract as its record shows it. */
export function showContract({ shown }: Service, row: ContractRow): Contract {
  return toContract(row, { blockchain: shown.blockchain, abi: abiOf(row) });
}

/** What is archived is in no list: only who knows its id sees it. */
function listFilters({ shown }: Service, input: Input<'listContracts'>) {
  const { blockchain = shown.blockchain, contractInputType, deployerAddress } = input;
  return {
    id: blockchain === shown.blockchain ? undefined : [],
    inputType: contractInputType,
    deployerAddress: deployerAddress && checksummed(deployerAddress),
    name: input.name,
    status: input.status,
    archived: 'false',
  };
}

function toExecution(service: Service, input: Input<'executeContract'>): TransactionRow {
  const wallet = sender(service, input);
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
