import { tellDuration } from '../tellTime';
import { broken, type Finding, fine, reasonOf, skipped } from './finding';

const name = 'Clock';
const deadlineMs = 5_000;
/** More than a date in whole seconds and a slow answer explain. */
const skewMaxMs = 30_000;

/** Whether this machine's clock goes with the service's, whose answers carry a date. */
export async function checkClock(baseUrl: string): Promise<Finding> {
  const { origin, host } = new URL(baseUrl);
  const askedAtMs = Date.now();
  try {
    const answer = await fetch(`${origin}/ping`, { signal: AbortSignal.timeout(deadlineMs) });
    // Somewhere in between, and within the second that the date is of.
    const hereMs = (askedAtMs + Date.now()) / 2;
    const thereMs = Date.parse(answer.headers.get('date') ?? '') + 500;
    await answer.body?.cancel();
    if (Number.isNaN(thereMs)) return skipped(name, `not checked: ${host} gives no date`);
    return compareClocks(hereMs - thereMs, host);
  } catch (error) {
    return skipped(name, `not checked: ${host} gives no date (${reasonOf(error)})`);
  }
}

/** What it means that this clock is ahead of another one by so much. */
export function compareClocks(aheadMs: number, host: string): Finding {
  const skewMs = Math.abs(aheadMs);
  if (skewMs <= skewMaxMs) {
    const about = Math.max(Math.ceil(skewMs / 1_000), 1);
    return fine(name, `within ${about} s of the clock of ${host}`);
  }
  return broken(
    name,
    `${tellDuration(skewMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of ${host}`,
    'Have it set by the network, for example with: timedatectl set-ntp true. ' +
      'validUntil and CUSTODY_KEY_LIFETIME_HOURS are held against this clock.',
  );
}
