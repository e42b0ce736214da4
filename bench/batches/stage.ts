import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { type MortalStack, startMortalStack } from '../../proof/kill/processes';
import { createCustodyClient } from '../../src/custody/client';
import type { Payer } from '../payouts/startService';
import { workflowBundle } from '../payouts/steadfast';
import { type AccountType, fundedPayers, settleMs } from './arena';

/** The whole stack with its real chain, at the limits of the hosted service. */
export type Stage = { stack: MortalStack; client: Client; payers: readonly Payer[] };

/** Starts the stack, pays the wallets, acts, and ends all of it. */
export async function onStage<Found>(
  wallets: { accountType: AccountType; count: number },
  act: (stage: Stage) => Promise<Found>,
): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-bench-'));
  const stack = await startMortalStack({
    folder,
    sandboxEnv: { SANDBOX_SETTLE_MS: String(settleMs) },
    workerEnv: { STEADFAST_WORKFLOW_BUNDLE: await workflowBundle() },
  });
  const connection = await Connection.connect({ address: stack.temporalAddress });
  try {
    const payers = await fundedPayers(createCustodyClient(stack), wallets);
    return await act({ stack, client: new Client({ connection }), payers });
  } finally {
    await connection.close();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
