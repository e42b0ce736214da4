import { z } from 'zod';
import { interruption } from '../../src/cli/interruption';
import { startStack } from '../../src/stack/startStack';
import { type Frame, type Page, startBrowser } from './browser';
import { keep, remember, tell } from './keep';
import { setStage } from './stage';
import { proposedViews } from './views';

/** Where the pages of orders begin, and what the browser keeps of its user's wishes. */
const workflows = '/namespaces/default/workflows';
const columns = ['SteadfastStatus', 'Workflow ID', 'Type', 'SteadfastRef', 'Start'];
/** The view that is shown, by the name that it has in the how-to. */
const shownView = 'On the chain';

/** Below a list that is longer than its dialog. */
const marginPx = 16;

const rectangle = z.object({
  ...{ x: z.number(), y: z.number(), width: z.number(), height: z.number() },
});

/**
 * Takes the pictures of the documentation anew, from a stack of its own: orders are brought to
 * where operators meet them, and Temporal UI is looked at in a browser without a window. Usage:
 * npx tsx docs/screenshots/take.ts [chromium]
 */
async function take(): Promise<void> {
  const { stopped } = interruption();
  const stack = startStack({
    ...{ temporal: { port: 0, uiPort: 0 }, sandboxPort: 0 },
    workerEnv: { CUSTODY_LOOKUP_GRACE_SECONDS: '2' },
  });
  const work = async (): Promise<void> => {
    const parts = await stack.ready;
    tell('The stack is up; bringing orders to where they are to be seen.');
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

/** The page of an order with the details panel, once the panel is filled. */
async function lookAtDetails(page: Page, ui: string, order: { id: string; has: string }) {
  await page.open(`${ui}${workflows}/${order.id}`);
  // Where the newest run is shown, and not the order before.
  await page.until(`/${order.id}\\/[^/]+\\/history$/.test(location.pathname)`);
  await page.click('[role=tab]', 'User Metadata');
  const panels = `[...document.querySelectorAll('iframe')]`;
  const text = '(one.contentDocument?.body?.innerText ?? "")';
  await page.until(`${panels}.some((one) => ${text}.includes('${order.has}'))`);
  // The panels are a line too short for what is in them, and would have to be scrolled.
  const inside = 'one.contentDocument.documentElement.scrollHeight';
  await page.run(`${panels}.forEach((one) => { one.style.height = ${inside} + 'px' })`);
}

/** Opens the list of updates in their dialog; returns where both are. */
async function openUpdates(page: Page): Promise<Frame> {
  await page.click('button', 'More Actions');
  await page.click('[role=menuitem]', 'Send an Update');
  await page.until(`document.querySelector('dialog[open] #update-select')`);
  await page.run(`document.querySelector('dialog[open] #update-select').closest('button').click()`);
  const whole = `document.querySelector('dialog[open]')`;
  const list = `document.querySelector('dialog[open] [role=listbox]')`;
  await page.until(`${list}.innerText.includes('Say what became of a write')`);
  // It shows four, and the rest when it is scrolled.
  await page.run(`${list}.style.maxHeight = 'none'; ${whole}.style.overflow = 'visible'`);
  const box = (element: string): Promise<unknown> =>
    page.run(`JSON.parse(JSON.stringify(${element}.getBoundingClientRect()))`);
  const dialog = rectangle.parse(await box(whole));
  const open = rectangle.parse(await box(list));
  return { ...dialog, height: Math.max(dialog.height, open.y + open.height - dialog.y + marginPx) };
}

void take();
