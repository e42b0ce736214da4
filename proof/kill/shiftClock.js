// @ts-check
/**
 * Loaded into a worker before its program. Its clock differs from the true time by the number of
 * milliseconds in PROOF_CLOCK_SHIFT_MS. Temporal and the service keep the true time.
 */
const shiftMs = Number(process.env.PROOF_CLOCK_SHIFT_MS ?? 0);
const trueNow = Date.now;
const now = () => trueNow() + shiftMs;

if (shiftMs !== 0) {
  globalThis.Date = new Proxy(Date, {
    construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
    apply: () => new Date().toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
