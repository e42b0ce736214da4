import type { Hex, Log, TransactionReceipt } from 'viem';
import type { UserOperationOutcome } from '../../chain/readOutcomes';
import { derivedId } from '../../store/records/derivedId';
import type { EventLogRow, MonitorRow } from '../../store/records/eventRecords';
import type { Store } from '../../store/store';

type Records = Pick<Store, 'monitors' | 'eventLogs'>;

/** The enabled monitors, by what they watch. */
type WatchedEvents = ReadonlyMap<string, MonitorRow>;

/**
 * The events that are watched now. They count also for a block that was mined earlier and is read
 * now.
 */
export function watchedEvents({ monitors }: Pick<Store, 'monitors'>): WatchedEvents {
  return new Map(
    monitors
      .where('state', 'enabled')
      .map((row) => [placeOf(row.contractAddress, row.eventSignatureHash), row]),
  );
}

/** A mined transaction, with what came of the operations in it. */
type Mined = {
  receipt: Pick<TransactionReceipt, 'logs' | 'transactionHash' | 'blockHash' | 'blockNumber'>;
  outcomes: readonly Pick<UserOperationOutcome, 'userOpHash' | 'logs'>[];
  watched: WatchedEvents;
};

/** Writes down the logs of a transaction that are watched, each once however often it is read. */
export function recordEventLogs(records: Records, { receipt, outcomes, watched }: Mined): void {
  if (watched.size === 0) return;
  const operationOf = operationsByLog(outcomes);
  for (const { address, topics, data, logIndex } of receipt.logs) {
    const monitor = watched.get(placeOf(address, topics[0]));
    if (monitor === undefined || logIndex === null) continue;
    const { contractId, contractAddress, eventSignature, eventSignatureHash } = monitor;
    addEventLog(records, {
      id: derivedId(`event log ${monitor.id} ${receipt.transactionHash} ${logIndex}`),
      monitorId: monitor.id,
      contractId,
      contractAddress,
      eventSignature,
      eventSignatureHash,
      txHash: receipt.transactionHash,
      userOpHash: operationOf.get(logIndex),
      logIndex,
      blockHash: receipt.blockHash,
      blockHeight: Number(receipt.blockNumber),
      topics: [...topics],
      data,
      createdAtMs: Date.now(),
    });
  }
}

/** Inserts every event log, in the commit of its block's results. */
function addEventLog({ eventLogs }: Records, row: EventLogRow): void {
  if (eventLogs.get(row.id) !== undefined) return;
  eventLogs.insert(row);
}

function operationsByLog(outcomes: Mined['outcomes']): Map<Log['logIndex'], Hex> {
  return new Map(
    outcomes.flatMap(({ userOpHash, logs }) => logs.map((log) => [log.logIndex, userOpHash])),
  );
}

function placeOf(address: Hex, topic: Hex | undefined): string {
  return `${address} ${topic}`.toLowerCase();
}
