import { z } from 'zod';
import { interruption } from '../../src/cli/interruption';
import { startStack } from '../../src/local/startStack';
import { type Frame, type Page, startBrowser } from './browser';
import { keep, remember, tell } from './keep';
import { setStage } from './stage';
import { proposedViews } from './views';

/** The path of the list of orders, and the columns that the browser shows in it. */
const workflows = '/namespaces/default/workflows';
const columns = ['SteadfastStatus', 'Workflow ID', 'Type', 'SteadfastRef', 'Start'];
/** The name of the shown view in the how-to. */
const shownView = 'On the chain';

/** Space below a list that is longer than its dialog. */
const marginPx = 16;

const rectangle = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});

/**
 * Takes the pictures of the documentation, from a stack of its own. It brings orders into the
 * states that operators meet, and opens Temporal UI in a browser without a window.
 * Usage: npx tsx docs/screenshots/take.ts [chromium]
 */
async function take(): Promise<void> {
  const { stopped } = interruption();
  const stack = startStack({
    temporal: { port: 0, uiPort: 0 },
    sandboxPort: 0,
    workerEnv: { CUSTODY_LOOKUP_GRACE_SECONDS: '2' },
  });
  const work = async (): Promise<void> => {
    const parts = await stack.ready;
    tell('The stack is up. Starting the orders of the pictures.');
    await setStage(parts);
    await photograph(parts.temporal.uiUrl ?? '');
  };
  try {
    if (typeof (await Promise.race([work(), stopped])) === 'string') process.exitCode = 130;
  } catch (error) {
    process.exitCode = 1;
    tell(String(error));
  }
  await stack.stop();
  process.exit();
}

async function photograph(ui: string): Promise<void> {
  const browser = await startBrowser(process.argv[2] ?? 'chromium');
  try {
    const { page } = browser;
    await lookAtList(page, ui);
    keep('orders-by-status', await page.picture({ height: 880 }));
    await lookAtDetails(page, ui, { id: 'transfer:invoice-4711', has: 'PENDING' });
    keep('transfer-settling', await page.picture({ height: 660 }));
    await lookAtDetails(page, ui, { id: 'deploy:acme', has: 'Paused since' });
    keep('deployment-paused', await page.picture({ height: 670 }));
    await lookAtDetails(page, ui, { id: 'transfer:invoice-4714', has: '--finding noEffect' });
    keep('transfer-unknown', await page.picture({ height: 890 }));
    keep('updates', await page.picture(await openUpdates(page)));
  } finally {
    await browser.stop();
  }
}

async function lookAtList(page: Page, ui: string): Promise<void> {
  await page.open(`${ui}${workflows}`);
  await page.until(`document.body.innerText.includes('Workflow ID')`);
  const views = proposedViews();
  const saved = views.map((view) => ({ ...view, id: view.name, type: 'user' }));
  await remember(page, 'saved-workflow-queries', { default: saved });
  const shown = columns.map((label) => ({ label }));
  await remember(page, 'namespace-workflow-table-columns', { default: shown });
  const query = views.find(({ name }) => name === shownView)?.query;
  if (query === undefined) throw new Error(`The how-to proposes no view "${shownView}".`);
  await page.open(`${ui}${workflows}?${new URLSearchParams({ query })}`);
  await page.until(`document.body.innerText.includes('Invoice 4713')`);
}

/** Opens the page of an order with its details panel, and waits until the panel is filled. */
async function lookAtDetails(page: Page, ui: string, order: { id: string; has: string }) {
  await page.open(`${ui}${workflows}/${order.id}`);
  // Wait for the newest run of this order, since the page shows the order before at first.
  await page.until(`/${order.id}\\/[^/]+\\/history$/.test(location.pathname)`);
  await page.click('[role=tab]', 'User Metadata');
  const panels = `[...document.querySelectorAll('iframe')]`;
  const text = '(one.contentDocument?.body?.innerText ?? "")';
  await page.until(`${panels}.some((one) => ${text}.includes('${order.has}'))`);
  // The panels are a line too short for their text, and would need scrolling.
  const inside = 'one.contentDocument.documentElement.scrollHeight';
  await page.run(`${panels}.forEach((one) => { one.style.height = ${inside} + 'px' })`);
}

/** Opens the list of updates in their dialog, and returns the frame around both. */
async function openUpdates(page: Page): Promise<Frame> {
  await page.click('button', 'More Actions');
  await page.click('[role=menuitem]', 'Send an Update');
  await page.until(`document.querySelector('dialog[open] #update-select')`);
  await page.run(`document.querySelector('dialog[open] #update-select').closest('button').click()`);
  const whole = `document.querySelector('dialog[open]')`;
  const list = `document.querySelector('dialog[open] [role=listbox]')`;
  await page.until(`${list}.innerText.includes('Say what became of a write')`);
  // The list shows four updates, and the rest only after scrolling.
  await page.run(`${list}.style.maxHeight = 'none'; ${whole}.style.overflow = 'visible'`);
  const box = (element: string): Promise<unknown> =>
    page.run(`JSON.parse(JSON.stringify(${element}.getBoundingClientRect()))`);
  const dialog = rectangle.parse(await box(whole));
  const open = rectangle.parse(await box(list));
  return { ...dialog, height: Math.max(dialog.height, open.y + open.height - dialog.y + marginPx) };
}

void take();
