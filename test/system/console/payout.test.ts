import { randomUUID } from 'node:crypto';
import { getAddress } from 'viem';
import type { Page } from '../../../docs/screenshots/browser';
import { linesDigest } from '../../../src/checks/digest';
import { someone } from '../../support/stages';
import { officeOf, type Passkeys } from '../authority/office';
import { consoleOf, inBrowser, shows } from './browsers';
import { paymentRules } from './paymentRules';

const suppliers = Array.from({ length: 3 }, () => someone());
const rejected = someone();
/** The payout of this run, and the transfer that is rejected. */
const payoutId = `page-${randomUUID().slice(0, 8)}`;
const paged = `payout:${payoutId}`;
const refused = `transfer:${payoutId}`;

type Change = { passkeys: Record<string, Passkeys> };

const { keys, folder, ...office } = officeOf<Change>('console', (wallets, { passkeys = {} }) => {
  const payments = { to: [...suppliers, rejected], signedBy: 'backends', above: '0.001' };
  const groups = { treasurers: ['ann', 'bo'] };
  return { groups, rules: paymentRules(wallets, payments), passkeys };
});

const { browserOf, enrol, signIn, openWaiting, origin } = consoleOf({ folder, ...office });
/** The browser of Bo, who decides in both tests. */
const now: { bo?: Page } = {};

inBrowser('two people approve a payout in their browsers, and see it paid', async () => {
  const [ann, bo] = [await browserOf(), await browserOf()];
  now.bo = bo;
  const passkeys = { ann: await enrol('ann', ann), bo: await enrol('bo', bo) };
  await office.restartWith({ passkeys });
  const lines = ['0.01', '0.02', '0.03', '0.04'].map((amount, at) => {
    return { lineId: `line-${at}`, to: suppliers[at % 3] ?? '', amount, token: 'USDC' };
  });
  const order = { payoutId, wallets: office.wallets().map(({ id }) => id) };
  const client = office.steadfastWith(keys.backend.sign);
  const started = await client.payout(order, lines);
  await office.untilAsked(paged);

  await signIn(ann);
  await openWaiting(ann, paged);
  await ann.until(shows('0.1 USDC to 4 lines'));
  await ann.until(shows(linesDigest(lines)));
  await ann.until(shows(getAddress(suppliers[0] ?? '')));
  await ann.click('button', 'Approve with my passkey');
  await office.untilAsked(paged, 1);
  await ann.until(shows('You have approved it.'));
  expect(await office.paid()).toEqual([]);

  await signIn(bo);
  await openWaiting(bo, paged);
  await bo.until(shows('Approved so far: ann'));
  await bo.click('button', 'Approve with my passkey');
  await bo.until(shows('Your approval was handed in'));
  await bo.open(`${origin()}/payouts/${encodeURIComponent(paged)}`);
  expect(await started.receipt()).toMatchObject({ lines: 4, paid: 4 });
  // The page hears of the end by itself.
  await bo.until(shows('It stands as Done'));
  await bo.until("document.querySelector('[data-told=paid]').textContent === '4'");
  expect((await office.paid()).sort()).toEqual([10_000, 20_000, 30_000, 40_000]);
});

inBrowser('somebody rejects an order with a reason, and it pays nothing', async () => {
  const page = now.bo;
  if (page === undefined) throw new Error('Bo has enrolled in the test before.');
  const [wallet] = office.wallets();
  const before = await office.paid();
  const { receipt } = await office
    .steadfastWith(keys.backend.sign)
    .start('transferStablecoin', refused, {
      from: { walletId: wallet?.id ?? '' },
      to: rejected,
      amount: '0.05',
      token: 'USDC',
    });
  await office.untilAsked(refused);
  await openWaiting(page, refused);
  await page.click('button', 'Reject it for good');
  await page.until(shows('Give the reason why you reject it.'));
  await page.run("document.querySelector('form.decide').reason.value = 'unknown invoice'");
  await page.click('button', 'Reject it for good');
  await expect(receipt()).rejects.toThrow('bo has rejected it');
  expect(await office.paid()).toEqual(before);
});
