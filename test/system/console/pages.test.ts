import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  type Browser,
  type Page,
  startBrowser,
  type View,
} from '../../../docs/screenshots/browser';
import { type ConsolePage, consolePages } from '../../../docs/screenshots/console/pages';
import { enter, openPage, signIn } from '../../../docs/screenshots/console/people';
import { approvers, requester } from '../../../src/cli/demo/office/officePolicy';
import { type Office, startOffice } from '../../../src/cli/demo/office/startOffice';
import { missingPrograms } from '../../support/missingPrograms';
import { workflowBundle } from '../../support/temporal';

const needed = missingPrograms(['chromium', 'ssh-keygen']);
const inBrowser = needed.length === 0 ? describe : describe.skip;
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const browserLifeMs = 500_000;
const wide: View = { width: 1280, colors: 'light' };
type Shown = Omit<ConsolePage, 'name'>;
/** The first load of a page, with its style and its script. */
const bytesMax = 100_000;
/** A page that takes longer is broken. Figures are printed. */
const paintMsMax = 3_000;

type Now = { office?: Office; browsers: Record<string, Browser>; origin: string };
const now: Now = { browsers: {}, origin: '' };

const found = z.array(
  z.object({ id: z.string(), help: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
);
const loaded = z.object({ bytes: z.number(), paintMs: z.number() });

function pageOf(person: string): Page {
  const browser = now.browsers[person];
  if (browser === undefined) throw new Error('It is opened before the tests.');
  return browser.page;
}

/** Opens a page of the console, in the window of the person whom it is for. */
async function open(shown: Shown, view: View = wide): Promise<Page> {
  const page = pageOf(shown.isOfRequester ? requester : approvers[0]);
  await page.show(view);
  await openPage(page, now.origin, shown);
  return page;
}

/** Opens the browser of a person who has passkeys, and signs in. */
async function openBrowser(office: Office, person: string): Promise<void> {
  const browser = await startBrowser('chromium', browserLifeMs);
  now.browsers[person] = browser;
  const { page } = browser;
  await enter(page, office, person);
  await signIn(page, now.origin);
}

/** Returns the faults that axe finds in the page, as lines. */
async function barriers(page: Page): Promise<string[]> {
  await page.run(`${axe}; undefined`);
  const text = await page.run('axe.run().then((told) => JSON.stringify(told.violations))');
  return found.parse(JSON.parse(String(text))).map(({ id, help, nodes }) => {
    return `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`;
  });
}

/** Controls that somebody may want to reach, by their places in the page. */
const controls = `[...document.querySelectorAll('a[href], button, input, select, [tabindex]')]
  .filter((one) => one.type !== 'hidden' && one.checkVisibility())`;

inBrowser('the pages of the console', () => {
  beforeAll(async () => {
    now.office = await startOffice({ port: 0, bundle: workflowBundle().codePath });
    now.origin = await now.office.ready;
    for (const person of [approvers[0], requester]) await openBrowser(now.office, person);
  });
  afterAll(async () => {
    for (const browser of Object.values(now.browsers)) await browser.stop();
    await now.office?.stop();
  });

  for (const colors of ['light', 'dark'] as const) {
    test.each(consolePages)(`$name has no barrier in ${colors} colours`, async (shown) => {
      const page = await open(shown, { width: 1280, colors });
      expect(await barriers(page)).toEqual([]);
    });
  }

  test('a barrier would be found: a field without a label, and a text that is too pale', async () => {
    const page = await open({ path: '/orders', has: 'Orders' });
    const main = "document.querySelector('main')";
    await page.run(`${main}.innerHTML += '<input><p id="pale">Too pale.</p>'`);
    // The content policy allows no style in the text of a page.
    await page.run(`Object.assign(pale.style, { color: '#999', background: '#fff' })`);
    const ids = (await barriers(page)).map((told) => told.split(':')[0]);
    expect(ids.sort()).toEqual(['color-contrast', 'label']);
  });

  test.each(consolePages)('$name fits on a telephone', async (shown) => {
    const page = await open(shown, { width: 320, colors: 'light' });
    expect(await page.run('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  });

  test.each(consolePages)('$name is used by the keyboard alone', async (shown) => {
    const page = await open(shown);
    const all = Number(await page.run(`${controls}.length`));
    const dates = Number(await page.run("document.querySelectorAll('[type=date]').length"));
    const reached = new Set<number>();
    // A date has places of its own. The last one leads back to the first, past the browser itself.
    for (let step = 0; step < all + 4 * dates + 1; step += 1) {
      await page.press('Tab');
      const at = Number(await page.run(`${controls}.indexOf(document.activeElement)`));
      const outline = await page.run('getComputedStyle(document.activeElement).outlineStyle');
      if (at >= 0) expect(outline).not.toBe('none');
      if (at >= 0) reached.add(at);
    }
    expect(reached.size).toBe(all);
  });

  test.each(consolePages)('$name is light, and soon there', async (shown) => {
    const page = await open(shown);
    await page.until(`performance.getEntriesByName('first-contentful-paint').length > 0`);
    const measured = await page.run(`({
      bytes: [...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource')]
        .reduce((sum, { transferSize }) => sum + transferSize, 0),
      paintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    })`);
    const { bytes, paintMs } = loaded.parse(measured);
    process.stdout.write(
      `${shown.name}: ${bytes} bytes, painted after ${Math.round(paintMs)} ms\n`,
    );
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
    expect(paintMs).toBeLessThan(paintMsMax);
  });
});
