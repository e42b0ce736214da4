const readsMax = 4;

/**
 * Reads each of some things and yields the answers in their order. While the caller works on one
 * answer, the next ones are on their way.
 */
export async function* readAhead<T, R>(
  things: Iterable<T>,
  read: (thing: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const reads: Promise<R>[] = [];
  for (const thing of things) {
    const answer = read(thing);
    // A failure is told when its turn comes.
    answer.catch(() => {});
    reads.push(answer);
    const [first] = reads;
    if (first === undefined || reads.length < readsMax) continue;
    yield await first;
    reads.shift();
  }
  for (const answer of reads) yield await answer;
}
