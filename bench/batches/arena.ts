import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCustodyClient } from '../../src/custody/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import { localKeys } from '../../src/local/localKeys';
import { spawnSandbox } from '../../src/local/spawnSandbox';
import type { PayoutLine } from '../../src/orders/payout';
import { createWallets } from '../../test/support/sandbox';
import { accountOf } from '../payouts/judge';
import { type Payer, type Place, startService } from '../payouts/startService';
import { type Audit, audit, nextBlock } from './audit';

export type AccountType = 'EOA' | 'SCA';

/** A service at the hosted limits, with wallets that pay, and a record of what was paid. */
export type Arena = Place & {
  payersOf(accountType: AccountType, count: number): Promise<Payer[]>;
  /** Calls back, and then compares lines with the record. */
  audited<Found>(
    bill: { lines: readonly PayoutLine[]; payers: readonly Payer[] },
    act: () => Promise<Found>,
  ): Promise<Found & { audit: Audit }>;
  leave(): Promise<void>;
};

/** The time from acceptance until a transaction is final. */
export const settleMs = 1_000;
/** A drip has 20 USDC, and 20 of the coin that pays for gas. */
export const dripsOf: Readonly<Record<AccountType, number>> = { EOA: 25, SCA: 1 };

/** The stub. Its record is what it has accepted. */
export async function startStub(): Promise<Arena> {
  const service = await startService({ settleMs, limit: 'hosted' });
  return {
    ...service,
    payersOf: (accountType, count) => service.createPayers(count, accountType),
    audited: async ({ lines }, act) => {
      const found = await act();
      const { transfers, once, twice, lost } = accountOf(lines, await service.transfers());
      const transactions = new Set(transfers.map(({ id }) => id)).size;
      return { ...found, audit: { once, twice, lost, otherwise: 0, transactions } };
    },
    leave: service.stop,
  };
}

/** The sandbox with its real chain. The record is the chain's own logs. */
export async function startChainArena(settings: object = {}): Promise<Arena> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-bench-'));
  const keys = localKeys();
  const sandbox = await spawnSandbox({
    env: {
      SANDBOX_PORT: '0',
      SANDBOX_DATA_DIR: folder,
      SANDBOX_API_KEY: keys.apiKey,
      SANDBOX_ENTITY_SECRET: keys.entitySecret,
      SANDBOX_SETTLE_MS: String(settleMs),
    },
  });
  const { baseUrl } = sandbox;
  const controlUrl = `${new URL(baseUrl).origin}/_sandbox`;
  await change(controlUrl, settings);
  const place: Place = { ...keys, baseUrl, rpcUrl: `${controlUrl}/rpc`, isLimited: true };
  const custody = createCustodyClient(place);
  return {
    ...place,
    payersOf: (accountType, count) => fundedPayers(custody, { accountType, count }),
    audited: async (bill, act) => {
      const fromBlock = await nextBlock(place.rpcUrl);
      const found = await act();
      return { ...found, audit: await audit(place.rpcUrl, { ...bill, fromBlock }) };
    },
    leave: async () => {
      await sandbox.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function change(controlUrl: string, settings: object): Promise<void> {
  const { ok, status } = await fetch(`${controlUrl}/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  if (!ok) throw new Error(`The sandbox answers ${status} to ${JSON.stringify(settings)}.`);
}

/** Wallets that can pay for all races of a bench. */
export async function fundedPayers(
  custody: CustodyApi,
  { accountType, count }: { accountType: AccountType; count: number },
): Promise<Payer[]> {
  const wallets = await createWallets(custody, { accountType, count });
  for (const { address } of wallets) {
    for (let drip = 0; drip < dripsOf[accountType]; drip += 1) {
      await custody.requestDrip({ address, blockchain: 'ARC-TESTNET', usdc: true });
    }
  }
  return wallets.map(({ id, address }) => ({ id, address, accountType }));
}
