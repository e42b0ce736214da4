import {
  type Balances,
  balanceName,
  balancesAt,
  type Difference,
  type HeldBalance,
  listedPlaces,
  type MoneyPlace,
  unlistedMax,
} from '../chain/balances';
import {
  type BalanceSource,
  balancesFromStart,
  booked,
  compareAtHead,
  everyBlockMax,
  walkBlocks,
} from '../chain/fromStart';
import type { BlockSpan } from '../chain/period';
import { walkEveryBlock } from '../chain/walk';
import type { Money, Monies } from '../money';
import type { Movement } from '../movement';
import { decimal } from '../statement';

/**
 * One money in a period: amounts that all wallets together held, received and sent. Decimal. A
 * payment between two of the wallets counts on both sides.
 */
export type MoneyTotal = {
  token: string;
  /** Set for a token that is not listed, which has a total for each wallet. */
  wallet?: string;
  /** Missing where the node keeps no balances of that block, and so is `closing`. */
  opening?: string;
  in: string;
  out: string;
  fees: string;
  closing?: string;
  /** Held beyond what opening balance and movements make. Missing where that is nothing. */
  unexplained?: string;
};

/** Balances at both ends of a period. */
type Ends = { opening: Balances; closing: Balances };

/** The sums, and the balances that prove nothing. */
type Told = { balances: MoneyTotal[]; unproven: Difference[]; left: number };

type Flow = MoneyPlace & { in: bigint; out: bigint; fees: bigint };

/** Sums up the movements of all wallets, by wallet and money. */
export function createTotals(monies: Monies, held: readonly MoneyPlace[]) {
  const listed = new Map<string, Flow>();
  const others = new Map<string, Flow>();
  let left = 0;
  const flowOf = ({ wallet, money }: MoneyPlace): Flow => {
    const flows = money.isListed ? listed : others;
    const name = balanceName({ wallet, money });
    const flow = flows.get(name) ?? { wallet, money, in: 0n, out: 0n, fees: 0n };
    flows.set(name, flow);
    return flow;
  };
  for (const place of held) flowOf(place);
  return {
    add: (movement: Movement): void => {
      const { money, change, kind } = movement;
      const isNew = !money.isListed && !others.has(balanceName(movement));
      // A log of a stranger may have any number of items, in both directions.
      if (isNew && others.size >= unlistedMax) {
        left += 1;
        return;
      }
      const flow = flowOf(movement);
      if (kind === 'fee') flow.fees -= change;
      else if (change < 0n) flow.out -= change;
      else flow.in += change;
    },
    /** Unlisted monies that wallets hold or have moved. */
    unlisted: (): MoneyPlace[] => [...others.values()],
    told: (ends: Ends | undefined): Told => {
      const balances = monies.listed.map((money) => {
        const own = [...listed.values()].filter((flow) => flow.money.name === money.name);
        return listedTotal(money, sumOf(own), ends);
      });
      const flows = [...others.values()];
      const unproven = ends === undefined ? [] : flows.flatMap((one) => unprovenIn(one, ends));
      const moved = flows.map((flow) => unlistedTotal(flow, ends));
      return { balances: [...balances, ...moved], unproven, left };
    },
  };
}

function sumOf(flows: readonly Flow[]): Omit<Flow, 'wallet' | 'money'> {
  const sum = { in: 0n, out: 0n, fees: 0n };
  for (const flow of flows) {
    sum.in += flow.in;
    sum.out += flow.out;
    sum.fees += flow.fees;
  }
  return sum;
}

function listedTotal(
  { name, decimals }: Money,
  sum: Omit<Flow, 'wallet' | 'money'>,
  ends: Ends | undefined,
): MoneyTotal {
  const flows = {
    in: decimal(sum.in, decimals),
    out: decimal(sum.out, decimals),
    fees: decimal(sum.fees, decimals),
  };
  if (ends === undefined) return { token: name, ...flows };
  const [opening, closing] = [heldOf(ends.opening, name), heldOf(ends.closing, name)];
  const off = closing - (opening + sum.in - sum.out - sum.fees);
  return {
    token: name,
    opening: decimal(opening, decimals),
    ...flows,
    closing: decimal(closing, decimals),
    ...(off === 0n ? {} : { unexplained: decimal(off, decimals) }),
  };
}

