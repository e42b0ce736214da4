import { walletOfLine } from '../../src/orders/payout/walletOfLine';
import { seeded } from '../../test/support/seeded';
import { addressNamed, type Cast, planOrder, type SoakOrder, type SoakWallet } from './order';

/** One start by a backend. It makes one payment or several, each of which is judged by itself. */
export type Errand = {
  kind: 'single' | 'execute' | 'period' | 'payout' | 'sweep';
  /** The id of its workflow. */
  id: string;
  /** Its payments. The id of each is the errand's own, or begins with it and a slash. */
  orders: readonly SoakOrder[];
  /** The paying wallets of a payout. */
  wallets: readonly SoakWallet[];
};

/** The first payments go to the wallets that are swept. Each errand has room for so many. */
const firstNumber = 1_000;
const numbersEach = 8;
const [linesMin, linesSpread] = [3, 5];
const payers = 2;
const sweptEach = 2;
const sweepEvery = 40;
const cancelMsMax = 3_000;

/** The errand with this number: it follows from the seed, whatever has happened before. */
export function planErrand(cast: Cast, { seed, number }: { seed: number; number: number }): Errand {
  const random = seeded(seed * 2_000_003 + number);
  const first = firstNumber + number * numbersEach;
  const order = planOrder(cast, { seed, number: first });
  const single: Errand = { kind: 'single', id: order.id, orders: [order], wallets: [order.from] };
  const percent = random(100);
  if (percent < 8) return payout(cast, { seed, first, random });
  if (number % sweepEvery === 0) return sweep(cast, number / sweepEvery) ?? single;
  if (percent < 13 && order.money !== 'minted') return renamed('period', periodOf(first), single);
  const isCall = percent >= 13 && percent < 45 && order.money === 'minted';
  return isCall ? renamed('execute', `execute:soak-${first}`, single) : single;
}

/** The order of the one period of a schedule. */
function periodOf(number: number): string {
  return `transfer:soak-${number}:2026-01-01`;
}

function renamed(kind: Errand['kind'], id: string, { orders, ...errand }: Errand): Errand {
  return { ...errand, kind, id, orders: orders.map((order) => ({ ...order, id })) };
}

type Planned = { seed: number; first: number; random: (bound: number) => number };

/** Lines from two wallets. The id of a line decides which of them pays it. */
function payout(cast: Cast, { seed, first, random }: Planned): Errand {
  const id = `payout:soak-${first}`;
  const at = random(cast.wallets.length);
  const wallets = [...cast.wallets, ...cast.wallets].slice(at, at + payers);
  const count = linesMin + random(linesSpread);
  const cancelAfterMs = random(100) < 8 ? random(cancelMsMax) : undefined;
  const orders = Array.from({ length: count }, (_, line): SoakOrder => {
    const number = first + line;
    const planned = planOrder(cast, { seed, number });
    const { money } = planned;
    // No wallet may pay itself.
    const isOwn = wallets.some(({ address }) => address === planned.to);
    const to = isOwn ? addressNamed(`line ${number}`) : planned.to;
    const lineId = `line-${line}`;
    const from = wallets[walletOfLine(lineId, wallets.length)] ?? planned.from;
    const paid = money === 'minted' ? 'USDC' : money;
    return { id: `${id}/${lineId}`, money: paid, from, to, micros: BigInt(number), cancelAfterMs };
  });
  return { kind: 'payout', id, wallets, orders };
}

/** Two wallets are swept, once in a soak. Undefined when all of them have been. */
function sweep({ piggies, wallets }: Cast, number: number): Errand | undefined {
  const [into] = wallets;
  const at = number * sweptEach;
  const swept = piggies.slice(at, at + sweptEach);
  if (into === undefined || swept.length < sweptEach) return undefined;
  const id = `sweep:soak-${number}`;
  return {
    kind: 'sweep',
    id,
    wallets: [into],
    orders: swept.map(({ micros, ...from }, one) => ({
      id: `${id}/${one + 1}`,
      money: 'USDC',
      from,
      to: into.address,
      micros,
      cancelAfterMs: undefined,
    })),
  };
}
