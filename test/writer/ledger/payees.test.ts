import { markOf } from '../../../src/custody/batch';
import type { Ledger, Reservation } from '../../../src/writer/ledger/ledger';
import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import type { KeptPayment } from '../../../src/writer/payees/payees';
import { someone } from '../../support/stages';
import { kinds } from './kinds';
import { endOf, lifetimeMs, outsideOf, transferOf, usdc } from './reservations';

let ledger: Ledger;
let to: string;

const paymentOf = (address: string, amount = usdc): KeptPayment => {
  return { to: address, money: 'native', amount };
};

/** A transfer to somebody, and the payments that the ledger keeps of it. */
const paying = (address: string, amount = usdc): Reservation => {
  return { ...transferOf(amount), payments: [paymentOf(address, amount)] };
};

/** The payments that count, each as its amount and "open" or "ended". */
async function known(address = to, hash = ''): Promise<string[]> {
  const { payments } = await ledger.payees([paymentOf(address)], hash);
  return payments.map(({ amount, atMs }) => `${amount / usdc} ${atMs ? 'ended' : 'open'}`).sort();
}

describe.each(kinds)('in $name', ({ start, newPlace, stop }) => {
  beforeAll(start);
  afterAll(stop);
  beforeEach(async () => {
    ledger = await ledgerAt(await newPlace(), { keyLifetimeMs: lifetimeMs });
    to = someone();
  });
  afterEach(() => ledger.close());

  it('a payment is known from its reservation on, and only as long as it may have an effect', async () => {
    const [paid, failed, unsent] = [paying(to), paying(to, 2n * usdc), paying(to, 3n * usdc)];
    for (const one of [paid, failed, unsent]) await ledger.reserve(one);
    expect(await known()).toEqual(['1 open', '2 open', '3 open']);
    await ledger.withoutEffect(unsent.key);
    await ledger.end([endOf(paid, true), { ...endOf(failed, false), transactionId: 't2' }]);
    expect(await known()).toEqual(['1 ended']);
    // The write itself is no other payment.
    expect(await known(to, paid.hash)).toEqual([]);
    expect(await known(someone())).toEqual([]);
  });

  it('a write that was judged before another payment to its payee is judged again', async () => {
    const { seen } = await ledger.payees([paymentOf(to)], '');
    expect(await ledger.reserve({ ...paying(to), seen })).toMatchObject({ kind: 'reserved' });
    const late = { ...paying(to), seen };
    expect(await ledger.reserve(late)).toMatchObject({ kind: 'wait', rule: '' });
    const again = await ledger.payees([paymentOf(to)], '');
    expect(await ledger.reserve({ ...late, seen: again.seen })).toMatchObject({ kind: 'reserved' });
  });

  it('what others have paid is known, and is the own payment once that is known', async () => {
    const own = paying(to);
    await ledger.enter([outsideOf(usdc, { transactionId: 't1', payments: [paymentOf(to)] })]);
    expect(await known()).toEqual(['1 open']);
    await ledger.reserve(own);
    await ledger.accepted(own.key, 't1');
    expect(await known()).toEqual(['1 open']);
    await ledger.end([endOf(own, true)]);
    expect(await known()).toEqual(['1 ended']);
  });

  it('a line of a batch that failed alone is no payment', async () => {
    const mark = markOf('payout:march', 'a', 0);
    const line = { mark, money: 'native', amount: usdc };
    const batch = transferOf(usdc, { workflowId: 'payout:march', step: 'batch', item: 'x' });
    const payments = [{ ...paymentOf(to), mark }];
    await ledger.reserve({ ...batch, lines: [line], payments });
    await ledger.end([endOf(batch, true)]);
    expect(await known()).toEqual(['1 ended']);
    await ledger.unpaid('t1', [mark]);
    expect(await known()).toEqual([]);
  });

  it('addresses that look like a payee are told, and no others', async () => {
    const like = `${to.slice(0, 6)}${someone().slice(6, 39)}${to.slice(39)}`;
    for (const address of [like, someone(), to]) await ledger.reserve(paying(address));
    expect((await ledger.payees([paymentOf(to)], '')).alike).toEqual([like]);
  });

  it('a ledger knows whether it has kept all payees', async () => {
    expect(await ledger.keepsPayees()).toBe(true);
  });
});
