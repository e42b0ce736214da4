import { type Boundary, isSame, type Point } from './boundary';

/** What can be killed, and the caller, which is this process and never is. */
export const processNames = ['worker', 'sandbox', 'chain', 'temporal'] as const;
export type ProcessName = (typeof processNames)[number];
export type Party = ProcessName | 'caller';

/** A call as a proxy sees it: whose it is, how it is called, and who is at its two ends. */
export type Call = { order: string; name: string; ends: readonly [Party, Party] };

/** Asks whether a call may go on past a point; false when one of its ends has been killed. */
export type Pass = (point: Point) => Promise<boolean>;

/** A boundary that an order has come by, and how long that was after its first. */
export type Reached = Boundary & { atMs: number };

/** Where all calls of all orders come by, are noted, and can be held. */
export type Gate = {
  /** A call begins; its points are to be passed in turn. */
  meet(call: Call): Pass;
  /** Holds the order once it comes to this boundary, with all that it sends from then on. */
  holdAt(order: string, boundary: Boundary): void;
  /** The boundaries that the order has come by so far, in their order. */
  trace(order: string): readonly Reached[];
  /** Whether the order is held at its boundary now. */
  isHeld(order: string): boolean;
  /** Lets all orders go on; calls with an end among the killed are lost. */
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
  const orderOf = (name: string): Order => {
    const known = orders.get(name) ?? newOrder();
    orders.set(name, known);
    return known;
  };

  const pass = (call: Call, order: Order, boundary: Boundary): Promise<boolean> => {
    const wait = (): Promise<boolean> =>
      new Promise((go) => order.waiting.push({ ends: call.ends, go }));
    // What comes once the order is held has not been sent yet as far as the order is concerned.
    if (order.isHeld) return noteLater(order, boundary, wait());
    note(order, boundary);
    if (order.target === undefined || !isSame(order.target, boundary)) return alive;
    order.isHeld = true;
    return boundary.point === 'after' ? alive : wait();
  };

  return {
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
    clear: () => orders.clear(),
  };
}

const alive = Promise.resolve(true);

function newOrder(): Order {
  return {
    ...{ reached: [], firstAtMs: undefined, counts: new Map(), target: undefined },
    ...{ isHeld: false, waiting: [] },
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
