import type { Steadfast } from '../../src/client/client';
import type { OrderFilter } from '../../src/client/find/orderList';
import type { RequestSigning } from '../../src/client/options';
import { signOrder } from '../../src/client/signing/signRequest';
import type { Signed } from '../../src/orders/input/signed';
import type { LineResult, PayoutLine } from '../../src/orders/payout';
import type { TreeLine } from '../../src/writer/signing/lineTree';
import { signedLinesOf } from '../../src/writer/signing/signedLines';
import { readApproval, textOf } from '../../src/writer/signing/statement';

const blockchain = 'ARC-TESTNET';

/** All that clients were asked for. */
export type Script = {
  started: { id: string; order: { request?: Signed | undefined } & Record<string, unknown> }[];
  controls: unknown[];
  /** Filters of the lists that were asked for, and ids of more orders that wait for people. */
  listed: OrderFilter[];
  waiting: string[];
  /** Lines of every payout that have failed. */
  failed: LineResult[];
  /** The beginning of every order. */
  beganAt?: string;
  /** The receipt of every order. */
  receipt?: unknown;
  /** Changes the state of an order that Temporal tells. */
  told: (status: object) => object;
  /** Changes an order between its page and its signature, as a broken client would. */
  change: (order: object) => object;
};

/** The order that asks people, its statement, whom, and the lines of payouts by their ids. */
export type Asks = {
  id: string;
  statement: string;
  waitingFor: string;
  people: string[];
  /** The people who have approved it. */
  given: string[];
  lines: Map<string, readonly TreeLine[]>;
};

/** A client that signs as the real one, and starts nothing. */
export function signingWith(
  steadfast: Steadfast,
  signing: RequestSigning,
  script: Script,
): Steadfast {
  const client = { options: { namespace: 'default' } };
  const begin = async (kind: 'payout' | 'transferStablecoin', id: string, given: object) => {
    const { lines, ...order } = { lines: undefined, ...script.change(given) };
    const asked = { kind, workflowId: id, order, lines };
    const signed = await signOrder({ client, taskQueue: 'q', signing } as never, asked as never);
    script.started.push({ id, order: signed });
    return { workflowId: id, runId: 'run-1', outcome: 'started', receipt: async () => ({}) };
  };
  const own = {
    ...steadfast,
    start: (kind: 'transferStablecoin', id: string, order: object) => begin(kind, id, order),
    payout: async (order: { payoutId: string }, lines: Iterable<PayoutLine>) => {
      const all = signedLinesOf([...lines]);
      return begin('payout', `payout:${order.payoutId}`, { ...order, lines: all });
    },
    cancel: async (order: string, reason: string) => {
      const { entity, sign } = signing;
      const place = { entity, blockchain, namespace: 'default' };
      const statement = { ...place, order, signedUntil: new Date().toISOString() };
      script.controls.push({ order, reason, signed: await sign(textOf(statement), 'rejection') });
      return { isAsked: true, words: 'What ann has signed for it is withdrawn.' };
    },
  };
  return own as unknown as Steadfast;
}

/** A client that signs nothing, and remembers what it was asked for. */
export function scripted(
  asks: Asks,
  handedIn: { id: string; signed: object }[],
  script: Script,
): Steadfast {
  const times = { startedAt: '2026-11-28T12:00:00Z', closedAt: undefined };
  const listed = (workflowId: string) => {
    const [word = ''] = workflowId.split(':');
    const kinds: Record<string, string> = { payout: 'payout', foreign: 'somebodyElses' };
    const kind = kinds[word] ?? 'transferStablecoin';
    const own = { workflowId, kind, reference: undefined, ...times };
    // All payouts but the one that asks are over.
    const isAsking = workflowId === asks.id || kind !== 'payout';
    return isAsking
      ? { ...own, status: 'NeedsApproval', execution: 'RUNNING' }
      : {
          ...own,
          startedAt: '2026-10-28T12:00:00Z',
          status: 'Done',
          execution: 'COMPLETED',
        };
  };
  const take = async (id: string, signed: object): Promise<string> => {
    handedIn.push({ id, signed });
    return 'handed in';
  };
  const control = (name: string) => async (id: string, reason?: unknown) => {
    script.controls.push({ name, id, reason });
    return { isAsked: true, words: '' };
  };
  const steadfast = {
    pause: control('pause'),
    resume: control('resume'),
    cancel: control('cancel'),
    retry: control('retry'),
    list: async (wanted: OrderFilter = {}) => {
      const { kind, status, limit = 50, isRunning = false } = wanted;
      script.listed.push(wanted);
      return [asks.id, `other:${asks.id}`, ...script.waiting, ...asks.lines.keys()]
        .map(listed)
        .filter((one) => kind === undefined || one.kind === kind)
        .filter((one) => status === undefined || one.status === status)
        .filter((one) => !isRunning || one.execution === 'RUNNING')
        .slice(0, limit);
    },
    payoutLines: async function* (id: string) {
      yield* script.failed;
      for (const line of asks.lines.get(id) ?? []) {
        const outcome = id === asks.id ? 'waiting' : 'paid';
        yield { ...line, outcome, generation: 0, walletAddress: '' };
      }
    },
    origin: async () => ({ beganAt: script.beganAt ?? new Date().toISOString() }),
    status: async (id: string = asks.id) =>
      script.told({
        ...listed(asks.lines.has(id) || /^(foreign|transfer):/.test(id) ? id : asks.id),
        runId: 'run-1',
        historyEvents: 10,
        receipt: script.receipt,
        error: undefined,
        progress: {
          status: 'NeedsApproval',
          timeline: [],
          waitingFor: asks.waitingFor,
          exits: [{ when: 'no more', command: `steadfast cancel ${asks.id} --reason "why"` }],
          since: '2026-11-28T12:00:00Z',
          approvals: [
            {
              target: readApproval(asks.statement).write.target,
              statement: asks.statement,
              rule: 'large',
              need: 2,
              people: asks.people,
              given: asks.given,
              weighed: [],
            },
          ],
        },
      }),
    approve: take,
    reject: take,
  };
  // The console calls nothing else here.
  return steadfast as unknown as Steadfast;
}
