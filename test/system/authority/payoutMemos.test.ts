import { memosOf } from '../../support/chain/memos';
import { newLine, newLines, paidOnChain } from '../../support/payouts';
import { someone } from '../../support/stages';
import { officeOf } from './office';

/** The sandbox's screening has somebody look at this address. */
const gambler = `0x${'1'.repeat(28)}999999997766`;
const forbidden = [someone(), someone()];

const { keys, ...office } = officeOf<{ deny: string[] }>(
  'signed-memos',
  (wallets, { deny = forbidden }) => {
    const names = { orders: ['payout'], wallets: wallets.map(({ id }) => id), tokens: ['USDC'] };
    const limit = { id: 'out', kind: 'limit', ...names, to: 'anyone', signedBy: 'backends' };
    const tier = { id: 'large', kind: 'approval', above: '5', need: 2, of: 'treasurers' };
    return {
      groups: { treasurers: ['ann', 'bo'] },
      rules: [
        { ...limit, perTransfer: '1' },
        { ...tier, within: 48 },
        { id: 'risk', kind: 'screen', by: 'service', beyond: 'large' },
        { id: 'never', kind: 'deny', to: deny },
      ],
    };
  },
);
const { backend, ann, bo } = keys;
const { steadfastWith, approve } = office;

function payoutOf(payoutId: string) {
  return { payoutId, wallets: office.wallets().map(({ id }) => id), memo: true };
}

describe.each([
  ['in batches', { linesMax: 4 } as const, 0],
  ['one by one', false as const, 1],
])('a signed payout with memos, %s', (words, batch, place) => {
  const payoutId = words.replaceAll(' ', '-');
  const workflowId = `payout:${payoutId}`;

  test('pays each line once with its memo, and one that is refused once it is let out', async () => {
    const lines = newLines(9);
    const reviewed = newLine({ to: gambler });
    const rejected = newLine({ to: gambler });
    const refused = newLine({ to: forbidden[place] ?? '' });
    const all = [...lines.slice(0, 4), reviewed, refused, ...lines.slice(4), rejected];
    const started = await steadfastWith(backend.sign).payout({ ...payoutOf(payoutId), batch }, all);
    const logs = async (of = all) => Object.values(await paidOnChain(office.sandbox(), of)).flat();
    while ((await logs()).length < lines.length) await new Promise((end) => setTimeout(end, 50));
    const targets = [reviewed, rejected].map(({ lineId }) => `line/${lineId}#0`);
    const asks = async () => (await steadfastWith().status(workflowId)).progress?.approvals ?? [];
    while ((await asks()).length < targets.length) await new Promise((end) => setTimeout(end, 50));
    for (const { path } of [ann, bo]) {
      const approved = await approve(workflowId, { path }, '--target', targets[0] ?? '');
      expect(approved).toMatchObject({ code: 0 });
    }
    while ((await logs([reviewed])).length < 1) await new Promise((end) => setTimeout(end, 50));
    const why = ['--reason', 'not a customer', '--target', targets[1] ?? ''];
    const told = await office.cli(['reject', workflowId, '--key', bo.path, ...why]);
    expect(told).toMatchObject({ code: 0 });
    expect(await started.receipt()).toMatchObject({ lines: 12, paid: 10, failed: 2, unknown: 0 });
    const paid = await paidOnChain(office.sandbox(), lines);
    expect(Object.values(paid).map((hashes) => hashes.length)).toEqual(lines.map(() => 1));
    expect(await memosOf(office.sandbox(), workflowId, { lines })).toEqual(paid);
    expect((await logs([reviewed, rejected, refused])).length).toBe(1);
    await office.restartWith({ deny: [...forbidden.slice(place + 1), someone()] });
    const again = await steadfastWith(backend.sign).retry(workflowId, [refused.lineId]);
    expect(await again.receipt()).toMatchObject({ lines: 12, paid: 11, failed: 1 });
    const transfers = await office.paid();
    expect(new Set(transfers).size).toBe(transfers.length);
    expect((await logs()).length).toBe(11);
  });
});
