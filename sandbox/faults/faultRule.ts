import { z } from 'zod';

/** Faults of a call on its way between the client and the handler. */
const disturbances = [
  'loseRequest',
  'loseAnswer',
  'lateCommit',
  'delay',
  'status',
  'reset',
  'malformed',
] as const;
/** Fates of the transaction that a call creates. */
const fates = ['stuck', 'denied', 'failOnChain'] as const;
/** Faults of a notice on its way to a webhook. */
const noticeFaults = ['duplicateNotice', 'lateNotice', 'loseNotice'] as const;

export type Disturbance = (typeof disturbances)[number];
export type Fate = (typeof fates)[number];
export type NoticeFault = (typeof noticeFaults)[number];

export const delayMsMax = 600_000;
const rulesMax = 1_000;

/** Fields that only calls have, and fields that only notices have. */
const ofCalls = ['method', 'path', 'idempotencyKey'] as const;
const ofNotices = ['notificationType'] as const;

const faultRule = z
  .strictObject({
    kind: z.enum([...disturbances, ...fates, ...noticeFaults]),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    path: z.string().min(1).max(1_000).optional(),
    walletId: z.guid().toLowerCase().optional(),
    idempotencyKey: z.guid().toLowerCase().optional(),
    notificationType: z.string().min(1).max(100).optional(),
    probability: z.number().min(0).max(1).optional(),
    count: z.int().min(1).optional(),
    delayMs: z.int().min(0).max(delayMsMax).optional(),
    status: z.int().min(300).max(599).optional(),
    retryAfterS: z.int().min(0).max(86_400).optional(),
  })
  .superRefine((rule, context) => {
    const refuse = (field: keyof typeof rule, message: string): void => {
      context.addIssue({ code: 'custom', path: [field], message });
    };
    const { kind } = rule;
    const isDelay = ['lateCommit', 'delay', 'lateNotice'].includes(kind);
    if (isDelay && rule.delayMs === undefined) refuse('delayMs', `${kind} needs delayMs`);
    const isFated = fates.some((fate) => fate === kind) || kind === 'loseNotice';
    if (isFated && rule.delayMs !== undefined) refuse('delayMs', `${kind} has no delay`);
    if (kind === 'status' && rule.status === undefined) refuse('status', 'status needs status');
    for (const field of ['status', 'retryAfterS'] as const) {
      if (kind !== 'status' && rule[field] !== undefined) refuse(field, `${kind} has no ${field}`);
    }
    const isNotice = noticeFaults.some((fault) => fault === kind);
    for (const field of isNotice ? ofCalls : ofNotices) {
      if (rule[field] !== undefined) refuse(field, `${kind} has no ${field}`);
    }
  });

type AnyRule = z.output<typeof faultRule>;

/** One rule of a plan. A call or a notice must have all that the rule names. */
export type FaultRule<Kind extends AnyRule['kind'] = AnyRule['kind']> = AnyRule & { kind: Kind };

/** The plan of faults. The same seed and the same calls in the same order have the same faults. */
export const faultPlan = z.strictObject({
  seed: z.int().min(0).max(0xffff_ffff).default(1),
  rules: z.array(faultRule).max(rulesMax),
});

export type FaultPlan = z.output<typeof faultPlan>;

function isOneOf<Kind extends AnyRule['kind']>(kinds: readonly Kind[]) {
  return (rule: FaultRule): rule is FaultRule<Kind> => kinds.some((kind) => kind === rule.kind);
}

export const isFate = isOneOf(fates);
export const isNoticeFault = isOneOf(noticeFaults);
export const isDisturbance = isOneOf(disturbances);
