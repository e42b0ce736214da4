import type { Signed } from '../../../src/orders/input/signed';
import type { TestPasskey, Touch } from '../../writer/signing/passkeys';
import { type consoleOffice, payee, wallet } from '../office';
import type { Visited } from '../visited';

type Office = Visited & { people: { ann: { approval: TestPasskey } } };
type Own = Record<string, string>;

/** The fields of a transfer, as its form sends them. */
export const transfer = {
  id: 'invoice-7',
  wallet,
  to: payee,
  amount: '3',
  token: 'USDC',
  reference: '',
};

/** The fields of a payout, as its form sends them, with the text of its file. */
export function payoutOf(text: string, fields: object = {}): object {
  const columns = { token: '', map: '', ignore: '' };
  const file = Buffer.from(text).toString('base64');
  const own = { id: 'june', wallets: [wallet], reference: '', batch: true, name: 'june.csv', file };
  return { ...own, ...columns, ...fields };
}

/** The changes of an attack between the steps of a request. */
export type Steps = {
  by?: TestPasskey;
  how?: Touch;
  between?: () => void | Promise<void>;
  /** Others than those of the session that has filled the form in. */
  answering?: Own;
};

/** Fills a form in, and requests it as the script of its page does. */
export async function requested(
  office: Office,
  own: Own,
  {
    form = 'transfer',
    sent = transfer,
    by = office.people.ann.approval,
    how = {},
    between = () => {},
    answering = own,
  }: Steps & { form?: 'transfer' | 'payout'; sent?: object } = {},
) {
  const kept = await office.post(`/start/${form}`, sent, own);
  if (kept.statusCode !== 200) return kept;
  const { path } = kept.json();
  const asked = await office.post(`${path}/challenge`, {}, answering);
  if (asked.statusCode !== 200) return asked;
  const { challenge } = asked.json();
  await between();
  return office.post(path, { made: by.answer(how.challenge ?? challenge, how) }, answering);
}

/** The one request that was handed in. */
export function requestIn({ script }: ReturnType<typeof consoleOffice>): Signed {
  expect(script.started).toHaveLength(1);
  const request = script.started[0]?.order.request;
  if (request === undefined) throw new Error('It was started without a request.');
  return request;
}
