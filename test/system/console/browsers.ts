import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type Page, startBrowser } from '../../../docs/screenshots/browser';
import type { Child } from '../../../src/local/childProcess';
import { freePorts } from '../../../src/local/freePorts';
import { startReady } from '../../../src/local/startReady';
import { startCli } from '../../cli/runCli';
import { missingPrograms } from '../../support/missingPrograms';
import { temporalAddress } from '../../support/temporal';
import type { Passkeys } from '../authority/office';

/** A test in a real browser, where there is one. */
export const inBrowser = missingPrograms(['chromium']).length === 0 ? test : test.skip;

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const root = join(__dirname, '..', '..', '..');
const browserLifeMs = 500_000;

type Office = {
  taskQueue: string;
  folder: string;
  /** The variables of the files that its worker has, too. */
  filed: Record<string, string>;
  entity: () => string;
};

/** True in a page that shows words. */
export const shows = (words: string): string => `document.body?.innerText.includes('${words}')`;

/** The barriers that axe finds in a page, in light and in dark colours, and its width at 320. */
export async function barriersIn(page: Page): Promise<{ found: string[]; width: number }> {
  const found: string[] = [];
  for (const colors of ['light', 'dark'] as const) {
    await page.show({ width: 1280, colors });
    await page.run(`${axe}; undefined`);
    const told = 'axe.run().then(({ violations }) => JSON.stringify(violations))';
    const all: { id: string }[] = JSON.parse(String(await page.run(told)));
    found.push(...all.map((one) => JSON.stringify(one)));
  }
  await page.show({ width: 320, colors: 'light' });
  const width = Number(await page.run('document.documentElement.scrollWidth'));
  await page.show({ width: 1280, colors: 'light' });
  return { found, width };
}

/** A console as a program of its own, and people with a browser and a device of their own each. */
export function consoleOf(office: Office) {
  const now: {
    console?: Child;
    env: Record<string, string>;
    origin: string;
    browsers: Browser[];
  } = { env: {}, origin: '', browsers: [] };

  beforeAll(async () => {
    const [port = 0] = await freePorts([0]);
    now.origin = `http://localhost:${port}`;
    now.env = {
      TEMPORAL_ADDRESS: temporalAddress(),
      STEADFAST_TASK_QUEUE: office.taskQueue,
      STEADFAST_POLICY_FILE: join(office.folder, 'policy.json'),
      STEADFAST_CONSOLE_FILE: join(office.folder, 'console.db'),
      STEADFAST_CONSOLE_PORT: String(port),
      STEADFAST_ENTITY_ID: office.entity(),
      ...office.filed,
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

  /** Opens an address, and waits for the script of its page: it hears no click before. */
  const visit = async (page: Page, url: string): Promise<void> => {
    await page.open(url);
    await page.until(`location.href === '${url}' && document.readyState === 'complete'`);
  };

  /** Loads a page again until an expression holds in it: some of it comes a moment later. */
  const visitUntil = async (page: Page, path: string, expression: string): Promise<void> => {
    for (let look = 0; look < 60; look += 1) {
      await visit(page, `${now.origin}${path}`);
      if (await page.run(`Boolean(${expression})`)) return;
      await sleep(500);
    }
    await page.until(expression);
  };

  return {
    origin: () => now.origin,
    /** The variables of its process. */
    env: () => now.env,
    visit,
    visitUntil,
    /** Opens a browser with a device that makes passkeys. */
    browserOf: async (): Promise<Page> => {
      const browser = await startBrowser('chromium', browserLifeMs);
      now.browsers.push(browser);
      await browser.page.addDevice();
      return browser.page;
    },
    /** Makes the passkeys of a person by an invitation, and returns the lines that it prints. */
    enrol: async (person: string, page: Page): Promise<Passkeys> => {
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
    },
    signIn: async (page: Page): Promise<void> => {
      await visit(page, `${now.origin}/sign-in`);
      await page.click('button', 'Sign in with a passkey');
      await page.until(shows('Sign out'));
    },
    /** Opens the page of an order from the list of all that waits. */
    openWaiting: async (page: Page, id: string): Promise<void> => {
      await visitUntil(page, '/approvals', shows(id));
      await page.click('a', id);
      await page.until(`${shows('What you sign')} && document.readyState === 'complete'`);
    },
  };
}
