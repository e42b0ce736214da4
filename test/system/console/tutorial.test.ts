import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type Page, startBrowser } from '../../../docs/screenshots/browser';
import { enter, shows, signIn, visit } from '../../../docs/screenshots/console/people';
import { approvers, requester } from '../../../src/cli/demo/office/officePolicy';
import { type Office, startOffice } from '../../../src/cli/demo/office/startOffice';
import { missingPrograms } from '../../support/missingPrograms';
import { workflowBundle } from '../../support/temporal';

const needed = missingPrograms(['chromium', 'ssh-keygen', 'python3']);
const inBrowser = needed.length === 0 ? test : test.skip;
const root = join(__dirname, '..', '..', '..');
const text = readFileSync(join(root, 'docs', 'tutorial', 'approve-a-payroll.md'), 'utf8');
const browserLifeMs = 500_000;
const lookAlike =
  'Line june.5 pays 0x523be5C3A07D4e918b62f3c5D19E4B708985EC7D, which looks like 0x523BE5C33dF156E5104B878dBa71445dB985Ec7d, "Mara Lind". Compare every digit (lookAlike)';

const now: { office?: Office; origin: string; browsers: Browser[] } = { origin: '', browsers: [] };

afterAll(async () => {
  await Promise.all(now.browsers.map((browser) => browser.stop()));
  await now.office?.stop();
});

/** A browser profile of a person who has enrolled and signed in. */
async function person(office: Office, name: string): Promise<Page> {
  const browser = await startBrowser('chromium', browserLifeMs);
  now.browsers.push(browser);
  const { page } = browser;
  const digits = await enter(page, office, name);
  await page.until(shows(digits ?? 'no digits'));
  await signIn(page, now.origin);
  return page;
}

/** Opens an order from the list of what waits. A worker that has just started asks again first. */
async function openWaiting(page: Page, id: string): Promise<void> {
  const links = '[...document.links].map(({ innerText }) => innerText)';
  await visitUntil(page, '/approvals', `${links}.includes('${id}')`);
  const href = await page.run(`[...document.links].find((one) => one.innerText === '${id}').href`);
  await visitUntil(page, new URL(String(href)).pathname, shows('What you sign'));
}

/** Words of the tutorial that a page has to show. */
function told(words: string): string {
  expect(text).toContain(words);
  return shows(words);
}

inBrowser('the tutorial of the payroll is right, step by step', async () => {
  const office = await startOffice({ port: 0, bundle: workflowBundle().codePath });
  now.office = office;
  now.origin = await office.ready;
  const [ann, bo] = [await person(office, approvers[0]), await person(office, approvers[1])];

  await openWaiting(ann, 'payout:salaries-06');
  await ann.until(told('53.75 USDC to 6 lines'));
  await ann.until(told(lookAlike));
  await ann.until(shows('2 new payees, 0 payees left out'));
  expect(text).toContain('june.5 is not the address of Mara');
  const reason = "document.querySelector('form.decide').reason";
  await ann.run(`${reason}.value = 'june.5 is not the address of Mara'`);
  await ann.click('button', 'Reject it for good');
  await visitUntil(ann, '/payouts/payout%3Asalaries-06', told('ann has rejected it'));

  const file = 'docs/tutorial/payroll/salaries-06-corrected.csv';
  const digest = execFileSync('python3', ['docs/scripts/digest.py', file], { cwd: root });
  await openWaiting(ann, 'payout:salaries-06-corrected');
  await ann.until(told(String(digest).trim()));
  expect(await ann.run(shows('which looks like'))).toBe(false);
  await ann.click('button', 'Approve with my passkey');
  await ann.until(told('Your approval was handed in'));
  await ann.until(told('You have approved it'));

  await openWaiting(bo, 'payout:salaries-06-corrected');
  await bo.until(told('Approved so far: ann'));
  await bo.click('button', 'Approve with my passkey');
  await bo.until(shows('Your approval was handed in'));
  await visit(bo, `${now.origin}/payouts/payout%3Asalaries-06-corrected`);
  await bo.until("document.querySelector('[data-told=paid]').textContent === '6'");
  expect(text).toContain('*Results as CSV*');
  const csv = "[...document.links].find((one) => one.innerText === 'Results as CSV').href";
  const results = await bo.run(`fetch(${csv}).then((answer) => answer.text())`);
  expect(String(results)).toMatch(/june\.6.*paid/);
  await visitUntil(bo, '/orders/payout%3Asalaries-06-corrected', shows('Receipt'));
  await bo.until(shows(String(digest).trim()));
  const approvals = "document.body.innerText.split('an approval was handed in').length - 1";
  expect(await bo.run(approvals)).toBe(2);

  const kim = await person(office, requester);
  await visit(kim, `${now.origin}/start/transfer`);
  for (const [name, value] of Object.entries({ to: 'Mara Lind', amount: '12.50', id: 'lunch-1' })) {
    expect(text).toContain(`\`${value}\``);
    await kim.run(`document.querySelector('[name="${name}"]').value = '${value}'`);
  }
  await kim.click('button', 'Show what I sign');
  await kim.until(`${shows('Request with my passkey')} && document.readyState === 'complete'`);
  await kim.click('button', 'Request with my passkey');
  await kim.until(shows('transfer:lunch-1'));
  await visitUntil(kim, '/orders/transfer%3Alunch-1', shows('Receipt'));
});

/** Loads a page again until it shows what a worker has to do first. */
async function visitUntil(page: Page, path: string, expression: string): Promise<void> {
  for (let look = 0; look < 20; look += 1) {
    await visit(page, `${now.origin}${path}`);
    if (await page.run(`Boolean(${expression})`)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await page.until(expression);
}
