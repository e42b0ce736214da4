import { parse } from 'csv-parse/sync';
import { linesDigest } from '../../../src/checks/digest';
import { newLines, openedPayout, payers, payoutOf } from '../../support/payouts';
import { type Scene, startScene } from '../receipt/scene';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

describe('the books of a payout', () => {
  it('name the digest that its approver has computed from the file', async () => {
    const [wallet] = await payers(scene.sandbox, 'EOA');
    if (wallet === undefined) throw new Error('There is no wallet.');
    const lines = newLines(3);
    const order = payoutOf([wallet], { lines });
    const { workflowId, handle } = await openedPayout(scene.orders, order);
    await handle.result();
    const digest = linesDigest(lines);
    const receipts = await scene.receipts(workflowId);
    expect(receipts.map((one) => one.order.linesDigest)).toEqual([digest, digest, digest]);

    const statement = ['statement', '--wallet', wallet.id, '--from', '2020-01-01'];
    const { told } = await scene.steadfast(...statement, '--format', 'csv');
    const rows: Record<string, string>[] = parse(told, { columns: true, bom: true });
    const paid = rows.filter(({ row, order: id }) => row === 'out' && id === workflowId);
    expect(paid.map((row) => row.linesDigest)).toEqual([digest, digest, digest]);
    const journal = await scene.steadfast(...statement, '--format', 'hledger');
    expect(journal.told.match(new RegExp(`linesDigest: ${digest}`, 'g'))).toHaveLength(3);
  });
});