function heldOf(balances: Balances, name: string): bigint {
  let held = 0n;
  for (const { money, units = 0n } of balances.values()) if (money.name === name) held += units;
  return held;
}

/** An unlisted money of one wallet. Only a loss of what it had is a difference. */
function unlistedTotal(flow: Flow, ends: Ends | undefined): MoneyTotal {
  const { wallet, money } = flow;
  const { name: token, decimals } = money;
  const flows = { in: decimal(flow.in, decimals), out: decimal(flow.out, decimals), fees: '0' };
  const { opening, closing, off, isLost } = endsOfFlow(flow, ends);
  return {
    token,
    wallet,
    ...(opening === undefined ? {} : { opening: decimal(opening, decimals) }),
    ...flows,
    ...(closing === undefined ? {} : { closing: decimal(closing, decimals) }),
    ...(isLost && off !== undefined ? { unexplained: decimal(off, decimals) } : {}),
  };
}

/** A contract that tells other balances than its own logs make proves nothing. */
function unprovenIn(flow: Flow, ends: Ends): Difference[] {
  const { wallet, money } = flow;
  const { off, isLost } = endsOfFlow(flow, ends);
  return off === 0n || isLost ? [] : [{ wallet, money, off }];
}

function endsOfFlow(flow: Flow, ends: Ends | undefined) {
  const name = balanceName(flow);
  const opening = ends?.opening.get(name)?.units;
  const closing = ends?.closing.get(name)?.units;
  if (opening === undefined || closing === undefined) {
    return { opening, closing, off: undefined, isLost: false };
  }
  const off = closing - (opening + flow.in - flow.out);
  return { opening, closing, off, isLost: off !== 0n && closing < opening - flow.out };
}

/**
 * The balances at both ends of a period. Where the node has no states of these blocks, the
 * movements since the first block make them, and the balances of now confirm that. Undefined where
 * nobody asks for such sums, or where they need too many blocks.
 */
export async function endsOf(
  source: BalanceSource,
  span: BlockSpan,
  { fromStart, unlisted }: { fromStart: boolean; unlisted: readonly MoneyPlace[] },
): Promise<Ends | undefined> {
  const { node, wallets, monies } = source;
  const places = [...listedPlaces(wallets, monies), ...unlisted];
  const kept = await Promise.all([span.opening, span.closing].map(node.keepsStateOf));
  if (kept.every((one) => one)) {
    const opening = await balancesAt(node, places, span.opening);
    return { opening, closing: await balancesAt(node, places, span.closing) };
  }
  if (!fromStart || span.closing > everyBlockMax) return undefined;
  const wanted = new Set(places.map(balanceName));
  const opening = only(wanted, await balancesFromStart(source, span), places);
  const closing = new Map(opening);
  const { opening: from, closing: to } = span;
  for await (const { movements } of walkEveryBlock(walkBlocks(source, from, to), { from, to })) {
    for (const movement of movements)
      if (wanted.has(balanceName(movement))) booked(closing, movement);
  }
  // The sums of a token say nothing where its contract does not tell the same now.
  for (const one of await compareAtHead(source, closing, to)) {
    closing.set(balanceName(one), { ...one, units: undefined });
  }
  return { opening, closing };
}

/** The balances of some places. Other balances go: anybody can send any number of tokens. */
function only(
  wanted: ReadonlySet<string>,
  balances: Balances,
  places: readonly MoneyPlace[],
): Balances {
  const none = places.map((place): [string, HeldBalance] => [
    balanceName(place),
    { ...place, units: 0n },
  ]);
  return new Map([...none, ...[...balances].filter(([name]) => wanted.has(name))]);
}
