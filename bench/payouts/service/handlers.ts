import { randomBytes, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { ApiError, fault } from '../../../sandbox/errors/errors';
import { parseInput } from '../../../sandbox/errors/fieldFaults';
import type { Query } from '../../../sandbox/store/list';
import { type Listed, readPage } from '../../../sandbox/store/page';
import { isoSeconds } from '../../../sandbox/store/records/records';
import { endpoints, type Input } from '../../../src/custody/endpoints';
import {
  type Answered,
  accept,
  batchOf,
  estimateOf,
  gasOf,
  transferGas,
  transferIn,
} from './accept';
import type { AccountType, Ledger, LedgerWallet } from './ledger';
import { isOf, tokenOf, walletOf } from './named';
import { toBalances, toTransaction, toWallet } from './records';
import { blockchain } from './tokens';

/** The endpoints that payouts call. Every other one answers 404. */
export const served = [
  ...([
    'ping',
    'getPublicKey',
    'getEntityConfig',
    'createWalletSet',
    'listWalletSets',
    'createWallets',
    'getWallet',
    'listWallets',
  ] as const),
  ...(['listBalances', 'getToken', 'createTransfer', 'estimateTransfer'] as const),
  ...(['executeContract', 'estimateExecution'] as const),
  ...(['getTransaction', 'listTransactions'] as const),
];
export type Served = (typeof served)[number];

export type Handlers = Record<Served, (given: object) => Answered<object>>;

/** Makes a handler that parses an endpoint's input and has the type of its output. */
function on<In extends z.ZodType, Out extends z.ZodObject>(
  endpoint: { input: In; output: Out },
  handle: (input: z.output<In>) => Answered<z.output<Out>>,
): (given: object) => Answered<object> {
  return (given) => handle(parseInput(endpoint.input, given));
}

export type Rules = { settleMs: number; publicKey: string };

/** The rules of the interface over a ledger in memory, without a chain and without a cipher. */
export function createHandlers(ledger: Ledger, { settleMs, publicKey }: Rules): Handlers {
  const walletSets: WalletSet[] = [];
  return {
    ping: on(endpoints.ping, () => ({ output: { message: 'pong' } })),
    getPublicKey: on(endpoints.getPublicKey, () => ({ output: { publicKey } })),
    getEntityConfig: on(endpoints.getEntityConfig, () => ({ output: { appId: entity } })),
    createWalletSet: on(endpoints.createWalletSet, ({ name }) => {
      const walletSet = newWalletSet(name);
      walletSets.push(walletSet);
      return { output: { walletSet } };
    }),
    listWalletSets: on(endpoints.listWalletSets, (input) => ({
      output: { walletSets: readPage(listedInOrder(walletSets), { input, paged: undefined }) },
    })),
    createWallets: on(
      endpoints.createWallets,
      ({ walletSetId, count = 1, accountType = 'EOA' }) => {
        const wallets = Array.from({ length: count }, () => newWallet(walletSetId, accountType));
        for (const wallet of wallets) ledger.addWallet(wallet);
        return { output: { wallets: wallets.map(toWallet) } };
      },
    ),
    getWallet: on(endpoints.getWallet, ({ id }) => ({
      output: { wallet: toWallet(walletOf(ledger, { walletId: id })) },
    })),
    listWallets: on(endpoints.listWallets, ({ address, ...input }) => {
      const wallets = [...ledger.wallets.values()].filter((wallet) =>
        isOf(wallet, { address, walletSetId: input.walletSetId }),
      );
      const page = readPage(listedInOrder(wallets), { input, paged: undefined });
      return { output: { wallets: page.map(toWallet) } };
    }),
    listBalances: on(endpoints.listBalances, ({ id, tokenAddress }) => {
      const wanted = tokenAddress?.toLowerCase().split(',');
      const tokenBalances = toBalances(ledger, walletOf(ledger, { walletId: id })).filter(
        ({ token }) => wanted === undefined || wanted.includes(token.tokenAddress ?? ''),
      );
      return { output: { tokenBalances } };
    }),
    getToken: on(endpoints.getToken, ({ id }) => ({ output: { token: tokenOf({ tokenId: id }) } })),
    createTransfer: on(endpoints.createTransfer, (input) =>
      accept(ledger, { ...input, settleMs, paid: () => transferIn(input) }),
    ),
    estimateTransfer: on(endpoints.estimateTransfer, (input) => {
      tokenOf(input);
      return { output: estimateOf(transferGas) };
    }),
    executeContract: on(endpoints.executeContract, (input) =>
      accept(ledger, { ...input, settleMs, paid: (wallet) => batchOf(wallet, input) }),
    ),
    estimateExecution: on(endpoints.estimateExecution, (input) => ({
      output: estimateOf(gasOf(input)),
    })),
    getTransaction: on(endpoints.getTransaction, ({ id }) => {
      const transfer = ledger.get(id);
      if (transfer === undefined) throw fault('noTransaction');
      return { output: { transaction: toTransaction(transfer) } };
    }),
    listTransactions: on(endpoints.listTransactions, (input) => {
      const listed = { get: (id: string) => ledger.get(id), list: listBy(ledger, input) };
      const page = readPage(listed, { input, paged: undefined });
      return { output: { transactions: page.map(toTransaction) } };
    }),
  };
}

function listBy(ledger: Ledger, input: Input<'listTransactions'>) {
  const ids = input.walletIds?.split(',').map((id) => id.trim());
  const wanted = {
    walletIds: ids && new Set(ids),
    isSettled: input.state === undefined ? undefined : isSettledState(input.state),
    to: input.destinationAddress?.toLowerCase(),
    isBatch: input.operation === undefined ? undefined : input.operation === 'CONTRACT_EXECUTION',
  };
  const isNone =
    input.txType === 'INBOUND' ||
    input.operation === 'CONTRACT_DEPLOYMENT' ||
    (input.blockchain ?? blockchain) !== blockchain;
  return (query: Query<never>) => (isNone ? [] : ledger.list(query, wanted));
}

/** The stub has only two of the states. */
function isSettledState(state: string): boolean {
  if (state === 'COMPLETE' || state === 'PENDING') return state === 'COMPLETE';
  const message = `The stub has no transaction in state ${state}.`;
  throw new ApiError(message, { status: 400, code: 2 });
}

function listedInOrder<Item extends { id: string }>(items: Item[]): Listed<Item, never> {
  return {
    get: (id) => items.find((item) => item.id === id),
    list: ({ after, limit } = {}) => {
      const newestFirst = items.toReversed();
      const start = newestFirst.findIndex(({ id }) => id === after) + 1;
      return newestFirst.slice(start, start + (limit ?? newestFirst.length));
    },
  };
}

/** The account of the stub. Requests are signed for it. */
const entity = '00000000-0000-4000-8000-000000000000';

type WalletSet = ReturnType<typeof newWalletSet>;

function newWalletSet(name: string | undefined) {
  const date = isoSeconds(Date.now());
  const id = randomUUID();
  return { id, name: name ?? '', custodyType: 'DEVELOPER', createDate: date, updateDate: date };
}

function newWallet(walletSetId: string, accountType: AccountType): LedgerWallet {
  const address = `0x${randomBytes(20).toString('hex')}`;
  return { id: randomUUID(), walletSetId, address, accountType, createdAtMs: Date.now() };
}
