import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../src/custody/objects/transaction';
import type { Wallet } from '../../src/custody/objects/wallet';
import { setUp } from './jest/setUp';
import {
  createFundedWallet,
  settled,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from './sandbox';

/** Longer than any test: no block and no due time comes within it. */
export const neverMs = 3_600_000;

/** A sandbox with the hosted state words, whose time a test can stop and start again. */
export type StagedSandbox = TestSandbox & {
  control(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Lets everything happen as soon as possible. */
  run(): Promise<void>;
  /** Transactions accepted from now on are sent, but no block includes them. */
  stopBlocks(): Promise<void>;
  /** Transactions accepted from now on stay INITIATED. The chain goes on without them. */
  stopTime(): Promise<void>;
  /** Sets a fault for the next transaction. */
  plan(kind: 'stuck' | 'denied' | 'failOnChain'): Promise<void>;
  force(id: string, state: string, errorReason?: string): Promise<void>;
  /** Waits until a transaction is in a state. */
  inState(id: string, state: string): Promise<Transaction>;
  /** Has a transfer of one USDC accepted, and returns its id. */
  send(from: Wallet, to: string): Promise<string>;
};

export async function startStagedSandbox(): Promise<StagedSandbox> {
  const sandbox = await startTestSandbox({ states: 'hosted', settleMs: 0 });
  const { client, request, origin } = sandbox;
  const control: StagedSandbox['control'] = (method, path, body) =>
    request(method, `${origin}/_sandbox/${path}`, { headers: {}, body });
  const set = async (settings: { settleMs: number; blockMs: number }): Promise<void> => {
    const { status } = await control('PATCH', 'settings', settings);
    if (status !== 200) throw new Error(`The settings were answered with ${status}.`);
  };
  const run = () => set({ settleMs: 0, blockMs: 0 });
  const send: StagedSandbox['send'] = async (from, to) =>
    (await client.createTransfer(transferOf(from, to))).id;
  return {
    ...sandbox,
    control,
    run,
    stopBlocks: () => set({ settleMs: 0, blockMs: neverMs }),
    stopTime: () => set({ settleMs: neverMs, blockMs: 100 }),
    plan: async (kind) => {
      await control('POST', 'faults', { seed: 1, rules: [{ kind, count: 1 }] });
    },
    force: async (id, state, errorReason) => {
      const body = errorReason === undefined ? { state } : { state, errorReason };
      const answer = await control('POST', `transactions/${id}/state`, body);
      if (answer.status !== 200) throw new Error(`Forced: ${JSON.stringify(answer)}`);
    },
    inState: async (id, state) => {
      for (let look = 0; look < 5_000; look++) {
        const { transaction } = await client.getTransaction({ id });
        if (transaction.state === state) return transaction;
        await sleep(20);
      }
      const { transaction } = await client.getTransaction({ id });
      throw new Error(`${id} is ${transaction.state}, not ${state}.`);
    },
    send,
    usedWallet: async (accountType) => {
      await run();
      const wallet = await createFundedWallet(client, accountType);
      await settled(client, await send(wallet, someone()));
      return wallet;
    },
  };
}

/** A staged sandbox for the tests of a file or a group. */
export function inStagedSandbox(): StagedSandbox {
  return setUp(startStagedSandbox);
}

/** An address that nothing else in the tests uses. */
export function someone(ending = ''): string {
  const digits = `${randomUUID()}${randomUUID()}`.replaceAll('-', '').slice(0, 40);
  return `0x${digits.slice(0, 40 - ending.length)}${ending}`;
}
