import type { ArchivedReceipt } from '../../books/receipt';
import { isSealed } from '../../writer/signing/seal';

/** The grounds of a receipt: not true, in doubt, or by whom they were sealed. All are sentences. */
export type Sealed = { faults: string[]; doubts: string[]; notes: string[] };

const nothing: Sealed = { faults: [], doubts: [], notes: [] };

/**
 * Tells which ledger has sealed who let a receipt out. No chain proves that, and anybody can make a
 * ledger: it counts only as far as its reader knows the ledger.
 */
export function sealedBy(receipt: ArchivedReceipt, ledgers: readonly string[]): Sealed {
  const { grounds, key } = receipt;
  if (grounds === undefined) return nothing;
  const { seal } = grounds;
  if (seal === undefined) {
    return { ...nothing, notes: ['No ledger has sealed who signed and approved it.'] };
  }
  if (!isSealed(key, grounds)) {
    return { ...nothing, faults: ['grounds: no ledger has sealed them for this write'] };
  }
  const own = `the ledger ${seal.ledger} has sealed who signed and approved it`;
  if (ledgers.length === 0) {
    const words = `The chain does not tell who signed and approved it: ${own}.`;
    return { ...nothing, notes: [`${words} Compare its id with that of the payer's writer.`] };
  }
  if (ledgers.includes(seal.ledger)) {
    return { ...nothing, notes: [`By its seal, and not by the chain: ${own}.`] };
  }
  return { ...nothing, doubts: [`grounds: ${own}, and STEADFAST_LEDGER_ID does not name it`] };
}
