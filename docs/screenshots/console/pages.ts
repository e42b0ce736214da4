import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of the console, as its picture and its tests find it. */
export type ConsolePage = {
  /** The name of its pictures. */
  name: string;
  path: string;
  /** Runs there, and leads on to the page. */
  leadsOn?: string;
  /** Words that it shows once it is there. */
  has: string;
  /** True for a page that strangers see. */
  isOpen?: boolean;
  /** True for a page whose wide picture in light colours shows all of it. */
  isWhole?: boolean;
  /** True for a page of the person who asks for payments. */
  isOfRequester?: boolean;
};

const tutorial = join(__dirname, '..', '..', 'tutorial', 'payroll');
const salaries = readFileSync(join(tutorial, 'salaries-06-corrected.csv'), 'utf8');

/** Fills in the form of a payout, and shows what it would sign. */
const fillIn = `{
  const chosen = new DataTransfer();
  chosen.items.add(new File([${JSON.stringify(salaries)}], 'salaries-07.csv'));
  document.querySelector('[name=file]').files = chosen.files;
  document.querySelector('[name=wallets]').checked = true;
  document.querySelector('[name=id]').value = 'salaries-07';
  document.querySelector('[data-action=draft]').click();
}`;

/** Every page of the console, with the data of `npm run console`. */
export const consolePages: readonly ConsolePage[] = [
  { name: 'sign-in', path: '/sign-in', has: 'Sign in with a passkey', isOpen: true },
  { name: 'approvals', path: '/approvals', has: 'For you' },
  {
    name: 'question',
    path: '/approvals/payout%3Asalaries-06',
    has: 'What you sign',
    isWhole: true,
  },
  { name: 'payouts', path: '/payouts', has: 'payout:salaries-05' },
  { name: 'payout', path: '/payouts/payout%3Asalaries-05', has: 'Lines' },
  { name: 'orders', path: '/orders', has: 'provision:office' },
  { name: 'order', path: '/orders/payout%3Asalaries-05', has: 'So far' },
  { name: 'wallets', path: '/wallets', has: 'Wallets' },
  {
    name: 'wallet',
    path: '/wallets',
    leadsOn: "document.querySelector('main td a').click()",
    has: 'Read it from the chain',
  },
  { name: 'books', path: '/books', has: 'Books' },
  { name: 'health', path: '/health', has: 'Health' },
  { name: 'new', path: '/start', has: 'New payout from a file', isOfRequester: true },
  { name: 'new-transfer', path: '/start/transfer', has: 'Show what I sign', isOfRequester: true },
  { name: 'new-payout', path: '/start/payout', has: 'Show what I sign', isOfRequester: true },
  {
    name: 'request',
    path: '/start/payout',
    leadsOn: fillIn,
    has: 'Request with my passkey',
    isOfRequester: true,
  },
];
