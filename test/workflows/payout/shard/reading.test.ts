import type { CustodyApi, EndpointName } from '../../../../src/custody/endpoints';
import { UnexpectedAnswerError } from '../../../../src/custody/errors';
import { createServe } from '../../../support/orders';
import { linesOf, newLine, newLines, payoutOf } from '../../../support/payouts';
import { openTill, type Till } from '../../../support/service/tillCustody';

const serve = createServe();
const words = 'The transaction is not the interface.';

/** A service that answers the transfer to some address as no client can read it. */
function garbling({ custody }: Till, odd: { to: string | undefined }): CustodyApi {
  const isOdd = (record: { destinationAddress?: string | undefined }) =>
    record.destinationAddress?.toLowerCase() === odd.to;
  const own: Partial<CustodyApi> = {
    listTransactions: async (input, how) => {
      const { transactions } = await custody.listTransactions(input, how);
      const read = (one: (typeof transactions)[number]) => {
        const salvaged = isOdd(one) ? how?.salvage?.({ ...one, amounts: 5 }) : one;
        if (salvaged === undefined) throw new UnexpectedAnswerError(words, { status: 200 });
        return salvaged as typeof one;
      };
      return { transactions: transactions.map(read) };
    },
    getTransaction: async (input, how) => {
      const answer = await custody.getTransaction(input, how);
      if (isOdd(answer.transaction)) throw new UnexpectedAnswerError(words, { status: 200 });
      return answer;
    },
  };
  return new Proxy(custody, { get: (all, name: EndpointName) => own[name] ?? all[name] });
}

test('a line whose record nobody can read over the grace period asks a person', async () => {
  const till = openTill({ wallets: 1 });
  const lines = newLines(3);
  const odd: { to: string | undefined } = { to: lines[1]?.to };
  const orders = await serve(garbling(till, odd), { lookupGraceMs: 2_000 });
  const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
  const { evidence, target } = await orders.progress(
    workflowId,
    ({ status }) => status === 'NeedsOperator',
  );
  expect(evidence?.join()).toContain('cannot be read');
  expect(target).toContain(lines[1]?.lineId);
  odd.to = undefined;
  expect(await receipt()).toMatchObject({ lines: 3, paid: 3, unknown: 0 });
  expect(till.taken).toHaveLength(3);
});

describe('a payout with a line whose record cannot be read', () => {
  test.concurrent('hears of all others, tells why it waits, and ends with that line', async () => {
    const till = openTill({ wallets: 1 });
    const lines = newLines(4);
    const { to } = lines[1] ?? newLine();
    const odd: { to: string | undefined } = { to };
    const orders = await serve(garbling(till, odd), { lookupGraceMs: 600_000 });
    const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
    const { payout } = await orders.progress(
      workflowId,
      (progress) => progress.payout?.paid === 3 && progress.waitingFor.includes(words),
    );
    expect(payout).toMatchObject({ lines: 4, paid: 3 });
    odd.to = undefined;
    expect(await receipt()).toMatchObject({ lines: 4, paid: 4, unknown: 0 });
    const outcomes = (await linesOf(orders, workflowId)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(lines.map(() => 'paid'));
    expect(till.taken).toHaveLength(4);
  });
});
