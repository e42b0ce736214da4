import { createServe } from '../../support/orders';
import { newLines, payoutOf } from '../../support/payouts';
import { openTill, type Till } from '../../support/service/tillCustody';

const serve = createServe();
/** Temporal takes two megabytes at a time. So many lines go beyond it, with a page of words each. */
const lineCount = 700;
const page = `<html>${'Service Unavailable '.repeat(150)}</html>`;

const paidTo = ({ taken }: Till): string[] =>
  taken.flatMap(({ state, destinationAddress = '' }) =>
    state === 'COMPLETE' ? destinationAddress.toLowerCase() : [],
  );

describe('a part of a payout with hundreds of lines', () => {
  test.concurrent('is looked up in several answers, where one would be too long', async () => {
    const till = openTill({ wallets: 1 });
    till.settings.fate = () => ({ state: 'FAILED', errorReason: 'X', errorDetails: page });
    const { steadfast } = await serve(till.custody);
    const lines = newLines(lineCount);
    const order = payoutOf(till.wallets, { batch: false, openMax: 1_000 });
    const first = await steadfast.payout(order, lines);
    expect(await first.receipt()).toMatchObject({ failed: lineCount });
    till.settings.fate = () => ({ state: 'COMPLETE' });
    const again = await steadfast.retry(first.workflowId);
    expect(await again.receipt()).toMatchObject({ paid: lineCount });
    expect(paidTo(till).sort()).toEqual(lines.map(({ to }) => to.toLowerCase()).sort());
  });
});
