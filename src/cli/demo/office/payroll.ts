import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { createSteadfast, type PayoutLine, type Steadfast } from '../../../client/client';
import { createCustodyClient } from '../../../custody/client';
import { usualNetwork } from '../../../custody/networks/networks';
import type { StackParts } from '../../../local/startStack';
import { isEnd } from '../../../orders/progress/status';
import { sshSigner } from '../../../writer/signing/sign';

/** The files of the tutorial. A reader has the same ones. */
const files = join(__dirname, '..', '..', '..', '..', 'docs', 'tutorial', 'payroll');

/** The payout of May, and two of June. The first one has a wrong address. */
export const paidPayroll = 'salaries-05';
export const askedPayrolls = ['salaries-06', 'salaries-06-corrected'] as const;

/** The names of the payees, as a CSV file. */
export const payrollBook = join(files, 'book.csv');

/** Drips of the faucet, of 20 USDC each: enough for all files. */
const drips = 8;
const patienceMs = 60_000;
const lookMs = 200;

const row = z.object({ lineId: z.string(), to: z.string(), amount: z.string(), token: z.string() });

/** The desk of an office: it makes the wallet that pays, and hands in payrolls. */
export type Desk = {
  /** Makes a wallet with coins. The policy does not know it yet. */
  fundedWallet(): Promise<string>;
  /** Pays lines to the end. */
  pay(payoutId: string, lines: readonly PayoutLine[]): Promise<void>;
  /** Starts a payout, and waits until people are asked about it. */
  ask(payoutId: string, lines: readonly PayoutLine[]): Promise<void>;
  close(): Promise<void>;
};

/** Opens the desk of a stack, with the key that signs what it asks for. */
export async function openDesk(parts: StackParts, signKey: string): Promise<Desk> {
  const { temporal, sandbox, taskQueue } = parts;
  const service = createCustodyClient({ ...parts, baseUrl: sandbox.baseUrl });
  const { appId: entity } = await service.getEntityConfig({});
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection, namespace: temporal.namespace });
  const signing = { sign: sshSigner(signKey), entity, blockchain: usualNetwork };
  const unsigned = createSteadfast({ client, taskQueue });
  const signed = createSteadfast({ client, taskQueue, signing });
  let walletId = '';
  const start = (payoutId: string, lines: readonly PayoutLine[]) => {
    return signed.payout({ payoutId, wallets: [walletId], reference: 'Salaries' }, lines);
  };
  return {
    fundedWallet: async () => {
      const wallet = await makeWallet(unsigned);
      walletId = wallet.walletId;
      const { address } = wallet;
      for (let drip = 0; drip < drips; drip += 1) {
        await service.requestDrip({ address, blockchain: usualNetwork, usdc: true });
        // The faucet counts as a write, and the service takes five of those a second.
        await sleep(lookMs);
      }
      return walletId;
    },
    pay: async (payoutId, lines) => {
      await (await start(payoutId, lines)).receipt();
    },
    ask: async (payoutId, lines) => {
      await start(payoutId, lines);
      await untilAsked(signed, `payout:${payoutId}`);
    },
    close: () => connection.close(),
  };
}

async function makeWallet(steadfast: Steadfast): Promise<{ walletId: string; address: string }> {
  const order = { name: 'Office', count: 1, accountType: 'EOA' } as const;
  const { wallets } = await steadfast.execute('provisionWallets', 'provision:office', order);
  const [wallet] = wallets;
  if (wallet === undefined) throw new Error('provision:office has made no wallet.');
  return wallet;
}

/** The lines of a file of the tutorial. */
export function linesInTutorial(name: string): PayoutLine[] {
  const text = readFileSync(join(files, `${name}.csv`), 'utf8');
  return z.array(row).parse(parse(text, { columns: true }));
}

async function untilAsked(steadfast: Steadfast, id: string): Promise<void> {
  const lastMs = Date.now() + patienceMs;
  for (;;) {
    const { progress } = await steadfast.status(id);
    if (progress?.status === 'NeedsApproval') return;
    const isOver = progress !== undefined && isEnd(progress.status);
    if (isOver || Date.now() > lastMs) {
      throw new Error(`${id} asks nobody for approval. It stands as ${progress?.status}.`);
    }
    await sleep(lookMs);
  }
}
