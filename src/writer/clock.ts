/**
 * Answers of the service tell its time to the second, and may be late. Clocks may differ by so
 * much.
 */
export const aheadMaxMs = 60_000;
/** An older date says too little of the time of now. */
const knownForMs = 60_000;

/** The service's time, or the reason why it is not known or not that of this machine. */
type Reading = { nowMs: number; fault?: undefined } | { fault: string };

/** The service's time as its answers tell it, beside the clock of this machine. */
export type Clock = {
  /** Takes the header `Date` of an answer. */
  heard(date: string): void;
  /** The service's time, as long as the clock of this machine agrees with it. */
  read(): Reading;
};

/**
 * A clock that knows nothing yet. The time since an answer is measured by a clock that nobody sets,
 * so that a jump of this machine's clock shows at once.
 */
export function serviceClock(now = Date.now, passedMs = () => performance.now()): Clock {
  let known: { dateMs: number; atMs: number } | undefined;
  return {
    heard: (date) => {
      const dateMs = Date.parse(date);
      if (Number.isFinite(dateMs)) known = { dateMs, atMs: passedMs() };
    },
    read: () => {
      const sinceMs = passedMs() - (known?.atMs ?? Number.NEGATIVE_INFINITY);
      if (known === undefined || sinceMs > knownForMs) return { fault: untold };
      const nowMs = known.dateMs + sinceMs;
      const aheadMs = now() - nowMs;
      return Math.abs(aheadMs) <= aheadMaxMs ? { nowMs } : { fault: differing(aheadMs) };
    },
  };
}

const untold =
  'The answers of the service do not tell its time, and windows are counted by it. Nothing was ' +
  'sent. Have whatever stands between this machine and the service pass on the header Date.';

function differing(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const how = `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  return (
    `The clock of this machine is ${how} the service's, and windows are counted by it. ` +
    'Nothing was sent. Have it set by the network.'
  );
}
