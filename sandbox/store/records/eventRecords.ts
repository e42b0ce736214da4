import type { EventLog, EventMonitor } from '../../../src/custody/objects/contractEvent';
import { type Hex, isoMicroseconds, isoSeconds } from './records';

/** An event of a contract that is watched. A deleted one is kept for the logs it has seen. */
export type MonitorRow = {
  id: string;
  contractId: string;
  contractAddress: Hex;
  /** As it was given: the canonical one. */
  eventSignature: string;
  eventSignatureHash: Hex;
  state: 'enabled' | 'disabled' | 'deleted';
  createdAtMs: number;
  updatedAtMs: number;
};

/** A log of the chain that an enabled monitor has seen. */
export type EventLogRow = Pick<
  MonitorRow,
  'id' | 'contractId' | 'contractAddress' | 'eventSignature' | 'eventSignatureHash'
> & {
  monitorId: string;
  txHash: Hex;
  /** The operation whose call has emitted it. */
  userOpHash: Hex | undefined;
  logIndex: number;
  blockHash: Hex;
  blockHeight: number;
  topics: Hex[];
  data: Hex;
  createdAtMs: number;
};

type Named = { blockchain: string; contractName: string | undefined };

export function toEventMonitor(row: MonitorRow, { blockchain, contractName }: Named): EventMonitor {
  return {
    id: row.id,
    contractName,
    contractId: row.contractId,
    contractAddress: row.contractAddress.toLowerCase(),
    blockchain,
    eventSignature: row.eventSignature,
    eventSignatureHash: row.eventSignatureHash,
    isEnabled: row.state === 'enabled',
    createDate: isoMicroseconds(row.createdAtMs),
    updateDate: isoMicroseconds(row.updatedAtMs),
  };
}

/** As the service lists it: nothing is decoded. */
export function toEventLog(row: EventLogRow, { blockchain, contractName }: Named): EventLog {
  return {
    id: row.id,
    subscriptionId: row.monitorId,
    contractId: row.contractId,
    contractName,
    blockchain,
    txHash: row.txHash,
    logIndex: String(row.logIndex),
    blockHash: row.blockHash,
    blockHeight: row.blockHeight,
    contractAddress: row.contractAddress.toLowerCase(),
    eventSignature: row.eventSignature,
    eventSignatureHash: row.eventSignatureHash,
    topics: row.topics,
    data: row.data,
    decodedTopics: null,
    decodedData: null,
    userOpHash: row.userOpHash ?? '',
    firstConfirmDate: isoSeconds(row.createdAtMs),
    createDate: isoMicroseconds(row.createdAtMs),
    updateDate: isoMicroseconds(row.createdAtMs),
  };
}
