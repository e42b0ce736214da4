import { type Fact, factsIn } from '../../client/asking/facts';
import { readPayoutReceipt, tellPayoutReceipt } from '../payout/tellPayout';
import { pc } from './colors';
import { visible } from './visible';

/** A receipt as aligned lines of "label  value". Nested fields have their full path. */
export function tellReceipt(receipt: unknown): string[] {
  const payout = readPayoutReceipt(receipt);
  return payout === undefined ? tellFields(receipt) : tellPayoutReceipt(payout);
}

function tellFields(document: unknown): string[] {
  const { all, isCut } = factsIn(document);
  return [...factLines(all), ...(isCut ? ['  It has more fields. --json shows them all.'] : [])];
}

/** Fields of any document as aligned lines. A value with line breaks stays on its line. */
export function factLines(all: readonly Fact[]): string[] {
  const facts = all.map(([label, value]) => [visible(label), visible(value)] as const);
  const width = Math.max(0, ...facts.map(([label]) => label.length));
  return facts.map(([label, value]) => `  ${pc.dim(label.padEnd(width))}  ${value}`);
}
