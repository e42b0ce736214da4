const aheadMaxMs = 60_000;
/** An older date says too little of the clock of now. */
const knownForMs = 3_600_000;

/** The difference of this machine's clock from the service's, as its answers tell it. */
export type Clock = {
  /** Takes the header `Date` of an answer. */
  heard(date: string): void;
  /** True if no answer has told the time of late. */
  isUnknown(): boolean;
  /** Why nothing may be sent, as a sentence. Undefined while both clocks agree. */
  fault(): string | undefined;
};

/** A clock that knows nothing yet. Ages are measured by a clock that nobody sets. */
export function serviceClock(now = Date.now, passedMs = () => performance.now()): Clock {
  let known: { aheadMs: number; atMs: number } | undefined;
  return {
    heard: (date) => {
      const aheadMs = now() - Date.parse(date);
      if (Number.isFinite(aheadMs)) known = { aheadMs, atMs: passedMs() };
    },
    isUnknown: () => known === undefined || passedMs() - known.atMs > knownForMs,
    fault: () => {
      if (known === undefined || Math.abs(known.aheadMs) <= aheadMaxMs) return undefined;
      const seconds = Math.round(Math.abs(known.aheadMs) / 1_000);
      const how = `${seconds} s ${known.aheadMs > 0 ? 'ahead of' : 'behind'}`;
      return (
        `The clock of this machine is ${how} the service's, and windows are counted by it. ` +
        'Nothing was sent. Have it set by the network.'
      );
    },
  };
}
