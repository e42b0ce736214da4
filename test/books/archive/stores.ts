import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '../../../proof/kill/postgres';
import type { WriteReceipt } from '../../../src/books/receipt';
import { missingPrograms } from '../../support/missingPrograms';
import { newDatabase } from '../../writer/ledger/kinds';

/** A kind of store. Each place that it makes is empty. */
export type StoreKind = { name: string; newPlace(): Promise<string> };

let folder: string;
let server: Postgres | undefined;
let count = 0;

const newPath = (): string => {
  count += 1;
  return join(folder, `store-${count}`);
};

const hasPostgres = missingPrograms(['initdb', 'postgres']).length === 0;

/** The kinds of which this machine has the programs. */
export const storeKinds: readonly StoreKind[] = [
  { name: 'a file', newPlace: async () => `file:${newPath()}` },
  { name: 'a folder of day files', newPlace: async () => `folder:${newPath()}` },
  ...(hasPostgres
    ? [
        {
          name: 'Postgres',
          newPlace: async () => {
            server ??= await startPostgres();
            return newDatabase(server);
          },
        },
      ]
    : []),
];

export function beginStores(): void {
  folder = mkdtempSync(join(tmpdir(), 'steadfast-archive-'));
}

export async function endStores(): Promise<void> {
  await server?.stop();
  server = undefined;
  rmSync(folder, { recursive: true });
}

let receipts = 0;

/** A receipt of a transfer. No other one has its key. */
export function newReceipt(change: Partial<WriteReceipt> = {}): WriteReceipt {
  receipts += 1;
  const key = `00000000-0000-4000-8000-${`${receipts}`.padStart(12, '0')}`;
  return {
    version: 1,
    order: { id: `transfer:${receipts}`, kind: 'transferStablecoin', digest: 'a'.repeat(64) },
    service: 'http://127.0.0.1:4010/v1/w3s',
    step: 'transfer',
    item: '1',
    generation: 0,
    key,
    refId: `transfer/1 ${`${receipts}`.padStart(16, '0')}.g0`,
    transactionId: key,
    outcome: 'completed',
    kind: 'transfer',
    sender: `0x${'1'.repeat(40)}`,
    chain: { blockchain: 'ARC-TESTNET', chainId: 5042002 },
    time: new Date(Date.UTC(2026, 0, 1) + receipts * 1_000).toISOString(),
    ...change,
  };
}
