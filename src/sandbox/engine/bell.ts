/** Lets one loop sleep until someone rings, or until the time is up. */
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
        const timer = pauseMs === undefined ? undefined : setTimeout(() => awake(), pauseMs);
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
