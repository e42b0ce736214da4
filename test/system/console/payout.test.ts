import { join } from 'node:path';
import { getAddress } from 'viem';
import { type Browser, startBrowser } from '../../../docs/screenshots/browser';
import { linesDigest } from '../../../src/checks/digest';
import type { Child } from '../../../src/local/childProcess';
import { freePorts } from '../../../src/local/freePorts';
import { startReady } from '../../../src/local/startReady';
import { startCli } from '../../cli/runCli';
import { missingPrograms } from '../../support/missingPrograms';
import { someone } from '../../support/stages';
import { temporalAddress } from '../../support/temporal';
import { officeOf, type Passkeys } from '../authority/office';

const inBrowser = missingPrograms(['chromium']).length === 0 ? test : test.skip;
const root = join(__dirname, '..', '..', '..');
const browserLifeMs = 500_000;
const suppliers = Array.from({ length: 3 }, () => someone());
const rejected = someone();

type Change = { passkeys: Record<string, Passkeys> };

const { keys, folder, ...office } = officeOf<Change>('console', (wallets, { passkeys = {} }) => {
  const limit = {
    id: 'out',
    kind: 'limit',
    orders: ['payout', 'transferStablecoin'],
    wallets: wallets.map(({ id }) => id),
    tokens: ['USDC'],
    to: [...suppliers, rejected],
    perTransfer: '1',
    signedBy: 'backends',
  };
  const tier = { id: 'large', kind: 'approval', above: '0.001', need: 2, of: 'treasurers' };
  return {
    groups: { treasurers: ['ann', 'bo'] },
    rules: [limit, { ...tier, within: 48, with: 'any' }],
    passkeys,
  };
});

/** The console and two people, each with a browser and a device of their own. */
const now: { console?: Child; env: Record<string, string>; origin: string; browsers: Browser[] } = {
  env: {},
  origin: '',
  browsers: [],
};

beforeAll(async () => {
  const [port = 0] = await freePorts([0]);
  now.origin = `http://localhost:${port}`;
  now.env = {
    TEMPORAL_ADDRESS: temporalAddress(),
    STEADFAST_TASK_QUEUE: office.taskQueue,
    STEADFAST_POLICY_FILE: join(folder, 'policy.json'),
    STEADFAST_CONSOLE_FILE: join(folder, 'console.db'),
    STEADFAST_CONSOLE_PORT: String(port),
  };
  const { PATH = '', HOME = '' } = process.env;
  const { child } = await startReady({
    command: [process.execPath, join(root, 'scripts', 'steadfast.js'), 'console'],
    env: { PATH, HOME, ...now.env },
    ready: /^Console ready: (\S+)$/,
    timeoutMs: 60_000,
  });
  now.console = child;
});
afterAll(async () => {
  await Promise.all(now.browsers.map((browser) => browser.stop()));
  await now.console?.stop();
});

/** Opens a browser with a device that makes passkeys. */
async function browserOf() {
  const browser = await startBrowser('chromium', browserLifeMs);
  now.browsers.push(browser);
  await browser.page.addDevice();
  return browser.page;
}

type Page = Awaited<ReturnType<typeof browserOf>>;

const shows = (words: string): string => `document.body?.innerText.includes('${words}')`;

/** Makes the passkeys of a person by an invitation, and returns the lines that it prints. */
async function enrol(person: string, page: Page): Promise<Passkeys> {
  const { child, ended } = startCli(['console', 'invite', person, '--json'], now.env);
  const link = await new Promise<string>((resolve) => {
    child.stderr?.on('data', (chunk) => {
      const [found] = /http:\/\/localhost:\d+\/enrol\/\S+/.exec(String(chunk)) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  try {
    await visit(page, link);
    await page.click('button', 'Make both passkeys');
    await page.until(shows('Read these digits to the owner of the policy'));
    const { code, stdout } = await ended;
    const { digits, approval, signIn: line } = JSON.parse(stdout);
    await page.until(shows(digits));
    expect(code).toBe(0);
    return { keys: [approval], signIn: [line] };
  } finally {
    child.kill();
  }
}

/** Opens an address, and waits for the script of its page: it hears no click before. */
async function visit(page: Page, url: string): Promise<void> {
  await page.open(url);
  await page.until(`location.href === '${url}' && document.readyState === 'complete'`);
}

async function signIn(page: Page): Promise<void> {
  await visit(page, `${now.origin}/sign-in`);
  await page.click('button', 'Sign in with a passkey');
  await page.until(shows('Sign out'));
}

/** Opens the page of an order from the list of all that waits. */
async function openWaiting(page: Page, id: string): Promise<void> {
  await visit(page, `${now.origin}/approvals`);
  await page.until(shows(id));
  await page.click('a', id);
  await page.until(`${shows('What you sign')} && document.readyState === 'complete'`);
}

inBrowser('two people approve a payout in their browsers, and see it paid', async () => {
  const [ann, bo] = [await browserOf(), await browserOf()];
  const passkeys = { ann: await enrol('ann', ann), bo: await enrol('bo', bo) };
  await office.restartWith({ passkeys });
  const lines = ['0.01', '0.02', '0.03', '0.04'].map((amount, at) => {
    return { lineId: `line-${at}`, to: suppliers[at % 3] ?? '', amount, token: 'USDC' };
  });
  const order = { payoutId: 'page', wallets: office.wallets().map(({ id }) => id) };
  const client = office.steadfastWith(keys.backend.sign);
  const started = await client.payout(order, lines);
  await office.untilAsked('payout:page');

  await signIn(ann);
  await openWaiting(ann, 'payout:page');
  await ann.until(shows('0.1 USDC to 4 lines'));
  await ann.until(shows(linesDigest(lines)));
  await ann.until(shows(getAddress(suppliers[0] ?? '')));
  await ann.click('button', 'Approve with my passkey');
  await office.untilAsked('payout:page', 1);
  await ann.until(shows('You have approved it.'));
  expect(await office.paid()).toEqual([]);

  await signIn(bo);
  await openWaiting(bo, 'payout:page');
  await bo.until(shows('Approved so far: ann'));
  await bo.click('button', 'Approve with my passkey');
  await bo.until(shows('Your approval was handed in'));
  await bo.open(`${now.origin}/payouts/payout%3Apage`);
  expect(await started.receipt()).toMatchObject({ lines: 4, paid: 4 });
  // The page hears of the end by itself.
  await bo.until(shows('It stands as Done'));
  await bo.until("document.querySelector('[data-told=paid]').textContent === '4'");
  expect((await office.paid()).sort()).toEqual([10_000, 20_000, 30_000, 40_000]);
});

inBrowser('somebody rejects an order with a reason, and it pays nothing', async () => {
  const page = now.browsers.at(-1)?.page;
  if (page === undefined) throw new Error('Bo has enrolled in the test before.');
  const [wallet] = office.wallets();
  const before = await office.paid();
  const { receipt } = await office
    .steadfastWith(keys.backend.sign)
    .start('transferStablecoin', 'transfer:rejected', {
      from: { walletId: wallet?.id ?? '' },
      to: rejected,
      amount: '0.05',
      token: 'USDC',
    });
  await office.untilAsked('transfer:rejected');
  await openWaiting(page, 'transfer:rejected');
  await page.click('button', 'Reject it for good');
  await page.until(shows('Give the reason why you reject it.'));
  await page.run("document.getElementById('decide').reason.value = 'unknown invoice'");
  await page.click('button', 'Reject it for good');
  await expect(receipt()).rejects.toThrow('bo has rejected it');
  expect(await office.paid()).toEqual(before);
});
