import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createSteadfast } from '../../src/client/client';
import { createCustodyClient } from '../../src/custody/client';
import { buildWorkflows } from '../../src/worker/worker';
import { startLyingService } from '../../test/support/service/lyingService';
import { type MortalStack, quietPorts, startMortalStack } from '../kill/processes';
import { judgeBooks, openBooks, readCoins, type Verdict } from './books';
import { gather } from './cast';
import { readChain } from './chain';
import { judgeOrders } from './judge';
import type { Running } from './load';
import { inspected, inspectorIn, judgeMemory } from './memory';
import { judgePlanted } from './planted';
import { type Played, play, type Scene, type SoakOptions } from './play';
import { judgeReconciled } from './reconciled';
import { readRecords } from './records';

export type Report = Played &
  Verdict & {
    /** The folder of the processes' output, kept when something was found. */
    folder: string | undefined;
  };

/**
 * Runs orders under kills and faults for that long, heals everything, waits until every order has
 * ended, and compares everything with the chain.
 */
export async function soak(options: SoakOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-soak-'));
  const log = createWriteStream(join(folder, 'processes.log'));
  const bundle = join(folder, 'workflows.js');
  writeFileSync(bundle, (await buildWorkflows()).code);
  const ended: string[] = [];
  const inspectors = new Map<string, string>();
  const ports = await quietPorts();
  const lying = await startLyingService();
  lying.forwardTo(`http://127.0.0.1:${ports.sandbox}`);
  const store = `file:${join(folder, 'store.db')}`;
  const workerEnv: Record<string, string> = {
    NODE_OPTIONS: `${inspected.NODE_OPTIONS} --require ${require.resolve('../kill/shiftClock.js')}`,
    CUSTODY_BASE_URL: lying.baseUrl,
    CUSTODY_LOOKUP_GRACE_SECONDS: '20',
    STEADFAST_WORKFLOW_BUNDLE: bundle,
    STEADFAST_STORE: store,
  };
  const stack = await startMortalStack({
    folder,
    ports,
    sandboxEnv: { ...inspected, SANDBOX_SETTLE_MS: '1000', SANDBOX_RATE_LIMIT: 'off' },
    workerEnv,
    onLine: (name, line) => {
      log.write(`${new Date().toISOString()} ${name} ${line}\n`);
      const inspector = inspectorIn(line);
      if (inspector !== undefined) inspectors.set(name, inspector);
    },
    onEnd: (name, lines) => ended.push(`${name} ended by itself: ${lines.slice(-3).join(' | ')}`),
  });
  const connection = await Connection.connect({ address: stack.temporalAddress });
  let isClean = false;
  try {
    const client = new Client({ connection });
    const set = await setScene(stack, { ...options, client });
    const scene = { ...set, lying, inspectors, folder, store, workerEnv };
    const played = await play(scene, options);
    options.tell(`healed after ${Math.round(played.healMs / 1_000)} s: now the chain is read`);
    const judged = await judge(scene, played);
    options.tell('the books agree with the chain: now somebody tampers with them');
    const planted = await judgePlanted(scene);
    const agreements = [...judged.agreements, ...planted.agreements];
    const all = [...judged.findings, ...planted.findings, ...ended];
    isClean = all.length === 0;
    return { ...played, agreements, findings: all, folder: isClean ? undefined : folder };
  } finally {
    // An order that still waits asks again, which a closed connection answers by ending the process.
    if (isClean) await connection.close();
    await Promise.all([stack.stop(), lying.close()]);
    await new Promise<void>((done) => log.end(done));
    if (isClean) rmSync(folder, { recursive: true });
  }
}

async function setScene(
  stack: MortalStack,
  { client, walletsEach }: SoakOptions & { client: Client },
): Promise<Omit<Scene, 'lying' | 'inspectors' | 'folder' | 'store' | 'workerEnv'>> {
  const custody = createCustodyClient(stack);
  const steadfast = createSteadfast({ client, taskQueue: stack.taskQueue });
  const cast = await gather({ custody, steadfast }, { walletsEach });
  const chain = readChain(stack.rpcUrl, cast);
  const opening = await openBooks(chain, cast);
  await sleep(opening.untilMs - Date.now());
  const second = stack.addWorker();
  await second.start();
  const workers = [stack.worker, second];
  return { stack, workers, client, custody, steadfast, cast, chain, opening };
}

async function judge(scene: Scene, played: Played): Promise<Verdict> {
  const { custody, cast, chain, opening } = scene;
  const { orders } = played;
  const ledger = await chain.ledger(opening.block);
  const coins = await readCoins(chain, orders);
  const records = await readRecords(custody, [...cast.wallets, ...cast.piggies, cast.minter]);
  const verdicts = [
    judgeOrders({ orders, ledger, coins, records }),
    await judgeBooks({ chain, cast, opening, ledger, coins }),
    await judgeReconciled(scene, records),
    judgeMemory(played),
    { agreements: [], findings: [...played.deeds.believed] },
    { agreements: [], findings: await tellOpen(scene, orders) },
  ];
  return {
    agreements: verdicts.flatMap(({ agreements }) => agreements),
    findings: verdicts.flatMap(({ findings }) => findings),
  };
}

/** The orders that have not ended, in their own words. */
async function tellOpen({ steadfast }: Scene, orders: readonly Running[]): Promise<string[]> {
  const open = orders.filter(({ end }) => end === undefined);
  return Promise.all(
    open.map(async ({ order }) => {
      const [id = ''] = order.id.split('/');
      const status = await steadfast.status(id).catch(() => undefined);
      const { status: word, since, waitingFor } = status?.progress ?? {};
      const words = word === undefined ? 'nobody answers' : `${word} since ${since}: ${waitingFor}`;
      return `${order.id} has not ended: ${status?.execution ?? 'Temporal is away'}, ${words}`;
    }),
  );
}
