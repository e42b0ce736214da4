import { coinOf } from '../../../checks/coinOf';
import type { Decimals } from '../../../orders/exchange/eitherFault';
import { isCurrency } from '../../../orders/exchange/exchange';
import type { AskedFault, Exchanged } from '../../../orders/exchange/exchanged';
import { token as tokenField } from '../../../orders/input/fields';
import { shown } from '../../../orders/input/shown';
import type { Columns, FileReading } from '../columns';
import { spoiltAmount } from './readAmount';

/** The values of a row that say how much of which token it pays. */
type Asked = { amount: unknown; token: unknown; currency: unknown };

/** The reading of a file, as far as it decides what its amounts are in. */
type How = { reading: FileReading; decimals: Decimals; columns: Pick<Columns, 'unit' | 'code'> };

const unnamed =
  'is empty: say what the amount is in, a currency or the token itself. --currency is for all ' +
  'lines that name none.';

/**
 * The amount of a row in its token. An amount in a currency is converted, where there are rates.
 * Each line then says what its amount is in, since none is paid one to one by an oversight. Without
 * rates, and for a currency that is a token, the row says it all.
 */
export function inToken(
  { amount, token, currency: own }: Asked,
  { reading, decimals, columns }: How,
): Exchanged | AskedFault | { amount: unknown; token: unknown } {
  const { convert, currency: usual, isPaid } = reading;
  const { unit, code: titleCode } = columns;
  const code = own ?? usual;
  if (convert === undefined) return { amount, token };
  if (code === undefined) {
    const isKnown = unit !== undefined || isPaid === true;
    return isKnown ? { amount, token } : { field: 'currency', fault: unnamed };
  }
  if (titleCode !== undefined && code !== titleCode) {
    const fault = `${shown(code)} is not ${titleCode}, which the name of the amounts' column says.`;
    return { field: 'currency', fault };
  }
  if (tokenField.safeParse(code).success) return sameToken({ amount, token, code });
  if (typeof code !== 'string' || !isCurrency(code)) {
    const fault = `${shown(code)} is no currency of ISO 4217 and no token: give such as "EUR".`;
    return { field: 'currency', fault };
  }
  if (unit !== undefined) {
    const fault = `${shown(code)} is not ${unit}, which the name of the amounts' column says.`;
    return { field: 'currency', fault };
  }
  const named = token === undefined ? undefined : tokenField.safeParse(token);
  // A wrong field is told in its own words.
  if (typeof amount !== 'string' || named?.success === false) return { amount, token };
  const spoilt = spoiltAmount(amount, decimals);
  if (spoilt !== undefined) return { field: 'amount', fault: `${shown(amount)} ${spoilt}` };
  return convert({ amount, currency: code, token: named?.data });
}

/** A row whose currency is a token. Its column of tokens must not name another one. */
function sameToken({
  amount,
  token = '',
  code,
}: {
  amount: unknown;
  token: unknown;
  code: unknown;
}) {
  const isSame = token === '' || coinOf(String(token)) === coinOf(String(code));
  if (isSame) return { amount, token: token === '' ? code : token };
  const other = `is not ${shown(token)}, the token of the line. Nothing exchanges them.`;
  const fault = `${shown(code)} ${other}`;
  return { field: 'currency' as const, fault };
}
