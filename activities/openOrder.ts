import { ApplicationFailure, Context } from '@temporalio/activity';
import { type Blockchain, blockchains } from '../src/custody/blockchain';
import type { CustodyApi } from '../src/custody/endpoints';
import { attempted, type OrderKind, orderSchemas, type ReadOrder } from '../src/orders/kinds';
import { fingerprintOf, moneyOf } from '../src/orders/money';
import { BadOrderError, readOrder } from '../src/orders/read';
import type { FailureFacts, FailureType } from './attempt';
import { type EarlierRuns, type Memory, mayHaveSentBefore, readEarlierRuns } from './earlierRuns';
import { type FirstLook, lookFirst } from './firstLook';
import {
  checkMint,
  type ResolvedToken,
  type ResolvedWallet,
  resolveToken,
  resolveWallet,
} from './resolve';

export type OrderSettings = {
  baseUrl: string;
  blockchain: string;
  /** False where the namespace lacks our search attributes: workflows then run without. */
  searchAttributes: boolean;
  keyLifetimeMs: number;
  /** How long a write that may have been taken is looked for before somebody is asked. */
  lookupGraceMs: number;
  /** Where receipts are read; without it the service's word is taken. */
  chainRpcUrl: string | undefined;
};

/** An order that may be carried out: read, resolved, and held against its earlier runs. */
export type OpenedOrder<Kind extends OrderKind> = {
  order: ReadOrder<Kind>;
  blockchain: string;
  /** Addresses that are one money with the native coin. */
  nativeTwins: readonly string[];
  searchAttributes: boolean;
  keyLifetimeMs: number;
  lookupGraceMs: number;
  /** Whether the service's final word is held against the chain. */
  checksReceipts: boolean;
  /** The sending, deploying or funded wallet, where the order names one. */
  wallet?: ResolvedWallet;
  /** The wallet that the money comes from, where the order funds from a treasury. */
  treasury?: ResolvedWallet;
  token?: ResolvedToken;
  /** Kept in the memo, and compared by any later run of the same id. */
  memory: Memory;
  /** Set when an earlier run of this id has completed: this is its result, and nothing moves. */
  completed?: unknown;
  /** What earlier runs of this id have done, as far as they say. */
  earlier: Omit<EarlierRuns, 'completed'>;
  /** What the service's list shows of the first write: every run of an order looks before it sends. */
  firstLook?: FirstLook;
};

/** Well within the time after which Temporal gives a silent guard to another worker. */
const heartbeatMs = 4_000;

/** Any order, as an unknown starter wrote it. */
export type Opening = { kind: OrderKind; order: unknown };

/**
 * The guard of every workflow: validates and normalises the order, resolves what it names, and
 * holds it against earlier runs of the same workflow id. What it answers is in the history, so all
 * that follows is deterministic. A wrong order fails at once, with the field named.
 */
export function openOrderActivity(custody: CustodyApi, settings: OrderSettings) {
  return async function openOrder(opening: Opening): Promise<OpenedOrder<OrderKind>> {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), heartbeatMs);
    try {
      return await open(custody, settings, opening);
    } catch (error) {
      if (error instanceof BadOrderError) throw refused(error.message, settings);
      throw withSearchAttributes(error, settings);
    } finally {
      clearInterval(beat);
    }
  };
}

async function open(
  custody: CustodyApi,
  settings: OrderSettings,
  opening: Opening,
): Promise<OpenedOrder<OrderKind>> {
  const { kind } = opening;
  const order = readOrder(orderSchemas[kind], opening.order);
  const chain = chainOf(settings);
  refuseGenerations(kind, order);
  const from = { custody, blockchain: settings.blockchain };
  const named = await resolveNamed(from, order).catch(async (error: unknown) => {
    // That the order cannot be resolved now says nothing of what an earlier run has sent.
    if (!(error instanceof BadOrderError) || !(await mayHaveSentBefore())) throw error;
    throw ApplicationFailure.create({
      message: `${error.message} An earlier run of this id may have sent, so it is not refused.`,
      type: 'NeedsOperator' satisfies FailureType,
      nonRetryable: true,
      details: [{ ambiguous: true } satisfies FailureFacts],
    });
  });
  const money = moneyOf({ kind, order, ...named });
  const memory: Memory = {
    fingerprint: fingerprintOf(money),
    money,
    baseUrl: settings.baseUrl,
    blockchain: settings.blockchain,
    generations: order.generations,
  };
  const { completed, ...earlier } = await readEarlierRuns(memory);
  const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
  const { blockchain } = settings;
  const firstLook =
    completed === undefined
      ? await lookFirst(custody, { workflowId, kind, order, blockchain, ...named })
      : undefined;
  return {
    order,
    blockchain: settings.blockchain,
    nativeTwins: chain.nativeTwins,
    searchAttributes: settings.searchAttributes,
    keyLifetimeMs: settings.keyLifetimeMs,
    lookupGraceMs: settings.lookupGraceMs,
    checksReceipts: settings.chainRpcUrl !== undefined,
    ...named,
    memory,
    earlier,
    ...(completed === undefined ? {} : { completed }),
    ...(firstLook === undefined ? {} : { firstLook }),
  };
}

