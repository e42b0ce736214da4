import { randomUUID } from 'node:crypto';
import type { Input } from '../../../src/custody/endpoints';
import type { ContractRow } from '../../store/records/contractRecord';
import type { PlannedDeployment, TransactionRow, WalletRow } from '../../store/records/records';
import type { SandboxApi, Service } from '../service';
import { acceptOnce } from '../transactions/accept';
import { newTransaction, senderWallet } from '../transactions/newTransaction';
import { keyed } from '../wallets/wallets';
import { deployCodeCall } from './bytecode';
import { deployCall, templateContract } from './template';

/** Contracts that wallets put on the chain: clones of templates, and bytecode. */
export function deploymentHandlers(service: Service) {
  const { chain } = service;
  return {
    deployTemplate: (input, options) =>
      acceptOnce(service, keyed('deployTemplate', input, options), async () => {
        // An unknown template is told first, then the wallet.
        templateContract(input.id);
        const wallet = senderWallet(service, input, 'contracts');
        const id = randomUUID();
        const planned = deployCall(chain, input, id);
        const made = { id, inputType: 'TEMPLATE', templateId: input.id } as const;
        const rows = toRows({ wallet, input, planned, made });
        return { ...rows, answer: { contractIds: [id], transactionId: rows.transaction.id } };
      }),

    deployContract: (input, options) =>
      acceptOnce(service, keyed('deployContract', input, options), async () => {
        const wallet = senderWallet(service, input, 'contracts');
        const id = randomUUID();
        const planned = deployCodeCall(chain, input, id);
        const made = { id, inputType: 'BYTECODE', abiJson: input.abiJson } as const;
        const rows = toRows({ wallet, input, planned, made });
        return { ...rows, answer: { contractId: id, transactionId: rows.transaction.id } };
      }),
  } satisfies Partial<SandboxApi>;
}

type Facts = {
  wallet: WalletRow;
  input: Input<'deployTemplate'> | Input<'deployContract'>;
  planned: PlannedDeployment;
  made: Pick<ContractRow, 'id' | 'inputType' | 'templateId' | 'abiJson'>;
};

/** The two records of a deployment: what it makes, and what it is done with. */
function toRows({ wallet, input, planned, made }: Facts) {
  const base = newTransaction(wallet, input, 'contracts');
  const transaction: TransactionRow = {
    ...base,
    ...planned,
    operation: 'CONTRACT_EXECUTION',
    amounts: [],
    contractId: made.id,
  };
  const contract: ContractRow = {
    ...made,
    name: input.name,
    description: input.description,
    archived: false,
    walletId: wallet.id,
    deployerAddress: wallet.address,
    deploymentTransactionId: base.id,
    contractAddress: planned.contractAddress,
    status: 'PENDING',
    mined: false,
    createdAtMs: base.createdAtMs,
    updatedAtMs: base.updatedAtMs,
  };
  return { contract, transaction };
}
