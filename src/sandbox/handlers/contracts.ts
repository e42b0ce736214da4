import { randomUUID } from 'node:crypto';
import { decodeFunctionResult, getAddress, isAddress, toFunctionSelector } from 'viem';
import { templateIds } from '../../custody/template';
import { callData } from '../abiCall';
import { templateAbi } from '../chain/artifacts';
import { isReadFault } from '../chain/nodeFault';
import { fault, refusal } from '../errors';
import { refuseGasLimit } from '../gas';
import { newTransaction, sender } from '../newTransaction';
import { type ContractRow, type Hex, type TransactionRow, toContract } from '../records';
import type { Handlers, Service } from '../service';
import { deployCall, readFungible } from '../template';
import { keyed } from './wallets';

type Names = 'deployTemplate' | 'getContract' | 'queryContract' | 'executeContract';

/** Contracts: deployments from templates, calls that change them, and queries. */
export function contractHandlers(service: Service): Handlers<Names> {
  const { store, engine, idempotent, shown } = service;
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
            store.transactions.insert(transaction);
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
          save: () => store.transactions.insert(row),
        };
      });
      engine.wake();
      return answer;
    },

    getContract: async ({ id }) => {
      const row = store.contracts.get(id);
      if (row === undefined) throw fault('noContract');
      return {
        contract: toContract(row, { ...shown, abi: templateAbi() }),
      };
    },

    queryContract: async (input) => {
      if (!isAddress(input.address, { strict: false })) {
        throw refusal(175410, 'address format is invalid');
      }
      if (input.blockchain !== shown.blockchain) {
        throw fault('wrongBlockchain', 'contracts', input.blockchain);
      }
      return query(service, getAddress(input.address), input);
    },
  };
}

function toDeployment(
  service: Service,
  input: Parameters<Handlers<Names>['deployTemplate']>[0],
): { contract: ContractRow; transaction: TransactionRow } {
  const templates: readonly string[] = Object.values(templateIds);
  if (!templates.includes(input.id)) throw fault('noTemplate');
  if (input.id !== templateIds.fungible) throw fault('templateDisabled');
  const wallet = sender(service, input, 'contracts');
  const parameters = readFungible(input.templateParameters ?? {});
  const contractId = randomUUID();
  const { call, contractAddress, abiFunctionSignature, abiParameters } = deployCall(service.chain, {
    parameters,
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
    abiParameters,
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
  if (!isAddress(input.contractAddress)) {
    throw refusal(155219, 'The contract address is invalid');
  }
  if (input.amount !== undefined && input.amount !== '' && input.amount !== '0') {
    throw refusal(155245, 'Calls that carry native value are not available in this sandbox');
  }
  const to = getAddress(input.contractAddress);
  return {
    ...newTransaction(wallet, input),
    call: { to, value: '0', data: callData(input) },
    operation: 'CONTRACT_EXECUTION',
    amounts: [],
    contractAddress: to,
    ...(input.abiFunctionSignature === undefined
      ? {}
      : {
          abiFunctionSignature: input.abiFunctionSignature,
          abiParameters: input.abiParameters ?? [],
        }),
  };
}

async function query(
  service: Service,
  to: Hex,
  input: Parameters<Handlers<Names>['queryContract']>[0],
): Promise<{ outputData: string; outputValues: unknown[] }> {
  const data = callData(input);
  const from = input.fromAddress;
  const account = from !== undefined && isAddress(from) ? { account: from } : {};
  const answer = await service.chain.client.call({ to, data, ...account }).catch((error) => {
    // Only the contract's own refusal is final; what is wrong with the node may pass.
    throw isReadFault(error) ? error : refusal(175012, 'query failed: the call reverted');
  });
  if (answer.data === undefined) throw refusal(175012, 'query failed: the address has no code');
  return { outputData: answer.data, outputValues: outputValues(data, answer.data) };
}

/** The result in words, where the function is one of a template's own. */
function outputValues(data: Hex, result: Hex): unknown[] {
  const selector = data.slice(0, 10);
  const abi = templateAbi().filter((item) => item.type === 'function');
  const item = abi.find((candidate) => toFunctionSelector(candidate) === selector);
  if (item === undefined) return [];
  try {
    const value = decodeFunctionResult({ abi: [item], functionName: item.name, data: result });
    const values: unknown[] = item.outputs.length > 1 && Array.isArray(value) ? value : [value];
    return values.map((part) => (typeof part === 'bigint' ? part.toString() : part));
  } catch {
    return [];
  }
}
