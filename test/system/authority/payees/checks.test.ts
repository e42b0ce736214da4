import { getAddress } from 'viem';
import { tokenTransfers } from '../../../support/sandbox';
import { someone } from '../../../support/stages';
import { officeOf } from '../office';

const ann = someone();
/** The first and the last digits of the payee, with other ones between. */
const likeAnn = `${ann.slice(0, 6)}${someone().slice(6, 38)}${ann.slice(38)}`;

const { keys, ...office } = officeOf<object>(
  'checks',
  (wallets) => {
    const limit = {
      id: 'out',
      kind: 'limit',
      orders: ['transferStablecoin', 'payout'],
      wallets: wallets.map(({ id }) => id),
      tokens: ['USDC'],
      to: 'anyone',
      perTransfer: '1',
      signedBy: 'backends',
    };
    const tier = { id: 'large', kind: 'approval', above: '1000', need: 2, of: 'treasurers' };
    const checks = { newPayee: 'approve', lookAlike: 'refuse', paidBefore: 'approve' };
    return {
      groups: { treasurers: ['ann', 'bo'] },
      rules: [
        limit,
        { ...tier, within: 48 },
        { id: 'payees', kind: 'check', checks, beyond: 'large' },
      ],
    };
  },
  { book: `name,address\nAnn Berg,${ann}\n` },
);
const { backend, ann: annKey, bo } = keys;
const { steadfastWith, untilAsked, approve } = office;

const orderOf = (to: string, amount: string) => {
  const [wallet] = office.wallets();
  return { from: { walletId: wallet?.id ?? '' }, to, amount, token: 'USDC' } as const;
};

/** Starts a transfer as a caller whose client runs no checks. */
const transfer = (id: string, to: string, amount = '0.01') =>
  steadfastWith(backend.sign).start('transferStablecoin', id, orderOf(to, amount));

/** The number of payments that somebody has got, by the logs of the chain. */
async function got(to: string): Promise<number> {
  return (await tokenTransfers(office.sandbox().rpcUrl, { to: getAddress(to) })).length;
}

test('a look-alike of a known payee is refused, although its caller checks nothing', async () => {
  const { receipt } = await transfer('transfer:like', likeAnn);
  await expect(receipt()).rejects.toThrow(
    `The rule payees (lookAlike): it pays ${getAddress(likeAnn)}, which looks like ` +
      `${getAddress(ann)}, "Ann Berg". Compare every digit.`,
  );
  const paid = await (await transfer('transfer:right', ann)).receipt();
  expect(paid.grounds).toMatchObject({
    checked: { found: { newPayee: 'clear', lookAlike: 'clear', paidBefore: 'clear' } },
  });
  expect([await got(likeAnn), await got(ann)]).toEqual([0, 1]);
});

test('a new payee waits for people who see why, and is paid once', async () => {
  const to = someone();
  const { receipt } = await transfer('transfer:new', to);
  await untilAsked('transfer:new');
  expect(await got(to)).toBe(0);
  const shown = await office.cli(['approvals', 'show', 'transfer:new']);
  expect(shown.stdout + shown.stderr).toContain('the check newPayee of the rule payees');
  expect(await approve('transfer:new', annKey)).toMatchObject({ code: 0 });
  await untilAsked('transfer:new', 1);
  expect(await got(to)).toBe(0);
  expect(await approve('transfer:new', bo)).toMatchObject({ code: 0 });
  const paid = await receipt();
  expect(paid.grounds).toMatchObject({
    approvedBy: ['ann', 'bo'],
    checked: { found: { newPayee: 'review' } },
  });
  expect(await got(to)).toBe(1);
});

test('a dry run tells what the writer finds', async () => {
  const plan = (to: string) =>
    steadfastWith(backend.sign).plan('transferStablecoin', 'transfer:dry', orderOf(to, '0.02'));
  const [refused] = (await plan(likeAnn)).writes;
  expect(refused?.policy).toContain('refused. The rule payees (lookAlike): it pays');
  const [asked] = (await plan(someone())).writes;
  expect(asked?.policy).toMatch(
    /The rule payees \(newPayee\): .* The rule large asks 2 of ann, bo/,
  );
  const [allowed] = (await plan(ann)).writes;
  expect(allowed?.policy).toBe('allowed by out.');
});

test('the same amount to the same payee under another id waits for people, and is not paid', async () => {
  const { receipt } = await transfer('transfer:again', ann);
  await untilAsked('transfer:again');
  const { progress } = await steadfastWith().status('transfer:again');
  expect(JSON.stringify(progress)).toContain('as in transfer:right, less than a day ago');
  await steadfastWith().cancel('transfer:again', 'it was paid before');
  await expect(receipt()).rejects.toThrow();
  expect(await got(ann)).toBe(1);
});
