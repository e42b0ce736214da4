import { RefusedError } from '../../custody/errors';
import { balancesOf } from '../../custody/list';
import { shown } from '../../orders/input/shown';
import { counted } from '../../orders/progress/doing';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { reachService, serviceFault } from '../reachService';
import { pc } from './colors';
import { inColumns } from './columns';
import type { Terminal } from './voice';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Shows the address, the type and the balances of a wallet. */
export async function wallet(id: string, { terminal, voice }: Call): Promise<ExitCode> {
  if (!uuid.test(id)) {
    throw new InputError(
      `id: ${shown(id)} is not the id of a wallet. Give its UUID, as provision printed it.`,
    );
  }
  const { api, host } = reachService(terminal);
  const [{ wallet: found }, tokenBalances] = await Promise.all([
    api.getWallet({ id }),
    balancesOf(async (page, how) => {
      return (await api.listBalances({ id, includeAll: true, ...page }, how)).tokenBalances;
    }),
  ]).catch((error) => {
    throw faultOf(error, { id, host });
  });
  const { address, accountType = 'unknown', blockchain, state } = found;
  // The coin has the word that orders use for it: it may have the symbol of a token.
  const balances = tokenBalances.map(({ amount, token: { isNative, decimals, ...token } }) => {
    const symbol = token.symbol ?? token.tokenAddress ?? token.id;
    return { amount, token: isNative ? 'native' : symbol, symbol, decimals };
  });
  const rows = inColumns(
    balances.map(({ amount, token, symbol }) => [
      amount,
      token === symbol ? token : `${token} (${symbol})`,
    ]),
  );
  voice.answer({ id, address, accountType, blockchain, state, balances }, [
    `${pc.bold(id)} ${pc.dim('·')} ${accountType} ${pc.dim('·')} ${blockchain}`,
    `  address  ${address}`,
    ...(state === 'LIVE' ? [] : [`  state    ${state}`]),
    ...(rows.length === 0 ? ['  It holds nothing.'] : rows.map((row) => `  ${row.join('  ')}`)),
  ]);
  return exitCodes.done;
}

/** The wallets of a payout in words: "2 SCA wallets". Omits types if the service is away. */
export async function payersOf(ids: readonly string[], terminal: Terminal): Promise<string> {
  const types = await typesOf(ids, terminal).catch(() => []);
  if (types.length === 0) return counted(ids.length, 'wallet');
  const ofType = (type: string): number => types.filter((one) => one === type).length;
  return [...new Set(types)].map((type) => counted(ofType(type), `${type} wallet`)).join(' and ');
}

async function typesOf(ids: readonly string[], terminal: Terminal): Promise<string[]> {
  const { api } = reachService(terminal);
  const found = await Promise.all(ids.map((id) => api.getWallet({ id })));
  return found.flatMap(({ wallet }) => wallet.accountType ?? []);
}

function faultOf(error: unknown, { id, host }: { id: string; host: string }): Error {
  if (error instanceof RefusedError && error.status === 404) {
    return new InputError(`id: ${host} has no wallet ${shown(id)}. Check CUSTODY_BASE_URL too.`);
  }
  return serviceFault(error, host);
}
