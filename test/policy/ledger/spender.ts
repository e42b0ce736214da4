import { LedgerError } from '../../../src/policy/ledger/ledger';
import { openLedger } from '../../../src/policy/ledger/openLedger';
import { lifetimeMs, transferOf, usdc } from './reservations';

/** A writer process: tries to pay 1 USDC so many times, and prints how often it may. */
async function spend(path: string, times: number): Promise<void> {
  const ledger = openLedger(path, { keyLifetimeMs: lifetimeMs });
  let reserved = 0;
  for (let turn = 0; turn < times; turn += 1) {
    // A ledger that is locked for long is asked again, as Temporal does.
    const { kind } = await ledger.reserve(transferOf(usdc)).catch(unlessLocked);
    if (kind === 'reserved') reserved += 1;
  }
  ledger.close();
  process.stdout.write(`${reserved}`);
}

function unlessLocked(error: unknown): { kind: 'locked' } {
  if (error instanceof LedgerError) return { kind: 'locked' };
  throw error;
}

const [, , path = '', times = '0'] = process.argv;
void spend(path, Number(times));
