import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnvironment } from '../../../local/bareEnvironment';
import { startChild } from '../../../local/childProcess';
import { steadfast } from '../../../local/spawnSandbox';
import { type StackParts, startStack } from '../../../local/startStack';
import { inviteHere, type OwnInvitation } from '../../console/inviteHere';
import { everyPart, untilBroken } from '../../dev/watchStack';
import { makeRules, type Rules } from './officePolicy';
import {
  askedPayrolls,
  type Desk,
  linesInTutorial,
  openDesk,
  paidPayroll,
  payrollBook,
} from './payroll';

/** An office that pays salaries, with a console for the people who approve them. */
export type Office = {
  /** Resolves with the address of the console, once payrolls wait for people. */
  ready: Promise<string>;
  /** The processes, and the desk that hands in payrolls. */
  inside: Promise<{ parts: StackParts; desk: Desk }>;
  /** Invites a person. Once they have passkeys, the policy has them, and so has the worker. */
  invite(person: string, stopped: Promise<unknown>): Promise<OwnInvitation>;
  /** Rejects when a process ends by itself, except for the worker: invitations restart it. */
  untilBroken(): Promise<never>;
  /** Stops it. Nothing of it is kept. */
  stop(): Promise<void>;
};

type OfficeOptions = {
  /** The preferred port of the console. */
  port: number;
  /** The workflows in one file. Without it they are bundled first. */
  bundle?: string;
  /** Hears what is done. */
  tell?: (step: string) => void;
};

/** Starts an office. Its worker starts several times, so its workflows are bundled once. */
export async function startOffice({ port, tell = () => {}, ...given }: OfficeOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-office-'));
  const bundle = given.bundle ?? (await bundleIn(folder));
  return openOffice({ folder, bundle, port, tell });
}

async function bundleIn(folder: string): Promise<string> {
  const file = join(folder, 'workflows.js');
  const command = [...steadfast('bundle'), file] as const;
  const child = startChild({ command, env: bareEnvironment() });
  if ((await child.exited) === 0) return file;
  throw new Error(`The workflows cannot be bundled:\n${child.lastLines().join('\n')}`);
}

type Opening = Required<OfficeOptions> & { folder: string };

function openOffice({ folder, bundle, port, tell }: Opening): Office {
  const file = join(folder, 'console.db');
  const rules = makeRules(folder);
  const { policyFile } = rules;
  const env = {
    STEADFAST_POLICY_FILE: policyFile,
    STEADFAST_CONSOLE_FILE: file,
    STEADFAST_ADDRESS_BOOK: payrollBook,
  };
  const stack = startStack({
    temporal: { port: 0, headless: true },
    sandboxPort: 0,
    webhooksPort: 0,
    readsChain: true,
    workerEnv: { STEADFAST_WORKFLOW_BUNDLE: bundle },
    console: { port, env },
  });
  const ledger = `file:${join(folder, 'ledger.db')}`;
  const inside = stack.ready.then(async (parts) => {
    return { parts, desk: await openDesk(parts, rules.signKey) };
  });
  const ready = inside.then(async ({ parts, desk }) => {
    await furnish(parts, { desk, rules, tell, worker: { ...env, STEADFAST_LEDGER: ledger } });
    return parts.console?.origin ?? '';
  });
  // A caller that only stops the office need not wait for it.
  ready.catch(() => {});
  let restarted: Promise<void> = Promise.resolve();
  const restart = (parts: StackParts): Promise<void> => {
    restarted = restarted.then(() => parts.restartWorker());
    return restarted;
  };
  return {
    ready,
    inside,
    invite: async (person, stopped) => {
      const own = { policyFile, file, origin: await ready };
      const { link, entered } = await inviteHere(own, person, stopped);
      const known = async (): Promise<string | undefined> => {
        const digits = await entered;
        if (digits !== undefined) await restart(await stack.ready);
        return digits;
      };
      return { link, entered: known() };
    },
    untilBroken: async () => {
      const others = everyPart.filter((part) => part !== 'worker');
      return untilBroken(await stack.ready, others);
    },
    stop: async () => {
      await stack.stop();
      const opened = await inside.catch(() => undefined);
      await opened?.desk.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Furnishing = {
  desk: Desk;
  rules: Rules;
  tell: (step: string) => void;
  worker: Record<string, string>;
};

/** Makes a wallet, brings the policy into force, pays May, and asks about June. */
async function furnish(parts: StackParts, { desk, rules, tell, worker }: Furnishing) {
  tell('Making a wallet with play money');
  rules.allow(await desk.fundedWallet());
  await parts.restartWorker(worker);
  tell('Paying the salaries of May');
  await desk.pay(paidPayroll, linesInTutorial(paidPayroll));
  tell('Asking for those of June');
  for (const name of askedPayrolls) await desk.ask(name, linesInTutorial(name));
}
