import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { refId } from '../../../src/custody/reference';
import type { Ledger, Reservation } from '../../../src/writer/ledger/ledger';
import { openLedger } from '../../../src/writer/ledger/openLedger';
import { looksAt } from '../../../src/writer/list/look';
import { scriptedCustody, transferRecord } from '../../support/service/scriptedCustody';
import { lifetimeMs, transferOf, usdc } from '../ledger/reservations';
import { stranger, writerOf } from '../writer';

const keptMs = Date.parse('2026-01-31T12:00:00Z');
const hourMs = 3_600_000;

/** A record of the hour with this number, after the copy was made. */
const recordAt = (hour: number, record: Partial<Transaction>): Transaction => {
  const createDate = new Date(keptMs + hour * hourMs).toISOString();
  return transferRecord({ createDate, updateDate: createDate, ...record });
};

const ownAt = (hour: number, { parts }: Reservation): Transaction =>
  recordAt(hour, { id: parts.workflowId, refId: refId(parts) });

type Lister = CustodyApi['listTransactions'];

/** A service with these pages of records, newest first. */
function listOf(...pages: Transaction[][]): Lister {
  return async ({ pageAfter }) => {
    const at = pages.findIndex((page) => page.at(-1)?.id === pageAfter);
    return { transactions: pages[pageAfter === undefined ? 0 : at + 1] ?? [] };
  };
}

/** A process of a writer that looks at this list once. */
async function look(listTransactions: Lister, ledger: Ledger): Promise<void> {
  const custody = scriptedCustody({ listTransactions: (input) => listTransactions(input) });
  const { api } = writerOf(custody, [{ id: 'never', kind: 'deny', to: [stranger] }], { ledger });
  await looksAt(api, ledger, { waitMs: 10_000 }).once();
}

/** The answers of a ledger to writes that it is asked for. */
const answers = (ledger: Ledger, asked: readonly Reservation[]) =>
  Promise.all(asked.map(async (one) => (await ledger.reserve(one)).kind));

describe('an older copy of a ledger', () => {
  const [kept, first, second, third] = [1, 2, 3, 4].map(() => transferOf(usdc));
  if (!kept || !first || !second || !third) throw new Error('There are four.');
  const forgotten = [first, second, third];
  const pages = [[ownAt(3, third)], [ownAt(2, second)], [ownAt(1, first)], [ownAt(0, kept)]];
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = openLedger(':memory:', { keyLifetimeMs: lifetimeMs });
    await ledger.reserve(kept);
    await ledger.hasRead({ untilMs: undefined, newestMs: keptMs });
  });
  afterEach(() => ledger.close());

  it('learns of all that it has forgotten, although its first look fails half-way', async () => {
    const list = listOf(...pages);
    let calls = 0;
    const failing: Lister = async (input) => {
      calls += 1;
      if (calls === 2) throw new Error('The service is away.');
      return list(input);
    };
    await expect(look(failing, ledger)).rejects.toThrow('The service is away.');
    await look(failing, ledger);
    expect(await answers(ledger, forgotten)).toEqual(['lookUp', 'lookUp', 'lookUp']);
  });

  it('is trusted by no writer before all of it is known, when two start at once', async () => {
    const list = listOf(...pages);
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow: Lister = async (input) => {
      if (input.pageAfter !== undefined) await held;
      return list(input);
    };
    const other = look(slow, ledger);
    await new Promise(setImmediate);
    await look(list, ledger);
    expect(await answers(ledger, forgotten)).toEqual(['lookUp', 'lookUp', 'lookUp']);
    goOn();
    await other;
  });

  it('is read past a page that has nothing of ours', async () => {
    const foreign = recordAt(4, { id: 'x' });
    await look(listOf([foreign], ...pages), ledger);
    expect(await answers(ledger, forgotten)).toEqual(['lookUp', 'lookUp', 'lookUp']);
  });
});
