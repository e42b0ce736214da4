import { answerWithin } from '../watch/askWorkers';
import type { AccountWatch } from '../watch/watching';

/** A form waits no longer for names. */
const patienceMs = 300;

/**
 * The names of wallets by their ids and addresses, as a worker tells them. None where no worker
 * does in time: a form goes without them.
 */
export async function walletNames({
  wallets,
}: Pick<AccountWatch, 'wallets'>): Promise<ReadonlyMap<string, string>> {
  try {
    const told = await answerWithin(patienceMs, wallets(), 'Late.');
    const named = told.wallets.filter(({ name }) => name !== '');
    return new Map(
      named.flatMap(({ id, address, name }) => {
        return [id, address].map((of) => [of.toLowerCase(), name] as const);
      }),
    );
  } catch {
    return new Map();
  }
}
