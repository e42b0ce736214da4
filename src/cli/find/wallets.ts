import { readCustodyConfig } from '../../config';
import { pagesOf } from '../../custody/list';
import type { Call } from '../call';
import { type ExitCode, exitCodes } from '../exit';
import { reachService, serviceFault } from '../reachService';
import { pc } from '../show/colors';
import { inColumns } from '../show/columns';
import { visible } from '../show/visible';
import { balancesIn, tellBalances, twinsOf } from './wallet';

/** Lists all wallets of the account on a chain, with their names and balances, newest first. */
export async function listWallets({ terminal, voice }: Call): Promise<ExitCode> {
  const { api, host } = reachService(terminal);
  const { blockchain } = readCustodyConfig(terminal.env, { signs: false });
  try {
    const names = await setNames(api);
    const found = [];
    const pages = pagesOf(async (page, how) => {
      return (await api.listWalletsWithBalances({ blockchain, ...page }, how)).wallets;
    });
    for await (const page of pages) found.push(...page);
    const told = found.map(({ tokenBalances, ...wallet }) => {
      const { id, address, accountType = 'unknown', state, walletSetId } = wallet;
      const name = [names.get(walletSetId), wallet.name].filter(Boolean).join(' · ');
      const balances = balancesIn(tokenBalances);
      const held = tellBalances(balances, twinsOf(tokenBalances, blockchain)).map((row) =>
        row.join(' '),
      );
      return { one: { id, name, address, accountType, state, balances }, held };
    });
    voice.answer(
      told.map(({ one }) => one),
      tellWallets(told),
    );
    return exitCodes.done;
  } catch (error) {
    throw serviceFault(error, host);
  }
}

type Told = {
  one: { id: string; name: string; address: string; accountType: string; state: string };
  held: string[];
};

function tellWallets(told: readonly Told[]): string[] {
  if (told.length === 0)
    return ['No wallets. Make some with: npx --no-install steadfast provision'];
  const header = ['name', 'id', 'address', 'type', 'holds'];
  const rows = told.map(({ one, held }) => {
    const { name, id, address, accountType, state } = one;
    const type = state === 'LIVE' ? accountType : `${accountType}, ${state}`;
    return [visible(name), id, address, type, visible(held.join('; ') || 'nothing')];
  });
  const [first = [], ...others] = inColumns([header, ...rows]);
  return [pc.bold(first.join('  ')), ...others.map((row) => row.join('  ').trimEnd())];
}

/** The names of wallet sets, without the code that a set of ours ends with. */
async function setNames({
  listWalletSets,
}: Pick<ReturnType<typeof reachService>['api'], 'listWalletSets'>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const pages = pagesOf(async (page, how) => (await listWalletSets(page, how)).walletSets);
  for await (const sets of pages) {
    for (const { id, name = '' } of sets) names.set(id, name.replace(/ [0-9a-f]{16}\.g\d+$/, ''));
  }
  return names;
}
