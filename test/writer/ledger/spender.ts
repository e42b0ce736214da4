import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError, type Reservation, type Reserved } from '../../../src/writer/ledger/ledger';
import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import { lifetimeMs, transferOf, usdc } from './reservations';

const pauseMs = 50;

/**
 * A writer process: says that it is ready and waits until a file is there. Then it tries to pay
 * 1 USDC so many times, and prints a line each time that it may.
 */
async function spend(place: string, times: number, signalFile: string): Promise<void> {
  const ledger = await ledgerAt(place, { keyLifetimeMs: lifetimeMs });
  process.stdout.write('ready\n');
  while (!existsSync(signalFile)) await sleep(1);
  /** Asks the same again while the ledger is away, as Temporal does. */
  const surely = async (asked: Reservation): Promise<Reserved> => {
    for (;;) {
      try {
        return await ledger.reserve(asked);
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error;
        await sleep(pauseMs);
      }
    }
  };
  for (let turn = 0; turn < times; turn += 1) {
    const { kind } = await surely(transferOf(usdc));
    if (kind === 'reserved' || kind === 'repeated') process.stdout.write('paid\n');
  }
  await ledger.close();
}

const [, , place = '', times = '0', signalFile = ''] = process.argv;
void spend(place, Number(times), signalFile);
