import { isAddress } from 'viem';
import { balancesIn, tellBalances, twinsOf } from '../../client/account/balances';
import { readCustodyConfig } from '../../config';
import { RefusedError } from '../../custody/errors';
import { balancesOf } from '../../custody/list';
import { explorerPage } from '../../custody/networks/explorerPage';
import type { Wallet } from '../../custody/objects/wallet';
import { BadOrderError } from '../../orders/input/read';
import { shown } from '../../orders/input/shown';
import { counted } from '../../orders/progress/doing';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import type { Flags } from '../flags';
import { reachService, serviceFault } from '../reachService';
import { pc } from '../show/colors';
import { inColumns } from '../show/columns';
import { visible } from '../show/visible';
import type { Terminal } from '../show/voice';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Shows the address, the type and the balances of a wallet, by its id or its address. */
export async function showWallet(named: string, call: Call): Promise<ExitCode> {
  const found = await findWallet('id', named, call);
  const { id, address, accountType = 'unknown', blockchain, state, name } = found;
  const { api, host, baseUrl } = reachService(call.terminal);
  const explorer = explorerPage({ blockchain, service: baseUrl }, `address/${address}`);
  const tokenBalances = await balancesOf(async (page, how) => {
    return (await api.listBalances({ id, includeAll: true, ...page }, how)).tokenBalances;
  }).catch((error) => {
    throw faultOf(error, { id, host });
  });
  const balances = balancesIn(tokenBalances);
  const rows = inColumns(tellBalances(balances, twinsOf(tokenBalances, blockchain)));
  const own = name === undefined ? {} : { name };
  const told = { id, ...own, address, accountType, blockchain, state, balances };
  call.voice.answer(explorer === undefined ? told : { ...told, explorer }, [
    `${pc.bold(id)} ${pc.dim('·')} ${accountType} ${pc.dim('·')} ${blockchain}`,
    ...(name ? [`  name     ${visible(name)}`] : []),
    `  address  ${address}`,
    ...(explorer === undefined ? [] : [`  explorer ${explorer}`]),
    ...(state === 'LIVE' ? [] : [`  state    ${state}`]),
    ...(rows.length === 0 ? ['  It holds nothing.'] : rows.map((row) => `  ${row.join('  ')}`)),
  ]);
  return exitCodes.done;
}

/** The wallet of an id or an address, on the chain that the environment names. */
async function findWallet(field: string, named: string, { terminal }: Pick<Call, 'terminal'>) {
  if (!uuid.test(named) && !isAddress(named, { strict: false })) {
    throw new InputError(
      `${field}: ${shown(named)} is not the id of a wallet, and not an address. ` +
        'All wallets are listed by: npx --no-install steadfast wallets',
    );
  }
  const { api, host } = reachService(terminal);
  const { blockchain } = readCustodyConfig(terminal.env, { signs: false });
  const read = async (): Promise<Wallet | undefined> => {
    if (uuid.test(named)) return (await api.getWallet({ id: named })).wallet;
    const { wallets } = await api.listWallets({ address: named, blockchain });
    return wallets.find(({ address }) => address.toLowerCase() === named.toLowerCase());
  };
  const found = await read().catch((error) => {
    throw faultOf(error, { id: named, host });
  });
  if (found === undefined) throw missing(named, host);
  return found;
}

/** The address of a wallet that a flag names by its id or its address. Only an id is looked up. */
export async function walletAddressOf(
  named: Flags[string],
  call: Pick<Call, 'terminal'>,
): Promise<string | undefined> {
  if (named === undefined) return undefined;
  const text = String(named);
  if (isAddress(text, { strict: false })) return text;
  return (await findWallet('--wallet', text, call)).address;
}

/**
 * The wallets of a payout, as the service tells them. Empty if it is away. Throws a BadOrderError
 * for a wallet that the service does not have.
 */
export function payersOf(ids: readonly string[], terminal: Terminal): Promise<Wallet[]> {
  return walletsOf(ids, terminal).catch((error: unknown) => {
    if (error instanceof BadOrderError) throw error;
    return [];
  });
}

/** The wallets of a payout in words: "2 SCA wallets". Omits types that nobody tells. */
export function tellPayers(ids: readonly string[], wallets: readonly Wallet[]): string {
  const types = wallets.flatMap(({ accountType }) => accountType ?? []);
  if (types.length === 0) return counted(ids.length, 'wallet');
  const ofType = (type: string): number => types.filter((one) => one === type).length;
  return [...new Set(types)].map((type) => counted(ofType(type), `${type} wallet`)).join(' and ');
}

async function walletsOf(ids: readonly string[], terminal: Terminal): Promise<Wallet[]> {
  const { api, host } = reachService(terminal);
  const read = async (id: string, at: number) => {
    try {
      return await api.getWallet({ id });
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new BadOrderError(`wallets.${at}: ${host} has no wallet ${shown(id)}.`);
    }
  };
  const found = await Promise.all(ids.map(read));
  return found.map(({ wallet }) => wallet);
}

function faultOf(error: unknown, { id, host }: { id: string; host: string }): unknown {
  return isMissing(error) ? missing(id, host) : serviceFault(error, host);
}

function missing(id: string, host: string): InputError {
  return new InputError(`id: ${host} has no wallet ${shown(id)}. Check CUSTODY_BASE_URL too.`);
}

function isMissing(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 404;
}
