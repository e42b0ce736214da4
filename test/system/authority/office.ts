import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createSteadfast, type Signer, type Steadfast } from '../../../src/client/client';
import type { Wallet } from '../../../src/custody/objects/wallet';
import type { Child } from '../../../src/local/childProcess';
import { isEnd } from '../../../src/orders/progress/status';
import { runCli } from '../../cli/runCli';
import { payers } from '../../support/payouts';
import { startTestSandbox, type TestSandbox } from '../../support/sandbox';
import { temporalAddress } from '../../support/temporal';
import { testKeys } from '../../writer/signing/keys';
import { startPolicedWorker } from './policedWorker';

/** The rules, their groups, and what people have in the policy beside their SSH keys. */
type Policy = {
  groups: { treasurers: string[] };
  rules: object[];
  passkeys?: Readonly<Record<string, Passkeys>>;
};

/** The lines of passkeys that decide, and of those that sign in. */
export type Passkeys = { keys: readonly string[]; signIn: readonly string[] };

/** A sandbox, two wallets, people with keys, and a worker that a policy limits. */
type Running = {
  sandbox: TestSandbox;
  wallets: Wallet[];
  entity: string;
  worker: Child;
  connection: Connection;
};

/** Keys of a backend and of three people. */
function makeKeys() {
  const makeKey = testKeys();
  return {
    backend: makeKey('backend'),
    ann: makeKey('ann'),
    bo: makeKey('bo'),
    cy: makeKey('cy'),
  };
}

/** The people of a policy, each with an SSH key and the passkeys that a test gives. */
function peopleOf(keys: ReturnType<typeof makeKeys>, passkeys: Readonly<Record<string, Passkeys>>) {
  return Object.fromEntries(
    Object.entries(keys).map(([person, { publicKey }]) => {
      const { keys: more = [], signIn = [] } = passkeys[person] ?? {};
      return [person, { keys: [publicKey, ...more], signIn }];
    }),
  );
}

/** Writes an address book. Returns the variable that names it. */
function bookIn(folder: string, book: string | undefined): Record<string, string> {
  if (book === undefined) return {};
  const path = join(folder, 'payees.csv');
  writeFileSync(path, book);
  return { STEADFAST_ADDRESS_BOOK: path };
}

/**
 * An office whose worker has the policy that `policyOf` makes of its wallets and a change, and an
 * address book with this text.
 */
