import { coinOf } from '../../checks/coinOf';
import type { Paid } from '../../checks/payment';
import { changedSince } from './archive';

/** The fields that payments of one order mostly share. */
type Shared = Pick<Paid, 'orderId' | 'isPayout' | 'sender' | 'coin' | 'linesDigest'>;

/** The address, amount, time, line and name of a payment, with spaces between. */
type Words = string;
type Own = Words | [Words, Paid['exchange']];

/** Payments that follow one another and share those fields. */
type Group = Shared & { paid: Own[] };

/**
 * Payments as one text, in their order. Fields that neighbours share stand once. All others of a
 * payment are one string, since JSON keeps each short string of a million in memory for long.
 */
export function shortForm(payments: Iterable<Paid>): string {
  const groups: Group[] = [];
  for (const payment of payments) {
    const { to, amount, atMs = '', lineId, name, exchange, ...shared } = payment;
    const given = [to, amount, atMs, lineId, ...(name === undefined ? [] : [name])];
    const words = given.join(' ');
    const own: Own = exchange === undefined ? words : [words, exchange];
    const last = groups.at(-1);
    if (last !== undefined && isShared(last, shared)) last.paid.push(own);
    else groups.push({ ...shared, paid: [own] });
  }
  return JSON.stringify(groups);
}

/** The payments of a text. A text of an earlier version has each payment as it is. */
export function* paymentsOfText(text: string): Generator<Paid> {
  for (const group of groupsIn(text)) {
    if ('paid' in group) for (const own of group.paid) yield ofGroup(group, own);
    else yield { ...group, coin: coinOf(group.coin) };
  }
}

function groupsIn(text: string): (Group | Paid)[] {
  try {
    return JSON.parse(text);
  } catch {
    throw changedSince('The archive has payments that are not JSON');
  }
}

function isShared(one: Shared, other: Shared): boolean {
  return (
    one.orderId === other.orderId &&
    one.isPayout === other.isPayout &&
    one.sender === other.sender &&
    one.coin === other.coin &&
    one.linesDigest === other.linesDigest
  );
}

/** Words are found by their spaces, one after another: a million payments are read so. */
function ofGroup({ orderId, isPayout, sender, coin, linesDigest }: Shared, own: Own): Paid {
  const [words, exchange] = typeof own === 'string' ? [own] : own;
  const atAmount = words.indexOf(' ') + 1;
  const atTime = words.indexOf(' ', atAmount) + 1;
  const atLine = words.indexOf(' ', atTime) + 1;
  const atName = words.indexOf(' ', atLine) + 1;
  const time = words.slice(atTime, atLine - 1);
  return {
    orderId,
    lineId: words.slice(atLine, atName === 0 ? undefined : atName - 1),
    isPayout,
    to: words.slice(0, atAmount - 1),
    sender,
    amount: words.slice(atAmount, atTime - 1),
    coin,
    exchange,
    name: atName === 0 ? undefined : words.slice(atName),
    linesDigest,
    atMs: time === '' ? undefined : Number(time),
  };
}
