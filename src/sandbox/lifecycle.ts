/** The stages of a transaction, in the hosted service's words. */
export const stages = [
  'INITIATED',
  'CLEARED',
  'QUEUED',
  'SENT',
  'STUCK',
  'CONFIRMED',
  'COMPLETE',
  'FAILED',
  'DENIED',
  'CANCELLED',
] as const;
export type Stage = (typeof stages)[number];

/** What moves a transaction on. */
export type StageEvent =
  | 'screened'
  | 'denied'
  | 'queued'
  | 'sent'
  | 'stuck'
  | 'accelerated'
  | 'mined'
  | 'settled'
  | 'failed'
  | 'cancelled';

/** Which event takes which stage to which (hosted-service facts §3); no other can happen. */
const transitions: Readonly<Record<Stage, Partial<Record<StageEvent, Stage>>>> = {
  INITIATED: { screened: 'CLEARED', denied: 'DENIED', failed: 'FAILED', cancelled: 'CANCELLED' },
  CLEARED: { queued: 'QUEUED', failed: 'FAILED', cancelled: 'CANCELLED' },
  QUEUED: { sent: 'SENT', failed: 'FAILED', cancelled: 'CANCELLED' },
  SENT: {
    stuck: 'STUCK',
    accelerated: 'SENT',
    mined: 'CONFIRMED',
    failed: 'FAILED',
    cancelled: 'CANCELLED',
  },
  STUCK: { accelerated: 'SENT', mined: 'CONFIRMED', failed: 'FAILED', cancelled: 'CANCELLED' },
  CONFIRMED: { settled: 'COMPLETE', failed: 'FAILED' },
  COMPLETE: {},
  FAILED: {},
  DENIED: {},
  CANCELLED: {},
};

/** The stage that follows, or undefined for an event that cannot happen in this stage. */
export function stageAfter(stage: Stage, event: StageEvent): Stage | undefined {
  return transitions[stage][event];
}

/** The stage that follows; throws for an event that cannot happen in this stage. */
export function nextStage(stage: Stage, event: StageEvent): Stage {
  const next = stageAfter(stage, event);
  if (next === undefined) throw new Error(`A transaction in ${stage} cannot be ${event}.`);
  return next;
}

/** Stages that count against what a wallet may have pending (hosted-service facts §4). */
export const pendingStages: readonly Stage[] = ['INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'STUCK'];

/** A stage that lasts until a point in time. */
export type TimedStage = 'INITIATED' | 'CLEARED' | 'QUEUED' | 'CONFIRMED';

/**
 * Until when a stage lasts at least, as a part of the settling time, counted from acceptance.
 * QUEUED lasts longer where the wallet has no room, and SENT lasts until the next block.
 */
export const endsAt: Readonly<Record<TimedStage, number>> = {
  INITIATED: 0.15,
  CLEARED: 0.3,
  QUEUED: 0.45,
  CONFIRMED: 1,
};

export type Vocabulary = 'interface' | 'hosted';

/** Stages that the interface document shows as one word. */
const pending: readonly Stage[] = ['CLEARED', 'QUEUED', 'SENT', 'CONFIRMED'];

/** The stages that a word stands for on the wire; the hosted words count in both vocabularies. */
export function stagesOf(word: string, vocabulary: Vocabulary): Stage[] {
  return Object.keys(transitions)
    .filter((stage): stage is Stage => stage in transitions)
    .filter((stage) => stage === word || wireState(stage, vocabulary) === word);
}

/** The word for a stage on the wire: as the interface document shows it, or as the hosted enum. */
export function wireState(stage: Stage, vocabulary: Vocabulary): string {
  return vocabulary === 'interface' && pending.includes(stage) ? 'PENDING' : stage;
}
