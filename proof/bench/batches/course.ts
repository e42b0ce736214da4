import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createCustodyClient } from '../../../src/custody/client';
import { createWallets } from '../../../test/support/sandbox';
import { type MortalStack, startMortalStack } from '../../kill/processes';
import { workflowBundle } from '../payouts/steadfast';

/** The whole stack with its real chain, at the limits of the hosted service. */
export type Course = { stack: MortalStack; client: Client; payers: readonly Payer[] };

export type Payer = { id: string; address: string; accountType: string };
export type AccountType = 'EOA' | 'SCA';

const settleMs = 1_000;
/**
 * Lines of one wallet share batches, so few wallets pay the most with one write. Smart accounts
 * send one transaction after the other, so more of them pay.
 */
const payersOf: Record<AccountType, number> = { EOA: 2, SCA: 20 };
/** The faucet's drips for each wallet. They pay for 10,000 lines and their gas. */
const drips = 5;

/** Starts the stack, pays the wallets, acts, and ends all of it. */
export async function onCourse<Found>(
  type: AccountType,
  act: (course: Course) => Promise<Found>,
): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-bench-'));
  const stack = await startMortalStack({
    folder,
    sandboxEnv: { SANDBOX_SETTLE_MS: String(settleMs) },
    workerEnv: { STEADFAST_WORKFLOW_BUNDLE: await workflowBundle() },
  });
  const connection = await Connection.connect({ address: stack.temporalAddress });
  try {
    const payers = await fundedPayers(stack, type);
    return await act({ stack, client: new Client({ connection }), payers });
  } finally {
    await connection.close();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fundedPayers(stack: MortalStack, accountType: AccountType): Promise<Payer[]> {
  const custody = createCustodyClient(stack);
  const count = payersOf[accountType];
  const wallets = await createWallets(custody, { accountType, count });
  for (const { address } of wallets) {
    for (let drip = 0; drip < drips; drip += 1) {
      await custody.requestDrip({ address, blockchain: 'ARC-TESTNET', usdc: true });
    }
  }
  return wallets.map(({ id, address }) => ({ id, address, accountType }));
}
