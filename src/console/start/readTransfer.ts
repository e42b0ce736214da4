import { z } from 'zod';
import { checkWithPaid } from '../../books/archive/checkWithPaid';
import type { AddressBook } from '../../checks/book';
import { addressesIn, transferPayment } from '../../checks/payment';
import { readOrderId, workflowIdOf } from '../../orders/input/orderId';
import { readOrder } from '../../orders/input/read';
import { transferStablecoin } from '../../orders/transfer';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { Refusal } from '../refusal';
import { type Draft, requestEnd } from './draft';
import { payersFor, refuseOtherPayers } from './payers';

const text = z.string().trim().max(1_000);

/** A transfer as its form sends it. */
const fields = z.strictObject({
  id: text.regex(/^(?!transfer:$)./, { error: 'give your own id of it, such as invoice-4711' }),
  wallet: text,
  to: text,
  amount: text,
  token: text,
  reference: text.default(''),
});

/** Reads a transfer from its form. Throws a Refusal or a BadOrderError that names the field. */
export async function readTransfer(
  { policy, book, store, keyScope }: Pick<ConsoleParts, 'policy' | 'book' | 'store' | 'keyScope'>,
  person: string,
  sent: unknown,
): Promise<Draft> {
  const { id: own, wallet, to, reference, ...money } = readSent(fields, sent);
  const kind = 'transferStablecoin';
  refuseOtherPayers([wallet], payersFor(policy(), { person, kind }));
  const from = wallet.startsWith('0x') ? { walletAddress: wallet } : { walletId: wallet };
  const order = {
    from,
    to: payeeIn(book(), to),
    ...money,
    ...(reference === '' ? {} : { reference }),
  };
  const read = readOrder(transferStablecoin.order, order);
  const id = readOrderId(own.startsWith('transfer:') ? own : `transfer:${own}`);
  const asked = {
    orderId: workflowIdOf(id, keyScope),
    payments: [transferPayment(id, read)],
    wallets: addressesIn([wallet]),
  };
  const { checked } = await checkWithPaid(asked, { book: book(), store });
  return { id, kind, order, checked, expires: requestEnd(policy()) };
}

/** The address that a field names: an address itself, or the name of a payee in the book. */
function payeeIn(book: AddressBook, to: string): string {
  if (/^0x/i.test(to) || to === '') return to;
  const [address, ...others] = book.addressesOf(to);
  if (address === undefined) {
    throw new Refusal(400, `to: "${to}" is no address, and no name of the address book.`);
  }
  if (others.length === 0) return address;
  const all = [address, ...others].join(', ');
  throw new Refusal(
    400,
    `to: "${to}" has several addresses in the address book. Give one: ${all}.`,
  );
}
