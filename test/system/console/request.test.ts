import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';
import type { Page } from '../../../docs/screenshots/browser';
import { linesDigest } from '../../../src/checks/digest';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { untilRest } from '../../support/chain/outside';
import { someone } from '../../support/stages';
import { officeOf, type Passkeys } from '../authority/office';
import { barriersIn, consoleOf, inBrowser, shows } from './browsers';
import { paymentRules } from './paymentRules';

const suppliers = Array.from({ length: 4 }, () => someone());
const [blocked = ''] = suppliers;
/** The payout of this run, and the transfer that is withdrawn. */
const mark = randomUUID().slice(0, 8);
const [june, back] = [`payout:june-${mark}`, `transfer:back-${mark}`] as const;
const junePage = `/payouts/${encodeURIComponent(june)}`;
const backPage = `/orders/${encodeURIComponent(back)}`;

type Change = { passkeys: Record<string, Passkeys> };

const policyOf = (wallets: readonly Wallet[], { passkeys = {} }: Partial<Change>) => ({
  groups: { requesters: ['cy'], treasurers: ['ann', 'bo', 'cy'] },
  rules: paymentRules(wallets, { to: suppliers, signedBy: 'requesters', above: '0.05' }),
  passkeys,
});

const { folder, ...office } = officeOf<Change>('requests', policyOf, { hasArchive: true });
const { browserOf, enrol, signIn, openWaiting, visit, visitUntil, origin } = consoleOf({
  folder,
  ...office,
});
const now: { cy?: Page } = {};

/** Fills in a form of the page, and shows what it would sign. */
async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    await page.run(`document.querySelector('[name="${name}"]').value = ${JSON.stringify(value)}`);
  }
  await page.click('button', 'Show what I sign');
  await page.until(`${shows('What you sign')} && document.readyState === 'complete'`);
}

/** Chooses a file, as a person does by a dialogue. */
async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.run(`{
    const chosen = new DataTransfer();
    chosen.items.add(new File([${JSON.stringify(text)}], '${name}', { type: 'text/csv' }));
    document.querySelector('input[type=file]').files = chosen.files;
  }`);
}

async function block(method: 'PUT' | 'DELETE'): Promise<void> {
  const { origin: service, request } = office.sandbox();
  const { status } = await request(method, `${service}/_sandbox/blocklist/${blocked}`, {
    headers: {},
  });
  expect(status).toBeLessThan(300);
}

inBrowser('a payout from a file is requested, approved, paid, and in the books', async () => {
  const [ann, bo, cy] = [await browserOf(), await browserOf(), await browserOf()];
  now.cy = cy;
  const passkeys = {
    ann: await enrol('ann', ann),
    bo: await enrol('bo', bo),
    cy: await enrol('cy', cy),
  };
  await office.restartWith({ passkeys });
  for (const page of [ann, bo, cy]) await signIn(page);
  await block('PUT');
  const lines = ['0.01', '0.02', '0.03', '0.04'].map((amount, at) => {
    return { lineId: `line-${at}`, to: suppliers[at] ?? '', amount, token: 'USDC' };
  });
  const rows = lines.map(({ lineId, to, amount }) => `${lineId},${to},${amount}`);
  await visit(cy, `${origin()}/start/payout`);
  await choose(cy, 'june.csv', ['Number,Wallet Address,Amount', ...rows, ''].join('\n'));
  await cy.run('for (const box of document.querySelectorAll("[name=wallets]")) box.click()');
  await cy.run('document.querySelector("[name=batch]").click()');
  await fillIn(cy, { id: june.replace('payout:', ''), token: 'USDC', map: 'lineId=Number' });
  await cy.until(shows('0.1 USDC'));
  await cy.until(shows(linesDigest(lines)));
  await cy.click('button', 'Request with my passkey');
  await cy.until(`location.pathname === '${junePage}' && ${shows('Begun')}`);
  await office.untilAsked(june);
  expect(await office.paid()).toEqual([]);

  // A treasurer does not approve what they have requested.
  await openWaiting(cy, june);
  await cy.until(shows('Nobody approves an order that they request.'));
  await approveBoth([ann, bo]);
  await visit(cy, `${origin()}${junePage}`);
  await cy.until(`${shows('It stands as Done')} && document.readyState === 'complete'`);
  await cy.until("document.querySelector('[data-told=failed]').textContent === '1'");
  expect(ascending(await office.paid())).toEqual([20_000, 30_000, 40_000]);

  await block('DELETE');
  // The page loads itself once more when the payout ends.
  await cy.until(`document.querySelector('[data-is-over=true]') && ${shows('Retry')}`);
  await cy.run('document.querySelector("summary").click()');
  await cy.click('button', 'Retry this line');
  await cy.until(shows('The line line-0 is sent again'));
  await approveBoth([ann, bo]);
  await visit(cy, `${origin()}${junePage}`);
  await cy.until("document.querySelector('[data-told=paid]').textContent === '4'");
  expect(ascending(await office.paid())).toEqual([10_000, 20_000, 30_000, 40_000]);

  await cy.run(`fetch('${junePage}/results.csv').then((file) => file.text())
    .then((text) => { window.results = text; })`);
  await cy.until('window.results');
  const results = parse(String(await cy.run('window.results')), { columns: true });
  expect(results).toMatchObject(lines.map(({ lineId }) => ({ lineId, outcome: 'paid' })));
  await inTheBooks(cy, lines);
});

