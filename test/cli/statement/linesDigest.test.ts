import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { linesDigest } from '../../../src/checks/digest';
import { setUp } from '../../support/jest/setUp';
import { newLines, openedPayout, payers, payoutOf } from '../../support/payouts';
import { startScene } from '../receipt/scene';

const scene = setUp(() => startScene());

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

    const statement = async (form: string): Promise<string> => {
      const path = scene.path(`statement.${form}`);
      const args = ['--wallet', wallet.id, '--from', '2020-01-01', '--format', form];
      await scene.steadfast('statement', ...args, '--out', path);
      return readFileSync(path, 'utf8');
    };
    const rows: Record<string, string>[] = parse(await statement('csv'), { columns: true });
    const paid = rows.filter(({ row, order: id }) => row === 'out' && id === workflowId);
    expect(paid.map((row) => row.linesDigest)).toEqual([digest, digest, digest]);
    const named = (await statement('hledger')).match(new RegExp(`linesDigest: ${digest}`, 'g'));
    expect(named).toHaveLength(3);
  });
});
