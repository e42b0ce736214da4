/** The stages of a transaction, in the hosted service's words. */
export type Stage =
  | 'INITIATED'
  | 'CLEARED'
  | 'QUEUED'
  | 'SENT'
  | 'CONFIRMED'
  | 'COMPLETE'
  | 'FAILED'
  | 'DENIED'
  | 'CANCELLED';

/** What moves a transaction on. */
export type StageEvent = 'screened' | 'queued' | 'sent' | 'mined' | 'settled' | 'failed';

/** Which event takes which stage to which; an event that is not here cannot happen. */
const transitions: Readonly<Record<Stage, Partial<Record<StageEvent, Stage>>>> = {
  INITIATED: { screened: 'CLEARED', failed: 'FAILED' },
  CLEARED: { queued: 'QUEUED', failed: 'FAILED' },
  QUEUED: { sent: 'SENT', failed: 'FAILED' },
  SENT: { mined: 'CONFIRMED', failed: 'FAILED' },
  CONFIRMED: { settled: 'COMPLETE', failed: 'FAILED' },
  COMPLETE: {},
  FAILED: {},
  DENIED: {},
  CANCELLED: {},
};

/** The stage that follows; throws for an event that cannot happen in this stage. */
export function nextStage(stage: Stage, event: StageEvent): Stage {
  const next = transitions[stage][event];
  if (next === undefined) throw new Error(`A transaction in ${stage} cannot be ${event}.`);
  return next;
}

export type Vocabulary = 'interface' | 'hosted';

/** Stages that the interface document shows as one word. */
const pending: readonly Stage[] = ['CLEARED', 'QUEUED', 'SENT', 'CONFIRMED'];

/** The word for a stage on the wire: as the interface document shows it, or as the hosted enum. */
export function wireState(stage: Stage, vocabulary: Vocabulary): string {
  return vocabulary === 'interface' && pending.includes(stage) ? 'PENDING' : stage;
}
