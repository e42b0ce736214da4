import { z } from 'zod';
import { checkWithPaid } from '../../books/archive/checkWithPaid';
import { linesDigest } from '../../checks/digest';
import { addressesIn } from '../../checks/payment';
import { type FileReading, mapOf } from '../../client/lines/columns';
import { token } from '../../orders/input/fields';
import { payoutIdOf, refuseWholePayoutId, workflowIdOf } from '../../orders/input/orderId';
import { readOrder } from '../../orders/input/read';
import { shown } from '../../orders/input/shown';
import { payoutOrder } from '../../orders/payout';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { Refusal } from '../refusal';
import { type Draft, requestEnd } from './draft';
import { payersFor, refuseOtherPayers } from './payers';
import { fileBytesMax, readUpload } from './upload';

const text = z.string().trim().max(1_000);

/** A payout as its form sends it. */
const fields = z.strictObject({
  id: text,
  wallets: z.array(text).min(1, { error: 'choose one at least' }).max(100),
  reference: text.default(''),
  batch: z.boolean(),
  token: text.default(''),
  map: text.default(''),
  ignore: text.default(''),
  name: z.string().min(1, { error: 'choose a file' }).max(255),
  /** Its bytes as base64. */
  file: z.string().max(Math.ceil(fileBytesMax / 3) * 4, { error: 'is too large' }),
});

/** Reads a payout from its form. Throws a Refusal or a BadOrderError with the faults by row. */
export async function readPayoutForm(
  { policy, book, store, keyScope }: Pick<ConsoleParts, 'policy' | 'book' | 'store' | 'keyScope'>,
  person: string,
  sent: unknown,
): Promise<Draft> {
  const { id: own, wallets, reference, batch, name, file, ...columns } = readSent(fields, sent);
  const kind = 'payout';
  refuseOtherPayers(wallets, payersFor(policy(), { person, kind }));
  const payoutId = payoutIdOf(own, keyScope);
  refuseWholePayoutId(payoutId, keyScope);
  const order = {
    payoutId,
    wallets,
    ...(batch ? {} : { batch: false as const }),
    ...(reference === '' ? {} : { reference }),
  };
  readOrder(payoutOrder, order);
  const bytes = Buffer.from(file, 'base64');
  const { all, surveyed } = await readUpload({ name, bytes }, readingOfForm(columns));
  const { payments, totals } = surveyed;
  const id = `payout:${payoutId}`;
  const orderId = workflowIdOf(id, keyScope);
  const asked = { orderId, payments, wallets: addressesIn(wallets) };
  const { checked } = await checkWithPaid(asked, { book: book(), store });
  const lines = { all, totals, digest: linesDigest(payments) };
  return { id, kind, order, checked, lines, expires: requestEnd(policy()) };
}

type Columns = Pick<z.output<typeof fields>, 'token' | 'map' | 'ignore'>;

/** The reading of a file's columns that a form asks for, in the words of the command line. */
function readingOfForm({ token: own, map, ignore }: Columns): FileReading {
  const read = own === '' ? undefined : token.safeParse(own);
  if (read?.success === false) {
    throw new Refusal(400, `token: ${shown(own)} ${read.error.issues[0]?.message}.`);
  }
  const ignored = ignore.split(',');
  try {
    // A comma in the name of a column is not one between two of them.
    const mapped = mapOf(map === '' ? [] : map.split(/,(?=[^,=]*=)/));
    return { token: read?.data, ignored, mapped };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Refusal(400, `map: ${error.message}`);
  }
}