type Sending = { wallet?: ResolvedWallet | undefined; token?: ResolvedToken | undefined };

/** Money that is sent there is lost, or was meant for somewhere else. */
function refuseDestination(to: string, { wallet, token }: Sending): void {
  const isSame = (address = ''): boolean => address.toLowerCase() === to.toLowerCase();
  const what = isSame(wallet?.address)
    ? 'sending wallet itself'
    : isSame(token?.address)
      ? "token's own contract"
      : undefined;
  if (what === undefined) return;
  throw new BadOrderError(`to: ${to} is the ${what}. Give the recipient's address.`);
}

/** Who administers a contract of ours is the only one who may mint, and the wallet is to. */
function refuseForeignMint(order: ReadOrder<OrderKind>, wallet: ResolvedWallet | undefined): void {
  if (!('mint' in order) || order.mint === undefined) return;
  const admin = 'defaultAdmin' in order.parameters ? order.parameters.defaultAdmin : undefined;
  if (admin === undefined || admin === wallet?.address) return;
  throw new BadOrderError(
    `mint: the wallet that deploys may not mint what ${admin} administers ` +
      '(parameters.defaultAdmin). Leave out one of the two.',
  );
}

/** What the order names and only the service or the chain can tell. */
async function resolveNamed(
  from: { custody: CustodyApi; blockchain: string },
  order: ReadOrder<OrderKind>,
): Promise<{ wallet?: ResolvedWallet; treasury?: ResolvedWallet; token?: ResolvedToken }> {
  const wallet =
    'from' in order
      ? await resolveWallet(from, 'from', order.from)
      : 'wallet' in order
        ? await resolveWallet(from, 'wallet', order.wallet)
        : 'walletId' in order
          ? await resolveWallet(from, 'walletId', { walletId: order.walletId })
          : undefined;
  const treasury =
    'source' in order && typeof order.source === 'object'
      ? await resolveWallet(from, 'source', order.source)
      : undefined;
  if (treasury !== undefined && treasury.address === wallet?.address) {
    throw new BadOrderError(`source: ${treasury.walletId} is the wallet itself. Name another one.`);
  }
  refuseForeignMint(order, wallet);
  const token = 'token' in order ? await resolveToken(from, order) : undefined;
  // A wallet may well mint to itself; only a transfer to its own sender is a mistake.
  if ('to' in order && 'from' in order) refuseDestination(order.to, { wallet, token });
  if ('to' in order && 'contractAddress' in order) await checkMint(from, order);
  return {
    ...(wallet === undefined ? {} : { wallet }),
    ...(treasury === undefined ? {} : { treasury }),
    ...(token === undefined ? {} : { token }),
  };
}

function chainOf(settings: OrderSettings): Blockchain {
  const chain = blockchains[settings.blockchain];
  if (chain !== undefined) return chain;
  const known = Object.keys(blockchains).join(', ');
  throw new BadOrderError(
    `CUSTODY_BLOCKCHAIN: "${settings.blockchain}" is not known. Known: ${known}.`,
  );
}

/** Only what is a transaction can end without effect, and be attempted anew. */
function refuseGenerations(kind: OrderKind, { generations }: ReadOrder<OrderKind>): void {
  const known = attempted[kind];
  const wrong = Object.keys(generations).find((path) => !known.includes(path));
  if (wrong === undefined) return;
  const which = known.length === 0 ? 'has none' : `has ${known.join(', ')}`;
  throw new BadOrderError(
    `generations.${wrong}: is no transaction of this order, which ${which}. Leave it out.`,
  );
}

/** Where the guard stands still, it says how that can be shown, since nothing else has yet. */
function withSearchAttributes(error: unknown, { searchAttributes }: OrderSettings): unknown {
  const facts = error instanceof ApplicationFailure ? error.details?.[0] : undefined;
  if (typeof facts === 'object' && facts !== null) Object.assign(facts, { searchAttributes });
  return error;
}

function refused(message: string, settings: OrderSettings): ApplicationFailure {
  const { searchAttributes } = settings;
  return ApplicationFailure.create({
    message,
    type: 'Refused' satisfies FailureType,
    nonRetryable: true,
    details: [{ ambiguous: false, searchAttributes } satisfies FailureFacts],
  });
}
