import { randomUUID } from 'node:crypto';
import type { Input } from '../../../src/custody/endpoints';
import { fault } from '../../errors/errors';
import type { ContractRow } from '../../store/records/contractRecord';
import type { Hex } from '../../store/records/records';
import type { SandboxApi, Service } from '../service';
import { keyed } from '../wallets/wallets';
import { findAbi } from './contractAbi';
import { showContract } from './contracts';
import { contractAddress } from './knownContract';

/** Contracts that are on the chain already, and get a record. */
export function importHandlers(service: Service) {
  const { store, idempotent } = service;
  return {
    importContract: (input, options) =>
      idempotent(keyed('importContract', input, options), async () => {
        const address = contractAddress(service, input);
        const [known] = store.contracts.where('contractAddress', address);
        if (known === undefined) return importNew(service, input, address);
        if (known.inputType !== 'IMPORT' || !input.refreshVerification) {
          throw fault('contractExists');
        }
        options?.replayed?.();
        return importAgain(service, known);
      }),
  } satisfies Partial<SandboxApi>;
}

async function importNew(service: Service, input: Input<'importContract'>, address: Hex) {
  const { store } = service;
  const abi = await findAbi(service, address);
  const now = Date.now();
  const row: ContractRow = {
    id: randomUUID(),
    name: input.name,
    description: input.description,
    inputType: 'IMPORT',
    archived: false,
    abiJson: abi && JSON.stringify(abi),
    contractAddress: address,
    status: 'COMPLETE',
    mined: true,
    createdAtMs: now,
    updatedAtMs: now,
  };
  return {
    answer: { contract: showContract(service, row) },
    save: () => {
      // Another import may have been quicker.
      if (store.contracts.where('contractAddress', address).length > 0) {
        throw fault('contractExists');
      }
      store.contracts.insert(row);
    },
  };
}

/** Looks for the interface again. An interface that is known stays so. */
async function importAgain(service: Service, known: ContractRow) {
  const abi = await findAbi(service, known.contractAddress);
  const abiJson = abi === undefined ? known.abiJson : JSON.stringify(abi);
  const changed = { abiJson, updatedAtMs: Date.now() };
  return {
    answer: { contract: showContract(service, { ...known, ...changed }) },
    save: () => {
      service.store.contracts.update(known.id, changed);
    },
  };
}
