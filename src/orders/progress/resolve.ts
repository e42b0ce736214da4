/**
 * A person's finding on a write in doubt. Pure data and checks: workflows import it.
 *
 * completed: the service accepted it. The evidence is its transaction's id, or the hash that the
 *   chain shows. No record is read for that hash.
 * noEffect: the service never accepted it. It is sent again under the same key.
 * retry: the service accepted it, and it had no effect. The evidence is its final transaction's id.
 * skip: nobody will find out about this payout line, or about a write that contradicts itself.
 */
export type Finding = {
  /** The write, as the order shows it: "<step>/<item>#<generation>". */
  target: string;
  finding: (typeof findings)[number];
  evidence: string;
};

export const findings = ['completed', 'noEffect', 'retry', 'skip'] as const;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const hash = /^0x[0-9a-f]{64}$/i;

/** The fault of a finding, as a sentence. Undefined if it can be used. */
export function faultOf(given: unknown): string | undefined {
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
  if (finding !== 'skip' && finding !== 'noEffect' && !isRecordName(evidence)) {
    return `evidence: ${brief(evidence)} must be the id of the transaction, or its hash (0x…).`;
  }
  return undefined;
}

/** The order carries it along, and shows it in full. */
const wordsMax = 1_000;

/** The fault of a person's words, as a sentence. Their only fault is length. */
export function lengthFault(words: string): string | undefined {
  if (words.length <= wordsMax) return undefined;
  return `has ${words.length} characters, and may have ${wordsMax}. Say it in fewer words.`;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** The answer to a person whose finding was confirmed. */
export function sentence({ target, finding }: Finding): string {
  if (finding === 'completed') return `${target} goes on from that transaction.`;
  if (finding === 'noEffect') return `${target} is sent again, under the same key.`;
  if (finding === 'skip') return `${target} is given up, and stays unknown.`;
  return `${target} had no effect. It is sent again, under a new key.`;
}

/** The answer to a person who wants a retry, while its proof is not there yet. */
export function provenFirst({ target }: Finding): string {
  return (
    `${target} is sent again, under a new key, once it is proven that it had no effect. Its record ` +
    'and the chain are read until then.'
  );
}

/** Why a write is not given up that the chain shows as paid, and the finding that ends it. */
export function paidSentence({ target, paidIn }: { target: string; paidIn: string }): string {
  return (
    `The chain shows that ${paidIn} has paid ${target}, so it is not given up and is never sent ` +
    `again. Resolve it with the finding completed and the evidence ${paidIn}.`
  );
}

/** The same for a write without effect, in an order that is to be cancelled. */
export function cancelledSentence({ target }: Finding): string {
  return `${target} is not sent again: the order is cancelled.`;
}

/** True if a text may be the id that the service gives to a transaction. */
export function isTransactionId(text: string): boolean {
  return uuid.test(text);
}

/** True if a text is a transaction's id or hash. */
function isRecordName(text: string): boolean {
  return isTransactionId(text) || hash.test(text);
}

export const noSkip =
  'finding: skip is for a line of a payout, or for a write of which the records contradict each ' +
  'other. Use completed or noEffect, or cancel the order.';

const shape =
  'Give {"target": "<step>/<item>#<generation>", "finding": "completed", "evidence": "…"}.';
