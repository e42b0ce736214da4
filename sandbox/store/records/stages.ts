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
export type TransactionStage = (typeof stages)[number];

/** Stages that count against what a wallet may have pending. */
export const pendingStages: readonly TransactionStage[] = [
  'INITIATED',
  'CLEARED',
  'QUEUED',
  'SENT',
  'STUCK',
];

export type Vocabulary = 'interface' | 'hosted';

/** Stages that the interface document shows as one word. */
const pending: readonly TransactionStage[] = ['CLEARED', 'QUEUED', 'SENT', 'CONFIRMED'];

/** The stages that a word stands for on the wire. The hosted words count in both vocabularies. */
export function stagesOf(word: string, vocabulary: Vocabulary): TransactionStage[] {
  return stages.filter((stage) => stage === word || wireState(stage, vocabulary) === word);
}

/** The word for a stage on the wire: as the interface document shows it, or as the hosted enum. */
export function wireState(stage: TransactionStage, vocabulary: Vocabulary): string {
  return vocabulary === 'interface' && pending.includes(stage) ? 'PENDING' : stage;
}
