import { balanceName } from '../chain/balances';
import type { ChainNode } from '../chain/node';
import { type MovementWalk, walkByStates, walkEveryBlock } from '../chain/walk';
import type { Movement } from '../movement';
import type { WalletIds } from '../records/accountWallets';
import type { Lister } from '../records/readRecords';
import type { ReconcileScope } from './classify';
import { toldOf } from './differences';
import type { Expecting } from './expected';
import type { ReconcileRow } from './finding';
import { findingRecords } from './recordOf';
import { asMoved } from './source';
import type { Tables } from './tables';
import type { createTotals } from './totals';

type Reading = {
  tables: Tables;
  list: Lister;
  node: ChainNode;
  blockchain: string;
  wallets: WalletIds;
  /** The contracts whose logs are read. Undefined: all contracts. */
  contracts?: readonly string[] | undefined;
  /** False where items that come in by ERC-1155 are not looked for. */
  arrivals: boolean;
  scope: ReconcileScope;
  expectedOf: Expecting;
  totals: ReturnType<typeof createTotals>;
  onProgress?: ((what: string, done: number, all: number) => void) | undefined;
};

/** Reads the chain into the tables. Yields what comes in, and what is no movement at all. */
export async function* chainRows(reading: Reading): AsyncGenerator<ReconcileRow> {
  const { tables, node, wallets, scope, contracts, arrivals, totals, onProgress } = reading;
  const watched = new Set(wallets.keys());
  const recordOf = findingRecords(reading);
  const { opening, closing: to } = scope.span;
  const from = scope.earlier ?? opening;
  const onBlock = (block: number) => onProgress?.('blocks', block - from, to - from);
  const walk: MovementWalk = { node, monies: scope.monies, watched, contracts, arrivals, onBlock };
  const hasStates = await node.keepsStateOf(from);
  const windows = hasStates ? walkByStates(walk, { from, to }) : walkEveryBlock(walk, { from, to });
  const isFalse = hasStates ? falseLogs(node) : async () => false;
  for await (const { movements } of windows) {
    const came = cameIn(movements);
    const gone: Parameters<Tables['keepMovements']>[0][number][] = [];
    for (const movement of movements) {
      const { block, change, money, counterparty = '' } = movement;
      const moved = asMoved(movement);
      const isNow = block > opening;
      if (isNow) totals.add(movement);
      if (change > 0n) {
        const own = money.isListed ? 'inbound' : 'unlisted inbound';
        // The other side of a payment between two wallets is the payment itself.
        if (isNow && !watched.has(counterparty)) yield { ...toldOf(moved), class: own };
        continue;
      }
      const record = await recordOf(movement);
      if (record === undefined && (await isFalse(movement, came))) {
        if (isNow) yield { ...toldOf(moved), class: 'false log', why: hadNone };
      } else gone.push({ id: record?.id ?? '', moved });
    }
    tables.keepMovements(gone);
  }
}

const hadNone =
  'A contract logs that it has left the wallet, and told the block before that the wallet had less.';

/**
 * Finds logs of unlisted tokens that tell of more than the wallet had. Any contract may log
 * anything. Such logs are sent to wallets so that somebody copies a wrong address from their lists.
 */
function falseLogs(node: ChainNode) {
  return async (movement: Movement, came: ReadonlyMap<string, bigint>): Promise<boolean> => {
    const { money, wallet, kind, change, block } = movement;
    if (money.isListed || kind !== 'transfer') return false;
    const had = await node.balance(money, wallet, block - 1);
    return had !== undefined && had + (came.get(placeOf(movement)) ?? 0n) < -change;
  };
}

/** Sums of all that came in, by block, wallet and money. */
function cameIn(movements: readonly Movement[]): Map<string, bigint> {
  const came = new Map<string, bigint>();
  for (const one of movements) {
    const place = placeOf(one);
    if (one.change > 0n) came.set(place, (came.get(place) ?? 0n) + one.change);
  }
  return came;
}

function placeOf(movement: Movement): string {
  return `${movement.block} ${balanceName(movement)}`;
}
