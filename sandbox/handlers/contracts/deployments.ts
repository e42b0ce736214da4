import { randomUUID } from 'node:crypto';
import type { Input } from '../../../src/custody/endpoints';
import type { ContractRow } from '../../store/records/contractRecord';
import type { TransactionRow, WalletRow } from '../../store/records/records';
import type { HandlerOptions, SandboxApi, Service } from '../service';
import { accept } from '../transactions/accept';
import { refuseGasLimit } from '../transactions/gas';
import { newTransaction, sender } from '../transactions/newTransaction';
import { keyed } from '../wallets/wallets';
import { deployCodeCall, type PlannedDeployment } from './bytecode';
import { deployCall, templateContract } from './template';

/** The two records of a deployment: what it makes, and what it is done with. */
type Deployment = { contract: ContractRow; transaction: TransactionRow };

/** Contracts that wallets put on the chain: clones of templates, and bytecode. */
export function deploymentHandlers(service: Service) {
  return {
    deployTemplate: (input, options) =>
      deploy(service, keyed('deployTemplate', input, options), {
        plan: () => templateDeployment(service, input),
        toAnswer: (contractId, transactionId) => ({ contractIds: [contractId], transactionId }),
        fate: options?.fate,
      }),

    deployContract: (input, options) =>
      deploy(service, keyed('deployContract', input, options), {
        plan: () => codeDeployment(service, input),
        toAnswer: (contractId, transactionId) => ({ contractId, transactionId }),
        fate: options?.fate,
      }),
  } satisfies Partial<SandboxApi>;
}

type Deploying<Answer> = {
  plan: () => Deployment;
  toAnswer: (contractId: string, transactionId: string) => Answer;
} & Pick<HandlerOptions, 'fate'>;

async function deploy<Answer>(
  service: Service,
  key: ReturnType<typeof keyed>,
  { plan, toAnswer, fate }: Deploying<Answer>,
): Promise<Answer> {
  const { store, engine, idempotent } = service;
  const side = 'contracts';
  const answer = await idempotent({ ...key, side }, async () => {
    const { contract, transaction } = plan();
    await refuseGasLimit(service, transaction, side);
    return {
      answer: toAnswer(contract.id, transaction.id),
      save: () => {
        store.contracts.insert(contract);
        accept(service, transaction, { side, fate });
      },
    };
  });
  engine.wake();
  return answer;
}

function templateDeployment(service: Service, input: Input<'deployTemplate'>): Deployment {
  // An unknown template is told first, then the wallet.
  templateContract(input.id);
  const wallet = sender(service, input, 'contracts');
  const contractId = randomUUID();
  const { id: templateId, templateParameters: parameters = {} } = input;
  const planned = deployCall(service.chain, { templateId, parameters, contractId });
  const made = { id: contractId, inputType: 'TEMPLATE', templateId } as const;
  return toDeployment({ wallet, input, planned, made });
}

function codeDeployment(service: Service, input: Input<'deployContract'>): Deployment {
  const wallet = sender(service, input, 'contracts');
  const contractId = randomUUID();
  const planned = deployCodeCall(service.chain, { ...input, contractId });
  const made = { id: contractId, inputType: 'BYTECODE', abiJson: input.abiJson } as const;
  return toDeployment({ wallet, input, planned, made });
}

type Facts = {
  wallet: WalletRow;
  input: Input<'deployTemplate'> | Input<'deployContract'>;
  planned: PlannedDeployment;
  made: Pick<ContractRow, 'id' | 'inputType' | 'templateId' | 'abiJson'>;
};

function toDeployment({ wallet, input, planned, made }: Facts): Deployment {
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
