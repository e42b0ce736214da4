import { createHash, randomUUID } from 'node:crypto';
import { idempotencyKey, type KeyParts } from '../../../src/custody/idempotencyKey';
import { refHash } from '../../../src/custody/reference';
import type { Charge, Outside, Reservation, Window } from '../../../src/writer/ledger/ledger';

export const lifetimeMs = 24 * 3_600_000;
export const usdc = 10n ** 18n;
const wallet = { wallet: 'w1' };

/** A transfer of some USDC from one wallet, under a window of 100 in 24 hours. */
export function transferOf(amount: bigint, fields: Partial<KeyParts> = {}): Reservation {
  const order = { workflowId: `transfer:${randomUUID()}`, step: 'transfer', item: '1' };
  const parts = { ...order, generation: 0, ...fields };
  const charges: Charge[] = [
    { scope: wallet, money: 'native', amount },
    { scope: { rule: 'out' }, money: 'native', amount },
  ];
  const own = { rule: 'out', scope: wallet, money: 'native', hours: 24 };
  const windows: Window[] = [{ ...own, max: 100n * usdc, amount }];
  return {
    key: idempotencyKey(parts),
    hash: refHash(parts),
    parts,
    body: createHash('sha256').update(String(amount)).digest('hex'),
    charges,
    windows,
    policy: { version: 1, digest: 'd1' },
    grounds: { policy: '1 d1', rules: ['out'] },
  };
}

/** The window of all of them. */
export const window = { scope: wallet, money: 'native', hours: 24 };

/** A payment of somebody else from the same wallet, under way unless the fields say otherwise. */
export function outsideOf(amount: bigint, fields: Partial<Outside> = {}): Outside {
  return {
    transactionId: randomUUID(),
    reference: undefined,
    state: 'moving',
    endMs: undefined,
    charges: [{ scope: wallet, money: 'native', amount }],
    ...fields,
  };
}

/** The end of a reservation, as the writer reads it in a record. */
export function endOf({ hash, parts }: Reservation, hadEffect: boolean) {
  const { generation } = parts;
  return { hash, generation, transactionId: 't1', hadEffect, fee: undefined };
}
