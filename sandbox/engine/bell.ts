/** A timer takes no pause of more than 24 days, and the clock may be set while one sleeps. */
const pauseMsMax = 60_000;

export type Bell = ReturnType<typeof createBell>;

/** Lets one loop sleep until someone rings, or until the time is up: a minute at the longest. */
export function createBell() {
  let rung = false;
  let awake: () => void = () => {};
  return {
    ring: (): void => {
      rung = true;
      awake();
    },
    wait: (pauseMs: number | undefined) =>
      new Promise<void>((resolve) => {
        const timer =
          pauseMs === undefined
            ? undefined
            : setTimeout(() => awake(), Math.min(pauseMs, pauseMsMax));
        awake = () => {
          clearTimeout(timer);
          rung = false;
          awake = () => {};
          resolve();
        };
        if (rung) awake();
      }),
  };
}
