import { factsIn } from '../../client/asking/facts';
import { readPayoutReceipt, tellPayoutReceipt } from '../payout/tellPayout';
import { pc } from './colors';

/** A receipt as aligned lines of "label  value". Nested fields have their full path. */
export function tellReceipt(receipt: unknown): string[] {
  const payout = readPayoutReceipt(receipt);
  if (payout !== undefined) return tellPayoutReceipt(payout);
  const facts = factsIn(receipt);
  const width = Math.max(0, ...facts.map(([label]) => label.length));
  return facts.map(([label, value]) => `  ${pc.dim(label.padEnd(width))}  ${value}`);
}
