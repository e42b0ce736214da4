import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultPlan } from '../../../sandbox/faults/faultRule';
import { receiverFor } from '../../../src/client/answers/receiver';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { startTemporal } from '../../../src/local/startTemporal';
import { deployToken } from '../chain/deployments';
import { type Orders, runOrders } from '../orders';
import { createFundedWallet, startTestSandbox, usdc } from '../sandbox';
import { startReceiver } from '../service/receiver';
import { startSharedRun, stopSharedRun } from '../sharedRun';

/**
 * The workers of a stage: usual ones, ones that read the chain, ones whose server forgets early,
 * and ones that tell a receiver of ends.
 */
export type WorkerKind = 'usual' | 'chainReading' | 'shortLived' | 'telling';

/** The stage for all roads: one sandbox on a real chain, and workers of every kind. */
export type Stage = {
  custody: CustodyApi;
  orders: Record<WorkerKind, Orders>;
  usdc: string;
  wallet(accountType?: 'SCA' | 'EOA'): Promise<Wallet>;
  /** Deploys a fungible token that the wallet controls, and returns its address. */
  token(wallet: Wallet): Promise<string>;
  /** Sets the faults of all following calls. */
  plan(rules: FaultPlan['rules']): Promise<void>;
  stop(): Promise<void>;
};

/** The keys that seal and sign what the receiver is told. */
const keys = [Buffer.alloc(32, 9)];

/** The service's base URL in recorded histories, independent of its real address. */
const baseUrl = 'http://sandbox/v1/w3s';

/** A limit low enough that an order continues as new while it waits for the chain. */
const shortHistory = { 'limit.historyCount.suggestContinueAsNew': '24' };

/**
 * Starts the sandbox, two Temporal servers and the workers, as part of this process or its
 * children.
 */
export async function startStage(): Promise<Stage> {
  await startSharedRun();
  const [sandbox, short] = await Promise.all([
    startTestSandbox(),
    startTemporal({ port: 0, headless: true, dynamicConfig: shortHistory }),
  ]);
  const listener = await startReceiver();
  const receiver = receiverFor({ url: new URL(listener.endpoint), keys, isPrivate: true });
  const { client: custody, origin } = sandbox;
  const chainRpcUrl = `${origin}/_sandbox/rpc`;
  const orders = {
    usual: await runOrders(custody, { baseUrl }),
    chainReading: await runOrders(custody, { baseUrl, chainRpcUrl }),
    shortLived: await runOrders(custody, { baseUrl, address: short.address }),
    telling: await runOrders(custody, { baseUrl, receiver }),
  };
  return {
    custody,
    orders,
    usdc,
    wallet: (accountType = 'EOA') => createFundedWallet(custody, accountType),
    token: async (wallet) => (await deployToken(custody, wallet)).address,
    plan: async (rules) => {
      const url = `${origin}/_sandbox/faults`;
      const { status } = await sandbox.request('POST', url, { headers: {}, body: { rules } });
      if (status !== 200) throw new Error(`The faults were answered with ${status}.`);
    },
    stop: async () => {
      await Promise.all(Object.values(orders).map((some) => some.stop()));
      await Promise.all([receiver.close(), listener.stop()]);
      await Promise.all([sandbox.stop(), short.stop(), stopSharedRun()]);
      await sleep(0);
    },
  };
}
