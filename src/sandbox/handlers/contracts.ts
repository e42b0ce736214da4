import { randomUUID } from 'node:crypto';
import { fault } from '../errors';
import type { Handlers, Service } from '../service';
import { toContract } from '../store/contractRecord';
import { readPage } from '../store/page';
import type { ContractRow, TransactionRow } from '../store/records';
import { deployCall, templateContract } from '../template';
import { accept } from './accept';
import { executionCall } from './executionCall';
import { refuseGasLimit } from './gas';
import { newTransaction, sender } from './newTransaction';
import { contractAbi, query } from './query';
import { checksummed, keyed } from './wallets';

type Names =
  | 'deployTemplate'
  | 'getContract'
  | 'listContracts'
  | 'queryContract'
  | 'executeContract';

/** Contracts: deployments from templates, calls that change them, and queries. */
export function contractHandlers(service: Service): Handlers<Names> {
  const { store, reads, engine, idempotent, shown } = service;
  const show = (row: ContractRow) => toContract(row, { ...shown, abi: contractAbi(row) });
  return {
    deployTemplate: async (input, options) => {
      const key = { ...keyed('deployTemplate', input, options), side: 'contracts' } as const;
      const answer = await idempotent(key, async () => {
        const { contract, transaction } = toDeployment(service, input);
        await refuseGasLimit(service, transaction, 'contracts');
        return {
          answer: { contractIds: [contract.id], transactionId: transaction.id },
          save: () => {
            store.contracts.insert(contract);
            accept(service, transaction, { side: 'contracts', fate: options?.fate });
          },
        };
      });
      engine.wake();
      return answer;
    },

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
      const { blockchain = shown.blockchain, contractInputType = 'TEMPLATE' } = input;
      const { deployerAddress, name, status } = input;
      const isNone = blockchain !== shown.blockchain || contractInputType !== 'TEMPLATE';
      const filters = {
        id: isNone ? [] : undefined,
        deployerAddress: deployerAddress && checksummed(deployerAddress),
        name,
        status,
      };
      const page = { input, filters, paged: options?.paged, side: 'contracts' } as const;
      return { contracts: readPage(reads.contracts, page).map(show) };
    },

    queryContract: (input) => query(service, input),
  };
}

function toDeployment(
  service: Service,
  input: Parameters<Handlers<Names>['deployTemplate']>[0],
): { contract: ContractRow; transaction: TransactionRow } {
  // An unknown template is told first, then the wallet.
  templateContract(input.id);
  const wallet = sender(service, input, 'contracts');
  const contractId = randomUUID();
  const { call, contractAddress, abiFunctionSignature } = deployCall(service.chain, {
    templateId: input.id,
    parameters: input.templateParameters ?? {},
    contractId,
  });
  const base = newTransaction(wallet, input, 'contracts');
  const transaction: TransactionRow = {
    ...base,
    call,
    operation: 'CONTRACT_EXECUTION',
    amounts: [],
    contractAddress,
    abiFunctionSignature,
    contractId,
  };
  const contract: ContractRow = {
    id: contractId,
    name: input.name,
    description: input.description,
    templateId: input.id,
    walletId: wallet.id,
    deployerAddress: wallet.address,
    deploymentTransactionId: base.id,
    contractAddress,
    status: 'PENDING',
    mined: false,
    createdAtMs: base.createdAtMs,
    updatedAtMs: base.updatedAtMs,
  };
  return { contract, transaction };
}

function toExecution(
  service: Service,
  input: Parameters<Handlers<Names>['executeContract']>[0],
): TransactionRow {
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
