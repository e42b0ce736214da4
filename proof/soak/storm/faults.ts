import { z } from 'zod';
import type { FaultPlan } from '../../../sandbox/faults/faultRule';

/** The faults between worker and service, and their counts. */
export type Faults = {
  /** Puts the plan into force, as has to be done after each start of the sandbox. */
  impose(): Promise<void>;
  /** Adds the hits of the plan since it was imposed. Skips a sandbox that is away. */
  count(): Promise<void>;
  /** From now on nothing goes wrong. */
  lift(): Promise<void>;
  /** The number of hits of each kind. */
  hits(): Record<string, number>;
};

const readLagMs = 500;
const send = { method: 'POST', path: '/developer/transactions/*' } as const;
const cancel = { method: 'POST', path: '/developer/transactions/*/cancel' } as const;
/** As final as any refusal, unless the service may have accepted an earlier attempt. */
const refusalStatus = 400;

/**
 * Every kind of fault. Most hit the calls that send money, since there a fault loses or doubles it.
 */
const rules: FaultPlan['rules'] = [
  { kind: 'loseAnswer', ...send, probability: 0.03 },
  { kind: 'lateCommit', ...send, probability: 0.02, delayMs: 1_500 },
  { kind: 'loseRequest', ...send, probability: 0.01 },
  { kind: 'malformed', ...send, probability: 0.02 },
  { kind: 'status', ...send, probability: 0.02, status: 503 },
  { kind: 'status', ...send, probability: 0.03, status: refusalStatus },
  { kind: 'stuck', ...send, probability: 0.02 },
  { kind: 'denied', ...send, probability: 0.01 },
  { kind: 'failOnChain', ...send, probability: 0.02 },
  { kind: 'loseAnswer', ...cancel, probability: 0.1 },
  { kind: 'loseAnswer', probability: 0.005 },
  { kind: 'delay', probability: 0.02, delayMs: 700 },
  { kind: 'status', probability: 0.02, status: 429, retryAfterS: 1 },
  { kind: 'status', probability: 0.01, status: 500 },
  { kind: 'status', probability: 0.01, status: 503, retryAfterS: 1 },
  { kind: 'reset', probability: 0.01 },
  { kind: 'malformed', probability: 0.005 },
];

const shownSchema = z.object({
  rules: z.array(z.object({ kind: z.string(), status: z.number().optional(), hits: z.number() })),
});

/** The plan of a seed. Its numbers change each time that it is imposed. */
export function createFaults(controlUrl: string, seed: number): Faults {
  let imposed = 0;
  /** Counts of the plans that are over, and of the one in force. */
  let before: Record<string, number> = {};
  let now: Record<string, number> = {};
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(`${controlUrl}/${path}`, {
      method,
      signal,
      ...(body === undefined ? {} : json),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const hits = (): Record<string, number> => sum(before, now);
  return {
    impose: async () => {
      before = hits();
      now = {};
      imposed += 1;
      await call('PATCH', 'settings', { readLagMs });
      await call('POST', 'faults', { seed: (seed * 10_007 + imposed) % 0xffff_ffff, rules });
    },
    count: async () => {
      const shown = await call('GET', 'faults').catch(() => undefined);
      if (shown === undefined) return;
      const { rules: counted } = shownSchema.parse(shown);
      now = counted.map((rule) => ({ [nameOf(rule)]: rule.hits })).reduce(sum, {});
    },
    lift: async () => {
      await call('DELETE', 'faults');
      await call('PATCH', 'settings', { readLagMs: 0 });
    },
    hits,
  };
}

function nameOf({ kind, status }: { kind: string; status?: number | undefined }): string {
  return status === undefined ? kind : `${kind} ${status}`;
}

function sum(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]),
  );
}
