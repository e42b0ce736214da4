import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Browser, startBrowser } from '../../../docs/screenshots/browser';
import { consolePages } from '../../../docs/screenshots/console/pages';
import { enrol, shows, signIn, visit } from '../../../docs/screenshots/console/people';
import { approvers } from '../../../src/cli/demo/office/officePolicy';
import { type Office, startOffice } from '../../../src/cli/demo/office/startOffice';
import { missingPrograms } from '../../support/missingPrograms';
import { workflowBundle } from '../../support/temporal';

const needed = missingPrograms(['chromium', 'ssh-keygen']);
const inBrowser = needed.length === 0 ? describe : describe.skip;
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const browserLifeMs = 500_000;
/** The first load of a page, with its style and its script. */
const bytesMax = 100_000;
/** A page that takes longer is broken. Figures are printed. */
const paintMsMax = 3_000;

const now: { office?: Office; browser?: Browser; origin: string } = { origin: '' };

const found = z.array(
  z.object({ id: z.string(), help: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
);
const loaded = z.object({ bytes: z.number(), paintMs: z.number() });

function pageOf() {
  if (now.browser === undefined) throw new Error('It is opened before the tests.');
  return now.browser.page;
}

async function open(path: string, has: string): Promise<void> {
  await visit(pageOf(), `${now.origin}${path}`);
  await pageOf().until(shows(has));
}

/** Returns the faults that axe finds in the page, as lines. */
async function barriers(): Promise<string[]> {
  await pageOf().run(`${axe}; undefined`);
  const text = await pageOf().run('axe.run().then((told) => JSON.stringify(told.violations))');
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
    now.browser = await startBrowser('chromium', browserLifeMs);
    const { page } = now.browser;
    await page.addDevice();
    const never = new Promise<never>(() => {});
    const { link, entered } = await now.office.invite(approvers[0], never);
    await enrol(page, link);
    await entered;
    await signIn(page, now.origin);
  });
  afterAll(async () => {
    await now.browser?.stop();
    await now.office?.stop();
  });

  for (const colors of ['light', 'dark'] as const) {
    test.each(consolePages)(`$name has no barrier in ${colors} colours`, async ({ path, has }) => {
      await pageOf().show({ width: 1280, colors });
      await open(path, has);
      expect(await barriers()).toEqual([]);
    });
  }

  test('a barrier would be found: a field without a label, and a text that is too pale', async () => {
    await open('/orders', 'Orders');
    const main = "document.querySelector('main')";
    await pageOf().run(`${main}.innerHTML += '<input><p id="pale">Too pale.</p>'`);
    // The content policy allows no style in the text of a page.
    await pageOf().run(`Object.assign(pale.style, { color: '#999', background: '#fff' })`);
    const ids = (await barriers()).map((told) => told.split(':')[0]);
    expect(ids.sort()).toEqual(['color-contrast', 'label']);
  });

  test.each(consolePages)('$name fits on a telephone', async ({ path, has }) => {
    await pageOf().show({ width: 320, colors: 'light' });
    await open(path, has);
    expect(await pageOf().run('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  });

  test.each(consolePages)('$name is used by the keyboard alone', async ({ path, has }) => {
    await pageOf().show({ width: 1280, colors: 'light' });
    await open(path, has);
    const all = Number(await pageOf().run(`${controls}.length`));
    const reached = new Set<number>();
    // The last one leads back to the first, past the browser itself.
    for (let step = 0; step < all + 1; step += 1) {
      await pageOf().press('Tab');
      const at = Number(await pageOf().run(`${controls}.indexOf(document.activeElement)`));
      const outline = await pageOf().run('getComputedStyle(document.activeElement).outlineStyle');
      if (at >= 0) expect(outline).not.toBe('none');
      if (at >= 0) reached.add(at);
    }
    expect(reached.size).toBe(all);
  });

  test.each(consolePages)('$name is light, and soon there', async ({ name, path, has }) => {
    await open(path, has);
    await pageOf().until(`performance.getEntriesByName('first-contentful-paint').length > 0`);
    const measured = await pageOf().run(`({
      bytes: [...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource')]
        .reduce((sum, { transferSize }) => sum + transferSize, 0),
      paintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    })`);
    const { bytes, paintMs } = loaded.parse(measured);
    process.stdout.write(`${name}: ${bytes} bytes, painted after ${Math.round(paintMs)} ms\n`);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
    expect(paintMs).toBeLessThan(paintMsMax);
  });
});
