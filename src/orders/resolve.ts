/**
 * What a person says of a write in doubt. Pure data and checks: workflows import it.
 *
 * completed: it was taken; the evidence is the id of its transaction, or the hash.
 * noEffect: it was never taken; the same is sent again, under the same key.
 * retry: it was taken and came to nothing; the evidence is the id of its final transaction.
 * skip: of a line of a payout, that nobody is going to find out; it stays unknown.
 */
export type Finding = {
  /** Which write, as the order shows it: "<step>/<item>#<generation>". */
  target: string;
  finding: (typeof findings)[number];
  evidence: string;
};

export const findings = ['completed', 'noEffect', 'retry', 'skip'] as const;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const hash = /^0x[0-9a-f]{64}$/i;

/** What is wrong with a finding as it was given, as a sentence; undefined when it can be used. */
export function faultOf(given: unknown, { maySkip = false } = {}): string | undefined {
  if (typeof given !== 'object' || given === null) return shape;
  const { target, finding, evidence }: Partial<Record<keyof Finding, unknown>> = given;
  if (typeof target !== 'string') return `target: is missing. ${shape}`;
  if (!findings.some((known) => known === finding)) {
    return `finding: ${brief(finding)} must be one of ${findings.join(', ')}.`;
  }
  if (typeof evidence !== 'string' || evidence.trim() === '') {
    return 'evidence: is missing. Say how it is known, for whoever reads this later.';
  }
  const tooLong = lengthFault(evidence);
  if (tooLong !== undefined) return `evidence: ${tooLong}`;
  if (finding === 'skip') {
    if (maySkip) return undefined;
    return 'finding: skip is for a line of a payout. An order of its own can be cancelled.';
  }
  if (finding !== 'noEffect' && !isRecordName(evidence)) {
    return `evidence: ${brief(evidence)} must be the id of the transaction, or its hash (0x…).`;
  }
  return undefined;
}

/** The order carries it along, and shows it in full. */
const wordsMax = 1_000;

/** What keeps a person's words from being noted with an order: only that they are too many. */
export function lengthFault(words: string): string | undefined {
  if (words.length <= wordsMax) return undefined;
  return `has ${words.length} characters, and may have ${wordsMax}. Say it in fewer words.`;
}

/** This file imports nothing, so that workflows may use it. */
function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** What a finding that holds leads to, as an answer to whoever found it. */
export function sentence({ target, finding }: Finding): string {
  if (finding === 'completed') return `${target} goes on from that transaction.`;
  if (finding === 'noEffect') return `${target} is sent again, under the same key.`;
  if (finding === 'skip') return `${target} is given up, and stays unknown.`;
  return `${target} had no effect. A new attempt follows.`;
}

/** The same for a write that had no effect, of an order that is to be cancelled. */
export function cancelledSentence({ target }: Finding): string {
  return `${target} is not sent again: the order is cancelled.`;
}

/** Whether a text is the id of a transaction or its hash. */
export function isRecordName(text: string): boolean {
  return uuid.test(text) || hash.test(text);
}

const shape =
  'Give {"target": "<step>/<item>#<generation>", "finding": "completed", "evidence": "…"}.';
