import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { approvers, requester } from '../../src/cli/demo/office/officePolicy';
import { type Office, startOffice } from '../../src/cli/demo/office/startOffice';
import { interruption } from '../../src/cli/interruption';
import { type Page, startBrowser, type View } from './browser';
import { consolePages } from './console/pages';
import { enter, openPage, signIn } from './console/people';
import { smallPng } from './console/smallPng';
import { tell } from './keep';

/** As the documentation names it. The pages show no address of their own. */
const port = 4030;
const folder = join(__dirname, 'console');
/** A wide picture ends after so much. A narrow one shows what a telephone does. */
const heights: Readonly<Record<number, number>> = { 1280: 800, 320: 640 };
const lifeMs = 300_000;

const views: readonly (View & { name: string })[] = [
  { name: 'light', width: 1280, colors: 'light' },
  { name: 'dark', width: 1280, colors: 'dark' },
  { name: 'narrow-light', width: 320, colors: 'light' },
  { name: 'narrow-dark', width: 320, colors: 'dark' },
];

/**
 * Takes the pictures of the console, each page in each view, from an office of its own.
 * Usage: npx tsx docs/screenshots/takeConsole.ts [chromium]
 */
async function take(): Promise<void> {
  const { stopped } = interruption();
  const office = await startOffice({ port, tell });
  const work = async (): Promise<void> => photograph(office, await office.ready);
  try {
    if (typeof (await Promise.race([work(), stopped])) === 'string') process.exitCode = 130;
  } catch (error) {
    process.exitCode = 1;
    tell(String(error));
  }
  await office.stop();
  process.exit();
}

async function photograph(office: Office, origin: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const isOfRequester of [false, true]) {
    const person = isOfRequester ? requester : approvers[0];
    const pages = consolePages.filter((one) => (one.isOfRequester ?? false) === isOfRequester);
    await asPerson(office, person, async (page) => {
      for (const one of pages.filter(({ isOpen }) => isOpen === true)) {
        await takeViews(page, origin, one);
      }
      await signIn(page, origin);
      for (const one of pages.filter(({ isOpen }) => isOpen !== true)) {
        await takeViews(page, origin, one);
      }
    });
  }
}

/** A browser of a person who has passkeys, and has not signed in. */
async function asPerson(office: Office, person: string, work: (page: Page) => Promise<void>) {
  const browser = await startBrowser(process.argv[2] ?? 'chromium', lifeMs);
  const { page } = browser;
  try {
    await enter(page, office, person);
    await work(page);
  } finally {
    await browser.stop();
  }
}

async function takeViews(page: Page, origin: string, shown: (typeof consolePages)[number]) {
  for (const view of views) {
    await page.show(view);
    await openPage(page, origin, shown);
    const end = await page.run("document.querySelector('main').getBoundingClientRect().bottom");
    const isWhole = shown.isWhole === true && view.name === 'light';
    const most = isWhole ? Number.POSITIVE_INFINITY : (heights[view.width] ?? 0);
    const height = Math.min(Math.ceil(Number(end)), most);
    const picture = smallPng(await page.picture({ height }));
    const name = `${shown.name}-${view.name}.png`;
    writeFileSync(join(folder, name), picture);
    tell(`console/${name}: ${Math.round(picture.length / 1024)} kB`);
  }
}

void take();