/** A time zone in which it is about noon, so that no midnight parts the payout from its day. */
function zoneOfNoon(): string {
  const hours = 12 - new Date().getUTCHours();
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** Closes the day of the payout, and finds the payout on the page of its books. */
async function inTheBooks(page: Page, lines: readonly { lineId: string }[]): Promise<void> {
  const { rpcUrl, chain } = office.sandbox();
  const zone = DateTime.now().setZone(zoneOfNoon());
  const [day, next] = [zone.toISODate() ?? '', zone.plus({ days: 1 }).startOf('day')];
  // A day is over once the chain has a block of the next one.
  await untilRest({ rpcUrl });
  await chain.mineBlock({ timestampS: next.toSeconds(), transactions: [] });
  const command = ['close', day, '--time-zone', zoneOfNoon(), '--json'];
  const { code, stdout } = await office.cli(command, { CHAIN_RPC_URL: rpcUrl });
  const { workflowId } = JSON.parse(stdout);
  expect({ code, workflowId }).toEqual({ code: 0, workflowId: expect.stringContaining(day) });

  const path = `/books/${encodeURIComponent(workflowId)}`;
  await visitUntil(page, '/books', `document.querySelector('td a[href="${path}"]')`);
  await page.run(`document.querySelector('td a[href="${path}"]').click()`);
  await page.until(shows('everything agrees to the base unit: 4 matched'));
  const out = "[...document.querySelectorAll('td[data-name=Out]')].map((cell) => cell.innerText)";
  await page.until(`${out}.includes('0.1')`);
  const link = "[...document.links].find((one) => one.innerText.startsWith('Receipts')).href";
  const text = String(await page.run(`fetch(${link}).then((file) => file.text())`));
  const receipts = text.split('\n').flatMap((row) => (row === '' ? [] : [JSON.parse(row)]));
  const paid = receipts.filter(
    ({ order, outcome }) => order.id === june && outcome === 'completed',
  );
  expect(paid.map(({ item }) => item).sort()).toEqual(lines.map(({ lineId }) => lineId));
}

/** Two people approve the payout, one after the other. */
async function approveBoth(pages: readonly Page[]): Promise<void> {
  for (const [given, page] of pages.entries()) {
    await office.untilAsked(june, given);
    await openWaiting(page, june);
    await page.click('button', 'Approve with my passkey');
    await page.until(shows('Your approval was handed in'));
  }
}

inBrowser(
  'somebody takes back a transfer that they have requested, and it pays nothing',
  async () => {
    const { cy } = now;
    if (cy === undefined) throw new Error('Cy has enrolled in the test before.');
    const before = await office.paid();
    await visit(cy, `${origin()}/start/transfer`);
    const [, to = ''] = suppliers;
    await fillIn(cy, { to, amount: '0.09', token: 'USDC', id: back });
    await cy.click('button', 'Request with my passkey');
    await cy.until(`location.pathname === '${backPage}' && ${shows('kind of order')}`);
    await office.untilAsked(back);
    await visit(cy, `${origin()}${backPage}`);
    const details = '[...document.querySelectorAll("details")].at(-1)';
    await cy.run(`${details}.open = true`);
    await cy.run(`${details}.querySelector('[name=reason]').value = 'a mistake'`);
    await cy.click('button', 'Withdraw with my passkey');
    await cy.until(shows(`What cy has signed for ${back} is withdrawn`));
    await cy.until(shows('It stands as Cancelled'));
    expect(await office.paid()).toEqual(before);
  },
);

inBrowser('the pages of requests have no barrier, and fit on a telephone', async () => {
  const { cy } = now;
  if (cy === undefined) throw new Error('Cy has enrolled in the test before.');
  const [, to = ''] = suppliers;
  const shown = async (): Promise<void> => {
    expect(await barriersIn(cy)).toEqual({ found: [], width: 320 });
  };
  for (const path of ['/start', '/start/payout', '/start/transfer']) {
    await visit(cy, `${origin()}${path}`);
    await shown();
  }
  await fillIn(cy, { to, amount: '0.09', token: 'USDC', id: 'seen' });
  await shown();
  await visit(cy, `${origin()}${backPage}`);
  await cy.run('for (const one of document.querySelectorAll("details")) one.open = true');
  await shown();
});

function ascending(numbers: readonly number[]): number[] {
  return [...numbers].sort((one, other) => one - other);
}
