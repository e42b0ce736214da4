import { toEventLog } from '../store/records/eventRecords';
import type { Shown } from '../store/records/records';
import type { Store } from '../store/store';
import type { Outbox } from './outbox';

/**
 * Tells of each log that a monitor has seen, in the commit that puts it down. The object is that of
 * the service's own notices.
 */
export function tellOfEventLogs(
  { eventLogs }: Pick<Store, 'eventLogs'>,
  outbox: Pick<Outbox, 'add'>,
  { blockchain }: Pick<Shown, 'blockchain'>,
): void {
  eventLogs.onWrite((row, before) => {
    if (before !== undefined) return;
    const log = toEventLog(row, { blockchain, contractName: undefined });
    outbox.add('contracts.eventLog', {
      contractAddress: log.contractAddress,
      blockchain,
      txHash: log.txHash,
      userOpHash: log.userOpHash,
      blockHash: log.blockHash,
      blockHeight: log.blockHeight,
      eventSignature: log.eventSignature,
      eventSignatureHash: log.eventSignatureHash,
      topics: log.topics,
      data: log.data,
      firstConfirmDate: log.firstConfirmDate,
    });
  });
}
