import { upsertMemo, workflowInfo } from '@temporalio/workflow';
import type { Accepted } from '../../../activities/transactions';
import { memoryKey } from '../../../src/orders/progress/status';
import { longReads } from '../../order/activities';
import { findRecalled } from '../../write/calls';
import type { FinalRecord } from '../../write/machine/writeState';
import { wasReset } from '../../write/reset';
import type { Step } from '../../write/step';
import { pathOf } from '../../write/writes';
import type { Payment } from './payments';
import type { Shard } from './shard';

type Findings = Record<string, unknown>;

/** Makes a read, and notes why there is no answer. */
export type Read = <T>(call: () => Promise<T>) => Promise<T | undefined>;

/** The record of an attempt at a payment that somebody has found. */
export type Recalled = { path: string; generation: number; record: FinalRecord };

/** Keeps the transaction that somebody has found, for other runs of this part. */
export function rememberFound(shard: Shard, payment: Payment): void {
  const { accepted } = shard.writes.stateOf(payment);
  if (accepted === undefined) return;
  const memory = memoryHere();
  const findings = { ...memory.findings, [shard.writes.targetOf(payment)]: accepted };
  upsertMemo({ [memoryKey]: { ...memory, findings } });
}

/**
 * The records that people have found for these payments, of each attempt so far. The service may
 * correct the end of an earlier one. A run that was reset does not remember what was found in it,
 * and takes it up. Undefined if Temporal or the service did not answer.
 */
export async function recallFound(
  shard: Shard,
  due: readonly Payment[],
  read: Read,
): Promise<Recalled[] | undefined> {
  const findings = await findingsOn(shard, due, read);
  if (findings === undefined) return undefined;
  // The identities of hundreds of lines are put together only where something was found.
  if (Object.keys(findings).length === 0) return [];
  const recalled: Recalled[] = [];
  for (const payment of due) {
    const path = pathOf(payment);
    const { parts } = shard.writes.identityOf(payment);
    for (let { generation } = parts; generation >= 0; generation--) {
      const accepted = findings[`${path}#${generation}`];
      if (accepted === undefined) continue;
      const own = { parts: { ...parts, generation } };
      const traces = await read(() => findRecalled(inList, own, accepted));
      if (traces === undefined) return undefined;
      for (const { record } of traces) {
        if (record === undefined) continue;
        if (generation === parts.generation && wasReset(shard))
          shard.writes.apply(payment, { kind: 'recalled', transactionId: record.id });
        else recalled.push({ path, generation, record });
      }
    }
  }
  return recalled;
}

/** Each payment is a transaction, and is found as one. */
const inList: Pick<Step<Accepted>, 'find'> = {
  find: (from, search) => from.findTransaction(search),
};

/**
 * The findings on payments in all runs of the part. A run that is started again has those of the
 * run before it in its memo, unless its lines were handed over again.
 */
async function findingsOn(
  shard: Shard,
  due: readonly Payment[],
  read: Read,
): Promise<Findings | undefined> {
  const { findings = {} } = memoryHere();
  const isFirst = due.every((one) => shard.writes.stateOf(one).generation === 0);
  const isAlone = isFirst || shard.opened.earlier.others === 'clean';
  if (isAlone && !wasReset(shard)) return findings;
  const told = await read(() => longReads('what was decided before').readDecided());
  return told && { ...findings, ...told.findings };
}

function memoryHere(): { findings?: Findings } {
  const told: unknown = workflowInfo().memo?.[memoryKey];
  return typeof told === 'object' && told !== null ? told : {};
}
