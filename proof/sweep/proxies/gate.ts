import { type Boundary, isSame, type Point } from '../boundary';
import { orderNames } from '../orderName';

/**
 * The processes that can be killed. The caller is this process and is never killed. The receiver of
 * notices runs only in flows that are told.
 */
export const processNames = ['worker', 'sandbox', 'chain', 'temporal', 'receiver'] as const;
export type ProcessName = (typeof processNames)[number];
export type Party = ProcessName | 'caller';

/** A call as a proxy sees it: its order, its name, and the parties at its two ends. */
export type Call = { order: string; name: string; ends: readonly [Party, Party] };

/** Asks if a call may go on past a point. False if one of its ends was killed. */
export type Pass = (point: Point) => Promise<boolean>;

/** A boundary that an order has reached, and the time since its first one. */
export type Reached = Boundary & { atMs: number };

/** Notes all calls of all orders, and can hold them. */
export type Gate = {
  /** From now on bytes with this address or id in them belong to the order. */
  learn(alias: string, order: string): void;
  /** The order that bytes belong to, by its name or by what stands for it. */
  orderIn(bytes: Buffer | string): string | undefined;
  /** Begins a call. Its points must be passed in turn. */
  meet(call: Call): Pass;
  /** Holds the order at this boundary, and all its later calls. */
  holdAt(order: string, boundary: Boundary): void;
  /** The boundaries that the order has reached so far, in sequence. */
  trace(order: string): readonly Reached[];
  /** True while the order is held at its boundary. */
  isHeld(order: string): boolean;
  /** Lets all orders go on. Calls to or from a killed process are lost. */
  release(killed: readonly ProcessName[]): void;
  /** Forgets all orders. */
  clear(): void;
};

type Order = {
  reached: Reached[];
  firstAtMs: number | undefined;
  counts: Map<string, number>;
  target: Boundary | undefined;
  isHeld: boolean;
  waiting: { ends: Call['ends']; go: (isAlive: boolean) => void }[];
};

export function createGate(): Gate {
  const orders = new Map<string, Order>();
  const aliases = new Map<string, string>();
  const orderOf = (name: string): Order => {
    const known = orders.get(name) ?? newOrder();
    orders.set(name, known);
    return known;
  };

  const pass = (call: Call, order: Order, boundary: Boundary): Promise<boolean> => {
    const wait = (): Promise<boolean> =>
      new Promise((go) => order.waiting.push({ ends: call.ends, go }));
    // Calls of a held order count only when they are let go.
    if (order.isHeld) return noteLater(order, boundary, wait());
    note(order, boundary);
    if (order.target === undefined || !isSame(order.target, boundary)) return alive;
    order.isHeld = true;
    return boundary.point === 'after' ? alive : wait();
  };

  return {
    learn: (alias, order) => void aliases.set(alias.toLowerCase(), order),
    orderIn: (bytes) => {
      const text = bytes.toString('latin1').toLowerCase();
      const [named] = orderNames(text);
      return named ?? [...aliases].find(([alias]) => text.includes(alias))?.[1];
    },
    meet: (call) => {
      const order = orderOf(call.order);
      const nth = (order.counts.get(call.name) ?? 0) + 1;
      order.counts.set(call.name, nth);
      return (point) => pass(call, order, { call: call.name, nth, point });
    },
    holdAt: (name, boundary) => {
      orderOf(name).target = boundary;
    },
    trace: (name) => orderOf(name).reached,
    isHeld: (name) => orderOf(name).isHeld,
    release: (killed) => {
      for (const order of orders.values()) {
        const { waiting } = order;
        Object.assign(order, { target: undefined, isHeld: false, waiting: [] });
        for (const { ends, go } of waiting) go(!killed.some((name) => ends.includes(name)));
      }
    },
    clear: () => {
      orders.clear();
      aliases.clear();
    },
  };
}

const alive = Promise.resolve(true);

function newOrder(): Order {
  return {
    reached: [],
    firstAtMs: undefined,
    counts: new Map(),
    target: undefined,
    isHeld: false,
    waiting: [],
  };
}

async function noteLater(
  order: Order,
  boundary: Boundary,
  waiting: Promise<boolean>,
): Promise<boolean> {
  const isAlive = await waiting;
  if (isAlive) note(order, boundary);
  return isAlive;
}

function note(order: Order, boundary: Boundary): void {
  const now = Date.now();
  order.firstAtMs ??= now;
  order.reached.push({ ...boundary, atMs: now - order.firstAtMs });
}
