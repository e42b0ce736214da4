/** Lets each piece of work begin only when the one before has ended, however it did. */
export function oneAtATime(): <Output>(work: () => Promise<Output>) => Promise<Output> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
}
