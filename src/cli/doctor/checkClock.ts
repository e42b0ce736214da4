import { broken, fine, firstLine, type HealthFinding, skipped } from '../../health/finding';
import { tellDuration } from '../show/tellTime';

const name = 'Clock';
const deadlineMs = 5_000;
/** A larger difference is not explained by whole seconds and a slow answer. */
const skewMaxMs = 30_000;

/** Compares this machine's clock with the date in the service's answer. */
export async function checkClock(baseUrl: string): Promise<HealthFinding> {
  const { origin, host } = new URL(baseUrl);
  const askedAtMs = Date.now();
  try {
    const answer = await fetch(`${origin}/ping`, { signal: AbortSignal.timeout(deadlineMs) });
    // The service answered at some moment in between, and its date is cut to seconds.
    const hereMs = (askedAtMs + Date.now()) / 2;
    const thereMs = Date.parse(answer.headers.get('date') ?? '') + 500;
    await answer.body?.cancel();
    if (Number.isNaN(thereMs)) return skipped(name, `not checked: ${host} gives no date`);
    return compareClocks(hereMs - thereMs, host);
  } catch (error) {
    return skipped(name, `not checked: ${host} gives no date (${firstLine(error)})`);
  }
}

/** Judges the difference between this clock and the one of a host. */
export function compareClocks(aheadMs: number, host: string): HealthFinding {
  const skewMs = Math.abs(aheadMs);
  if (skewMs <= skewMaxMs) {
    const about = Math.max(Math.ceil(skewMs / 1_000), 1);
    return fine(name, `within ${about} s of the clock of ${host}`);
  }
  return broken(
    name,
    `${tellDuration(skewMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of ${host}`,
    'Have it set by the network, for example with: timedatectl set-ntp true. ' +
      'validUntil and CUSTODY_KEY_LIFETIME_HOURS are compared with this clock.',
  );
}
