import { type NamedWallet, walletsWithNames } from '../../client/account/wallets';
import { readCustodyConfig } from '../../config';
import type { Call } from '../call';
import { type ExitCode, exitCodes } from '../exit';
import { reachService, serviceFault } from '../reachService';
import { pc } from '../show/colors';
import { inColumns } from '../show/columns';
import { visible } from '../show/visible';

/** Lists all wallets of the account on a chain, with their names and balances, newest first. */
export async function listWallets({ terminal, voice }: Call): Promise<ExitCode> {
  const { api, host } = reachService(terminal);
  const { blockchain } = readCustodyConfig(terminal.env, { signs: false });
  try {
    const found = await walletsWithNames(api, blockchain);
    const told = found.map(({ held: _, ...one }) => one);
    voice.answer(told, tellWallets(found));
    return exitCodes.done;
  } catch (error) {
    throw serviceFault(error, host);
  }
}

function tellWallets(found: readonly NamedWallet[]): string[] {
  if (found.length === 0)
    return ['No wallets. Make some with: npx --no-install steadfast provision'];
  const header = ['name', 'id', 'address', 'type', 'holds'];
  const rows = found.map(({ name, id, address, accountType, state, held }) => {
    const type = state === 'LIVE' ? accountType : `${accountType}, ${state}`;
    const holds = held.map((row) => row.join(' ')).join('; ');
    return [visible(name), id, address, type, visible(holds || 'nothing')];
  });
  const [first = [], ...others] = inColumns([header, ...rows]);
  return [pc.bold(first.join('  ')), ...others.map((row) => row.join('  ').trimEnd())];
}