export function officeOf<Change extends object>(
  name: string,
  policyOf: (wallets: readonly Wallet[], change: Partial<Change>) => Policy,
  { book }: { book?: string } = {},
) {
  const taskQueue = `${name}-${process.pid}-${Date.now()}`;
  const folder = mkdtempSync(join(tmpdir(), `steadfast-${name}-`));
  const keys = makeKeys();
  let running: Running | undefined;
  let version = 0;

  const now = (): Running => {
    if (running === undefined) throw new Error('The office opens before the tests.');
    return running;
  };

  const writePolicy = (wallets: readonly Wallet[], change: Partial<Change>): void => {
    version += 1;
    const { groups, rules, passkeys = {} } = policyOf(wallets, change);
    const people = peopleOf(keys, passkeys);
    const policy = { version, people, groups: { backends: ['backend'], ...groups }, rules };
    writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy));
  };

  const startWriter = (sandbox: TestSandbox): Promise<Child> =>
    startPolicedWorker(sandbox, {
      folder,
      taskQueue,
      CUSTODY_LOOKUP_GRACE_SECONDS: '2',
      CHAIN_RPC_URL: sandbox.rpcUrl,
      ...bookIn(folder, book),
    });

  beforeAll(async () => {
    const sandbox = await startTestSandbox();
    const wallets = await payers(sandbox, 'EOA', 'EOA');
    writePolicy(wallets, {});
    running = {
      sandbox,
      wallets,
      entity: (await sandbox.client.getEntityConfig({})).appId,
      worker: await startWriter(sandbox),
      connection: await Connection.connect({ address: temporalAddress() }),
    };
  });
  afterAll(async () => {
    await running?.worker.stop();
    await running?.connection.close();
    await running?.sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A client that signs what it starts, or one that signs nothing. */
  const steadfastWith = (sign?: Signer): Steadfast => {
    const signing = sign && { sign, entity: now().entity, blockchain: 'ARC-TESTNET' };
    return createSteadfast({ client: new Client(now()), taskQueue, signing });
  };

  const cli = (args: readonly string[], env: Record<string, string> = {}) =>
    runCli([...args], {
      TEMPORAL_ADDRESS: temporalAddress(),
      STEADFAST_TASK_QUEUE: taskQueue,
      ...env,
    });

  /** Asks again while a killed worker answers nothing, or the next one looks for what it has sent. */
  const answered = async (args: readonly string[]) => {
    for (;;) {
      const told = await cli(args);
      if (!/tells nothing now|stands as Preparing/.test(told.stderr)) return told;
      await sleep(500);
    }
  };

  /** Waits until an order waits for people, of whom so many have approved. Its end is a fault. */
  const untilAsked = async (id: string, given = 0): Promise<void> => {
    for (;;) {
      const { progress } = await steadfastWith().status(id);
      const asked = progress?.approvals?.[0]?.given.length;
      if (progress?.status === 'NeedsApproval' && asked === given) return;
      if (progress && isEnd(progress.status)) throw new Error(`${id} is over, and asks nobody.`);
      await sleep(200);
    }
  };

  /**
   * Says that the attempt of a killed worker had no effect. The product verifies that. If the
   * write is in doubt once more, it is given up, and its order ends.
   */
  const decide = async (id: string, found: Set<string>): Promise<void> => {
    const { progress } = await steadfastWith().status(id);
    const { status, target } = progress ?? {};
    if (status !== 'Unknown' || target === undefined) return;
    const finding = found.has(target) ? ('skip' as const) : ('noEffect' as const);
    await steadfastWith().resolve(id, { target, finding, evidence: 'its worker was killed' });
    found.add(target);
  };

  const parts = { taskQueue, keys, folder, steadfastWith, cli, untilAsked };
  return {
    ...parts,
    /** The receipt of an order whose worker was killed, with a person beside it. */
    receiptOf: async <Receipt>(id: string, { receipt }: { receipt(): Promise<Receipt> }) => {
      const found = new Set<string>();
      const looking = setInterval(() => void decide(id, found).catch(() => {}), 1_000);
      return receipt().finally(() => clearInterval(looking));
    },
    entity: () => now().entity,
    sandbox: () => now().sandbox,
    wallets: () => now().wallets,
    client: () => new Client({ connection: now().connection }),
    approve: (id: string, { path }: { path: string }, ...more: string[]) =>
      answered(['approve', id, '--key', path, ...more]),
    /** Signs what an order asks for as a machine without a connection does it. */
    approveOffline: async (id: string, { path }: { path: string }) => {
      const statement = join(folder, `${id.replace(':', '-')}-${Date.now()}.json`);
      writeFileSync(statement, (await answered(['approvals', 'show', id, '--statement'])).stdout);
      const namespace = ['-n', 'steadfast-approval'];
      execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', path, ...namespace, statement]);
      expect(readFileSync(`${statement}.sig`, 'utf8')).toContain('BEGIN SSH SIGNATURE');
      // While lines of a killed worker are sent again, the order asks nobody.
      for (;;) {
        const told = await answered(['approve', id, '--signature', `${statement}.sig`]);
        if (told.code === 0) return;
        if (!told.stderr.includes('asks for no approval')) throw new Error(told.stderr);
        await sleep(500);
      }
    },
    /** Kills the worker. The next one has the policy with this change. */
    restartWith: async (change: Partial<Change>): Promise<void> => {
      const { worker, wallets, sandbox } = now();
      await worker.kill();
      writePolicy(wallets, change);
      now().worker = await startWriter(sandbox);
    },
    /** Kills the worker, and starts the next one once something was done without it. */
    withoutWorker: async <T>(work: () => Promise<T>): Promise<T> => {
      const { worker, sandbox } = now();
      await worker.kill();
      const done = await work();
      now().worker = await startWriter(sandbox);
      return done;
    },
    /** Base units that have left the wallets, by the logs of the chain. */
    paid: async (): Promise<number[]> => {
      const { wallets, sandbox } = now();
      const logs = await Promise.all(
        wallets.map(({ address }) => sandbox.transfers({ from: address })),
      );
      return logs.flat().map(({ value }) => Number(value));
    },
  };
}
