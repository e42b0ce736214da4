/** A timer takes no pause of more than 24 days, and the clock may be set while one sleeps. */
const pauseMsMax = 60_000;

/** Lets one loop sleep until someone rings, or until the time is up: a minute at the longest. */
export type Bell = {
  ring(): void;
  wait(pauseMs: number | undefined): Promise<void>;
};

export function createBell(): Bell {
  let rung = false;
  let awake: () => void = () => {};
  return {
    ring: () => {
      rung = true;
      awake();
    },
    wait: (pauseMs) =>
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
