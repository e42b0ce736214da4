import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { openLedger } from '../../src/writer/ledger/openLedger';
import type { Mortal } from '../kill/mortal';
import type { MortalStack } from '../kill/processes';
import { temporalBackup } from '../kill/temporalBackup';
import type { Doorway } from './proxies/doorway';
import type { ProcessName } from './proxies/gate';

/** The addresses of the proxies, by who or what uses them. */
export type Doors = Record<'service' | 'worker' | 'caller' | 'receiver' | 'notices', Doorway>;

type Parts = {
  doors: Doors;
  /** Unset: nobody hears of notices. */
  receiver: Mortal | undefined;
  /** The folder of the stack's state. */
  folder: string;
  /** The variables of the worker, read at each of its starts. */
  workerEnv: Record<string, string>;
};

/** Kills and starts of a stack's processes, and changes while they are away. */
export type Mortality = {
  /** Takes a backup of Temporal's database. All of Temporal is away meanwhile. */
  backUpTemporal(): Promise<void>;
  /** Restores it. Temporal and the worker are away meanwhile. */
  restoreTemporal(): Promise<void>;
  /** Has the worker's clock be off by so much. Replaces the worker unless it is so already. */
  shiftClock(ms: number): Promise<void>;
  /** Has the worker keep to a policy, or to none. Replaces the worker unless it is so already. */
  limit(policy: object | undefined): Promise<void>;
  /** Kills these processes at once, with SIGKILL. Calls that are held then are lost or continue. */
  kill(names: readonly ProcessName[]): Promise<void>;
  /** Starts the killed processes again. Resolves once they serve. */
  revive(names: readonly ProcessName[]): Promise<void>;
};

const startsMax = 5;
const clockVariable = 'PROOF_CLOCK_SHIFT_MS';

/** A dead process leaves its address shut, so that callers are refused and not merely cut off. */
export function mortality(stack: MortalStack, parts: Parts): Mortality {
  const { doors, receiver, folder, workerEnv } = parts;
  const doorsOf: Record<ProcessName, Doorway[]> = {
    worker: [],
    chain: [],
    sandbox: [doors.service],
    temporal: [doors.worker, doors.caller, doors.receiver],
    receiver: [doors.notices],
  };
  const kill = async (names: readonly ProcessName[]): Promise<void> => {
    const { worker, sandbox, chain, temporal } = stack;
    const processes = { worker, sandbox, chain, temporal, receiver };
    await Promise.all(names.map((name) => processes[name]?.kill()));
    await Promise.all(names.flatMap((name) => doorsOf[name]).map((door) => door.shut()));
  };
  const revive = async (names: readonly ProcessName[]): Promise<void> => {
    const doors = names.flatMap((name) => doorsOf[name]);
    for (let tries = 1; ; tries++) {
      try {
        // A supervisor starts whatever is not there, killed or not, and tries again.
        await Promise.all([stack.sandbox.start(), stack.temporal.start()]);
        await Promise.all(doors.map((door) => door.open()));
        await Promise.all([stack.chain.ready(), stack.worker.start(), receiver?.start()]);
        return;
      } catch (error) {
        if (tries === startsMax) throw error;
        await sleep(1_000);
      }
    }
  };
  const backup = temporalBackup(folder);
  // A kill of the sweep must not start a server whose files are being copied.
  const inTurn = pLimit(1);
  const without = (names: readonly ProcessName[], work: () => void): Promise<void> =>
    inTurn(async () => {
      await kill(names);
      work();
      await revive(names);
    });
  return {
    kill: (names) => inTurn(() => kill(names)),
    revive: (names) => inTurn(() => revive(names)),
    backUpTemporal: () => without(['temporal'], backup.take),
    restoreTemporal: () => without(['temporal', 'worker'], backup.restore),
    limit: async (policy) => {
      if (policy === undefined && workerEnv.STEADFAST_POLICY_FILE === undefined) return;
      const place = join(folder, 'ledger.db');
      await without(['worker'], () => {
        delete workerEnv.STEADFAST_POLICY_FILE;
        delete workerEnv.STEADFAST_LEDGER;
        delete workerEnv.STEADFAST_LEDGER_REPLACES;
        if (policy === undefined) {
          // The ledger of the flows before still has the account.
          const ledger = openLedger(place);
          workerEnv.STEADFAST_LEDGER_REPLACES = ledger.id;
          void ledger.close();
          return;
        }
        const file = join(folder, 'policy.json');
        writeFileSync(file, JSON.stringify(policy));
        workerEnv.STEADFAST_POLICY_FILE = file;
        workerEnv.STEADFAST_LEDGER = `file:${place}`;
      });
    },
    shiftClock: async (ms) => {
      if (ms === Number(workerEnv[clockVariable] ?? 0)) return;
      await without(['worker'], () => {
        workerEnv[clockVariable] = String(ms);
      });
    },
  };
}
