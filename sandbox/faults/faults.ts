import { z } from 'zod';
import { type FaultPlan, type FaultRule, faultPlan } from './faultRule';

/** The target of a fault rule: a call, or a notice to a webhook. */
export type FaultTarget = {
  /** The wallet that a notice tells of, or that a call names by its id or by its address. */
  walletId: string | undefined;
  method?: string;
  /** As the call was sent, without its query. */
  path?: string;
  idempotencyKey?: string | undefined;
  notificationType?: string;
};

/** A plan, and how far it has come: which calls it hits next follows from that. */
export const faultsState = z.strictObject({
  plan: faultPlan,
  hits: z.array(z.int().min(0)),
  random: z.strictObject({ calls: z.int(), notices: z.int() }),
});
type FaultsState = z.output<typeof faultsState>;

export type Faults = ReturnType<typeof createFaults>;

type IsKind<Rule extends FaultRule> = (rule: FaultRule) => rule is Rule;

export const noFaults: FaultPlan = { seed: 1, rules: [] };

/** The fault plan that is in force, until the next one or until the sandbox ends. */
export function createFaults() {
  let seed = noFaults.seed;
  let random = streamsOf({ calls: seed, notices: seed });
  let planned: { rule: FaultRule; hits: number }[] = [];
  return {
    /** Replaces the plan, hits included. */
    plan: (plan: FaultPlan): void => {
      seed = plan.seed;
      random = streamsOf({ calls: seed, notices: seed });
      planned = plan.rules.map((rule) => ({ rule, hits: 0 }));
    },
    state: (): FaultsState => ({
      plan: { seed, rules: planned.map(({ rule }) => rule) },
      hits: planned.map(({ hits }) => hits),
      random: { calls: random.calls.state(), notices: random.notices.state() },
    }),
    /** Goes on with a plan from where it was. */
    resume: (state: FaultsState): void => {
      seed = state.plan.seed;
      random = streamsOf(state.random);
      planned = state.plan.rules.map((rule, index) => ({ rule, hits: state.hits[index] ?? 0 }));
    },
    shown: () => ({ seed, rules: planned.map(({ rule, hits }) => ({ ...rule, hits })) }),
    /**
     * The first rule of its kind that is about this call or notice, still has hits left, and has
     * its probability on its side. It is one hit the poorer then.
     */
    hit: <Rule extends FaultRule>(target: FaultTarget, isKind: IsKind<Rule>): Rule | undefined => {
      const draw = 'notificationType' in target ? random.notices : random.calls;
      for (const entry of planned) {
        const { rule } = entry;
        if (!isKind(rule) || entry.hits >= (rule.count ?? Infinity)) continue;
        if (!isAbout(rule, target) || draw.next() >= (rule.probability ?? 1)) continue;
        entry.hits += 1;
        return rule;
      }
      return undefined;
    },
  };
}

/** Notices have one of their own, since nobody decides at what moment they come. */
function streamsOf({ calls, notices }: FaultsState['random']) {
  return { calls: randomOf(calls), notices: randomOf(notices) };
}

const compared = ['walletId', 'method', 'idempotencyKey', 'notificationType'] as const;

function isAbout(rule: FaultRule, target: FaultTarget): boolean {
  if (rule.path !== undefined && !isPath(rule.path, target.path ?? '')) return false;
  return compared.every((field) => rule[field] === undefined || rule[field] === target[field]);
}

/** With or without the base path. An asterisk stands for any one segment. */
function isPath(pattern: string, path: string): boolean {
  const wanted = segments(pattern);
  const sent = segments(path);
  return (
    wanted.length === sent.length &&
    wanted.every((segment, index) => segment === '*' || segment === sent[index])
  );
}

function segments(path: string): string[] {
  const all = path.split('/').filter((segment) => segment !== '');
  return all[0] === 'v1' && all[1] === 'w3s' ? all.slice(2) : all;
}

/** Mulberry32: numbers from 0 to 1 that a seed determines, which Math.random cannot give. */
function randomOf(seed: number): { next(): number; state(): number } {
  let state = seed;
  return {
    next: () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
    state: () => state,
  };
}
