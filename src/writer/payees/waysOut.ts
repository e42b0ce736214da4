import type { CheckId } from '../../checks/checks';

const toBook =
  'If it is right all the same, write it into the address book of the writer ' +
  '(STEADFAST_ADDRESS_BOOK), and order it again.';
const toPeople = 'If it is meant, have the policy say approve, so that people decide.';
const correct = 'Correct the address, and order it again.';

/** The way out of a payment that a check refuses, as the end of its sentence. */
export const waysOut: Partial<Record<CheckId, string>> = {
  newPayee: toBook,
  lookAlike: toBook,
  paidBefore: `Look at that payment first. ${toPeople}`,
  farAmount: toPeople,
  tokenContract: correct,
  ownWallet: correct,
  burn: correct,
};
