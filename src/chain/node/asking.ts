import { BaseError, HttpRequestError, RpcRequestError } from 'viem';
import type { NodeClock } from './clock';
import { type FaultKind, faultKind, type RpcFault } from './fault';
import type { Pace } from './pace';
import type { Post, Posted } from './post';

/** One call of JSON-RPC. */
export type Rpc = { method: string; params: readonly unknown[] };

/**
 * The answer to one call. away: the node could not be reached, or its server is in trouble. late:
 * the call was not made, since its time ends before its turn.
 */
export type CallAnswer =
  | { result: unknown }
  | { kind: FaultKind | 'away' | 'late'; error: BaseError };

/** The place of calls in the queue. They are not made after a time, by the node's clock. */
type Turn = { isLater: boolean; untilMs: number };

/** Sends calls in their turn. One unit goes in one request. */
export type Sender = (unit: readonly Rpc[], turn: Turn) => Promise<CallAnswer[]>;

type Waiting = { unit: readonly Rpc[]; untilMs: number; tell: (answers: CallAnswer[]) => void };
type Place = { post: Post; pace: Pace; clock: NodeClock; url: string };

/** Makes the queue of a node. Calls that may wait go behind all others. */
export function createSender(place: Place): Sender {
  const { pace, clock } = place;
  const [first, later]: [Waiting[], Waiting[]] = [[], []];
  let running = 0;

  const takeSome = (): Waiting[] => {
    const some: Waiting[] = [];
    let calls = 0;
    for (const queue of [first, later]) {
      for (let next = queue[0]; next !== undefined; next = queue[0]) {
        if (some.length > 0 && calls + next.unit.length > pace.together()) return some;
        calls += next.unit.length;
        some.push(next);
        queue.shift();
      }
    }
    return some;
  };
  const isLate = ({ untilMs }: Pick<Waiting, 'untilMs'>): boolean =>
    untilMs < Math.max(clock.now(), pace.opensMs());
  const dropLate = (): void => {
    for (const queue of [first, later]) {
      for (const one of queue.splice(0)) {
        if (isLate(one)) one.tell(one.unit.map(late));
        else queue.push(one);
      }
    }
  };
  const turn = async (calls: number): Promise<void> => {
    for (dropLate(); first.length + later.length > 0; dropLate()) {
      const waitMs = pace.opensMs() - clock.now();
      if (waitMs <= 0) return pace.took(calls);
      await clock.sleep(waitMs);
    }
  };
  const run = async (): Promise<void> => {
    while (first.length + later.length > 0) {
      // Calls that are made at the same time go together.
      await Promise.resolve();
      const [next] = [...first, ...later];
      const usual = Math.min(pace.together(), callsIn([...first, ...later]));
      await turn(Math.max(usual, next?.unit.length ?? 1));
      const some = takeSome();
      if (some.length > 0) await send(some, place);
    }
    // In the same moment as the last look at the queue, or a call that comes between would wait.
    running -= 1;
  };
  return (unit, { isLater, untilMs }) =>
    new Promise((tell) => {
      if (isLate({ untilMs })) return tell(unit.map(late));
      (isLater ? later : first).push({ unit, untilMs, tell });
      if (running >= pace.atOnce()) return;
      running += 1;
      void run();
    });
}

function late(): CallAnswer {
  return { kind: 'late', error: new BaseError('The turn of this call comes after its time.') };
}

function callsIn(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { unit }) => sum + unit.length, 0);
}

async function send(some: readonly Waiting[], place: Place): Promise<void> {
  const calls = some.flatMap(({ unit }) => unit);
  const body = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
  const answers = await place.post(body.length === 1 ? body[0] : body).then(
    (posted) => answersIn(posted, calls, place),
    (error: BaseError) => ({ told: calls.map((): CallAnswer => ({ kind: 'away', error })) }),
  );
  const { told } = answers;
  const refused = told.filter((one) => 'kind' in one && one.kind === 'busy').length;
  const away = told.filter((one) => 'kind' in one && one.kind === 'away').length;
  const retryAfterMs = 'retryAfterMs' in answers ? answers.retryAfterMs : undefined;
  place.pace.told({ answered: told.length - refused - away, refused, retryAfterMs });
  let at = 0;
  for (const { unit, tell } of some) {
    tell(told.slice(at, at + unit.length));
    at += unit.length;
  }
}

type Answer = { id?: unknown; result?: unknown; error?: RpcFault };

function answersIn(
  { status, body, retryAfterMs }: Posted,
  calls: readonly Rpc[],
  { url }: Place,
): { told: CallAnswer[]; retryAfterMs?: number | undefined } {
  const all = [body].flat().filter(isAnswer);
  // An error alone is about the whole request. A result alone is of one call.
  const whole = Array.isArray(body) || all[0]?.error == null ? undefined : all[0];
  const told = calls.map((call, id): CallAnswer => {
    const own = calls.length === 1 ? all[0] : (whole ?? all.find((one) => one.id === id));
    if (own === undefined) return unanswered(status, url);
    if (own.error == null) return { result: own.result ?? null };
    const fault = { code: Number(own.error.code), message: String(own.error.message) };
    const error = new RpcRequestError({ body: { method: call.method }, error: own.error, url });
    const kind = faultKind(call.method, fault);
    return { kind: status === 429 && kind === 'other' ? 'busy' : kind, error };
  });
  return { told, retryAfterMs };
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && ('result' in value || isFault(value));
}

function isFault(value: object): boolean {
  return 'error' in value && typeof value.error === 'object' && value.error !== null;
}

/** An answer of HTTP alone, or one that lacks a call. */
function unanswered(status: number, url: string): CallAnswer {
  const isFine = status >= 200 && status < 300;
  const details = isFine ? 'it gives no answer of JSON-RPC' : `HTTP status ${status}`;
  const error = new HttpRequestError({ url, status, details });
  if (status === 429) return { kind: 'busy', error };
  return { kind: isFine || status >= 500 || status === 408 ? 'away' : 'other', error };
}
