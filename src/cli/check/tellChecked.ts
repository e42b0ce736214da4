import { getAddress } from 'viem';
import { addTo } from '../../checks/addTo';
import { type Checked, type CheckFinding, leftOutOf } from '../../checks/check';
import { type CheckId, checks } from '../../checks/checks';
import type { CheckedPayment } from '../../checks/payment';
import { shown } from '../../orders/input/shown';
import { counted } from '../../orders/progress/doing';
import type { NameOf } from '../../writer/file/namesOf';
import { pc } from '../show/colors';

/** Findings of one check, and payees, that are shown. */
const shownMax = 5;
const payeesMax = 20;
const digestDigits = 16;

/** The findings of the checks, grouped, and the sources of the checks. */
export function tellChecked(checked: Checked): string[] {
  return [
    ...tellFindings(checked).map((words) => `  ${pc.yellow('!')} ${words}`),
    `  ${pc.dim(tellKnown({ ...checked, leftOut: leftOutOf(checked) }))}`,
  ];
}

/** The findings as sentences. A check that has made many shows its first ones. */
export function tellFindings({ findings }: Checked): string[] {
  const byCheck = new Map<CheckId, CheckFinding[]>();
  for (const one of findings) addTo(byCheck, one.check, one);
  return [...byCheck].flatMap(([id, found]) => {
    const more = found.length - shownMax;
    const told = found.slice(0, shownMax).map(tellFinding);
    return more > 0 ? [...told, `And ${more} more: ${checks[id].finds} (${id}).`] : told;
  });
}

function tellFinding({ check, lineId, words }: CheckFinding): string {
  return lineId === undefined
    ? `${words} (${check})`
    : `Line ${shown(lineId)} ${words}. (${check})`;
}

/** The sources of checks, here or on a worker. */
type Known = Omit<Checked, 'findings' | 'ran' | 'leftOut'> & Record<'ran' | 'leftOut', string[]>;

/** The sources of the checks in one line: which of them ran, and with which book. */
export function tellKnown({ ran, leftOut, book, payments }: Known): string {
  const by = [
    ...(book === undefined ? [] : [`address book ${book.slice(0, digestDigits)}`]),
    ...(payments === undefined ? [] : [counted(payments, 'earlier payment')]),
  ];
  const left = leftOut.length === 0 ? '' : `, without ${leftOut.join(', ')}`;
  const sources = by.length === 0 ? '' : ` with ${by.join(' and ')}`;
  return `${counted(ran.length, 'check')}${sources}${left}`;
}

/** The payees whose name the line has, or this machine knows, each as a sentence. */
export function tellPayees(payments: readonly CheckedPayment[], nameOf: NameOf): string[] {
  const named: string[] = [];
  let count = 0;
  for (const { to, amount, token, name = nameOf(to) } of payments) {
    if (!name) continue;
    count += 1;
    if (count > payeesMax) continue;
    named.push(`${amount} ${token} to ${getAddress(to)}, ${name.replace(/\p{C}/gu, '?')}`);
  }
  return count > payeesMax ? [...named, `And ${count - payeesMax} more.`] : named;
}
