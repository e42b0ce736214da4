import type { CustodyApi } from '../../../../src/custody/endpoints';
import { read, type Sdks, type ToContracts } from './sdks';

type EventNames =
  | 'createEventMonitor'
  | 'listEventMonitors'
  | 'updateEventMonitor'
  | 'deleteEventMonitor'
  | 'listEventLogs';

export function eventMethods({ contracts }: Sdks): Pick<CustodyApi, EventNames> {
  return {
    createEventMonitor: async (input) => {
      const sent = input as ToContracts<'createEventMonitor'>;
      return read('createEventMonitor', await contracts.createEventMonitor(sent));
    },
    listEventMonitors: async (input) => {
      const sent = input as ToContracts<'listEventMonitors'>;
      return read('listEventMonitors', await contracts.listEventMonitors(sent));
    },
    updateEventMonitor: async (input) =>
      read('updateEventMonitor', await contracts.updateEventMonitor(input)),
    deleteEventMonitor: async (input) => {
      await contracts.deleteEventMonitor(input);
      return {};
    },
    listEventLogs: async (input) =>
      read('listEventLogs', await contracts.listEventLogs(input as ToContracts<'listEventLogs'>)),
  };
}
