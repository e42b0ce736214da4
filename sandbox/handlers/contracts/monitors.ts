import { randomUUID } from 'node:crypto';
import type { Input } from '../../../src/custody/endpoints';
import { fault } from '../../errors/errors';
import { readPage } from '../../store/page';
import { type MonitorRow, toEventLog, toEventMonitor } from '../../store/records/eventRecords';
import type { SandboxApi, Service } from '../service';
import { addressAsKept, keyed } from '../wallets/wallets';
import { eventHash } from './eventSignature';
import { contractAddress, knownContract } from './knownContract';

const notDeleted = ['enabled', 'disabled'] as const;

/** Monitors of events, and what those have seen. */
export function monitorHandlers(service: Service) {
  const { store, reads, shown, idempotent } = service;
  const named = ({ contractId }: { contractId: string }) => ({
    blockchain: shown.blockchain,
    contractName: store.contracts.get(contractId)?.name,
  });
  const show = (row: MonitorRow) => ({ eventMonitor: toEventMonitor(row, named(row)) });
  return {
    createEventMonitor: (input, options) =>
      idempotent(keyed('createEventMonitor', input, options), async () => {
        const row = newMonitor(service, input);
        return {
          answer: show(row),
          save: () => {
            refuseSecond(service, row);
            store.monitors.insert(row);
          },
        };
      }),

    listEventMonitors: async (input, options) => {
      const { eventSignature } = input;
      const filters = { ...placeFilters(service, input), eventSignature, state: notDeleted };
      const page = { input, filters, paged: options?.paged, side: 'contracts' } as const;
      const rows = readPage(reads.monitors, page);
      return { eventMonitors: rows.map((row) => toEventMonitor(row, named(row))) };
    },

    updateEventMonitor: async ({ id, isEnabled }) => {
      requireMonitor(service, id);
      const state = isEnabled ? 'enabled' : 'disabled';
      return show(store.monitors.update(id, { state, updatedAtMs: Date.now() }));
    },

    deleteEventMonitor: async ({ id }) => {
      requireMonitor(service, id);
      store.monitors.update(id, { state: 'deleted', updatedAtMs: Date.now() });
      return {};
    },

    listEventLogs: async (input, options) => {
      const filters = placeFilters(service, input);
      const page = { input, filters, paged: options?.paged, side: 'contracts' } as const;
      const rows = readPage(reads.eventLogs, page);
      return { eventLogs: rows.map((row) => toEventLog(row, named(row))) };
    },
  } satisfies Partial<SandboxApi>;
}

/** By the contract, if it is named. There is nothing on any other chain. */
function placeFilters({ shown }: Service, input: Input<'listEventMonitors' | 'listEventLogs'>) {
  const { blockchain = shown.blockchain, contractAddress } = input;
  return {
    id: blockchain === shown.blockchain ? undefined : [],
    contractAddress: contractAddress && addressAsKept(contractAddress),
  };
}

function newMonitor(service: Service, input: Input<'createEventMonitor'>): MonitorRow {
  const { contractAddress: address, blockchain } = input;
  const contract = knownContract(service, contractAddress(service, { address, blockchain }));
  if (contract === undefined || !contract.mined) throw fault('noContract');
  const now = Date.now();
  return {
    id: randomUUID(),
    contractId: contract.id,
    contractAddress: contract.contractAddress,
    eventSignature: input.eventSignature,
    eventSignatureHash: eventHash(contract, input.eventSignature),
    state: 'enabled',
    createdAtMs: now,
    updatedAtMs: now,
  };
}

function refuseSecond({ store }: Service, { contractAddress, eventSignature }: MonitorRow): void {
  const filters = { contractAddress, eventSignature, state: notDeleted };
  if (store.monitors.list({ filters, limit: 1 }).length > 0) {
    throw fault('monitorExists');
  }
}

function requireMonitor({ store }: Service, id: string): void {
  const row = store.monitors.get(id);
  if (row === undefined || row.state === 'deleted') throw fault('noMonitor');
}
