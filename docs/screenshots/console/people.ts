import type { Office } from '../../../src/cli/demo/office/startOffice';
import type { Page } from '../browser';
import type { ConsolePage } from './pages';

/** True once the page shows these words. */
export function shows(words: string): string {
  return `document.body?.innerText.includes(${JSON.stringify(words)})`;
}

/** Opens an address, and waits for the script of its page: it hears no click before. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.open(url);
  const isThere = `location.href === ${JSON.stringify(url)}`;
  await page.until(`${isThere} && document.readyState === 'complete'`);
}

/** Opens a page of the console, or the one that it leads on to. */
export async function openPage(
  page: Page,
  origin: string,
  { path, leadsOn, has }: Pick<ConsolePage, 'path' | 'leadsOn' | 'has'>,
): Promise<void> {
  await visit(page, `${origin}${path}`);
  if (leadsOn !== undefined) await page.run(leadsOn);
  await page.until(`${shows(has)} && document.readyState === 'complete'`);
}

/** Makes both passkeys by the link of an invitation. */
export async function enrol(page: Page, link: string): Promise<void> {
  await visit(page, link);
  await page.click('button', 'Make both passkeys');
  await page.until(shows('Read these digits to the owner of the policy'));
}

/**
 * Makes the passkeys of a person of an office in a new browser. Returns the digits that the owner
 * of the policy compares.
 */
export async function enter(page: Page, office: Office, person: string) {
  await page.addDevice();
  const { link, entered } = await office.invite(person, new Promise<never>(() => {}));
  await enrol(page, link);
  return entered;
}

/** Signs in at a console, with the passkey of the page's device. */
export async function signIn(page: Page, origin: string): Promise<void> {
  await visit(page, `${origin}/sign-in`);
  await page.click('button', 'Sign in with a passkey');
  await page.until(`${shows('Sign out')} && document.readyState === 'complete'`);
}
