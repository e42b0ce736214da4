/** A step of a world, told as a sentence. A way out may use those that help. */
export type StepOf<World> = { words: string; world: World; helps: boolean };

/** Worlds, the steps between them, and what must hold. */
export type Game<World> = {
  first: World;
  stepsOf(world: World): StepOf<World>[];
  /** Equal texts have equal futures. */
  textOf(world: World): string;
  isEnd(world: World): boolean;
  brokenPromise(world: World): string | undefined;
  brokenByStep(before: World, step: StepOf<World>): string | undefined;
};

export type Explored = {
  states: number;
  transitions: number;
  depth: number;
  seconds: number;
  /** False if the bound ended it. */
  isWhole: boolean;
  /** The first broken promise, with the shortest way to it. */
  broken?: { promise: string; story: string[] };
};

/** Every world is a row. A row knows the row that led to it first, and by which sentence. */
type Rows = { parents: number[]; words: string[] };

/** Explores every world that can follow from the first one, breadth first. */
export function explore<World>(game: Game<World>, { statesMax }: { statesMax: number }): Explored {
  const beganMs = performance.now();
  const { first } = game;
  const numbers = new Map<string, number>([[game.textOf(first), 0]]);
  const rows: Rows = { parents: [-1], words: ['The world begins.'] };
  const ways = new Ways();
  let frontier: World[] = [first];
  let [done, depth, transitions] = [0, 0, 0];
  const result = (isWhole: boolean, end?: { promise: string; row: number; last?: string }) => ({
    states: numbers.size,
    transitions,
    depth,
    seconds: (performance.now() - beganMs) / 1_000,
    isWhole,
    ...(end && { broken: { promise: end.promise, story: storyOf(rows, end.row, end.last) } }),
  });
  while (frontier.length > 0) {
    const following: World[] = [];
    for (const world of frontier) {
      const row = done++;
      const broken = game.brokenPromise(world);
      if (broken !== undefined) return result(false, { promise: broken, row });
      if (game.isEnd(world)) ways.end(row);
      for (const step of game.stepsOf(world)) {
        transitions += 1;
        const wrong = game.brokenByStep(world, step);
        if (wrong !== undefined) return result(false, { promise: wrong, row, last: step.words });
        const text = game.textOf(step.world);
        let to = numbers.get(text);
        if (to === undefined) {
          to = numbers.size;
          numbers.set(text, to);
          rows.parents.push(row);
          rows.words.push(step.words);
          following.push(step.world);
        }
        if (step.helps) ways.add(row, to);
      }
      if (numbers.size > statesMax) return result(false);
    }
    if (following.length > 0) depth += 1;
    frontier = following;
  }
  const stuck = ways.firstStuck(numbers.size);
  return stuck === undefined
    ? result(true)
    : result(true, { promise: 'No way leads out.', row: stuck });
}

/** The sentences that led to a row, oldest first. */
function storyOf({ parents, words }: Rows, row: number, last?: string): string[] {
  const story = last === undefined ? [] : [last];
  for (let at = row; at > 0; at = parents[at] ?? 0) story.unshift(words[at] ?? '');
  return story;
}

/** The steps that a way out may use, backwards. */
class Ways {
  private readonly from: number[] = [];
  private readonly to: number[] = [];
  private readonly ends: number[] = [];

  add(from: number, to: number): void {
    if (from === to) return;
    this.from.push(from);
    this.to.push(to);
  }

  end(row: number): void {
    this.ends.push(row);
  }

  /** The first row from which no end can be reached. */
  firstStuck(rows: number): number | undefined {
    const starts = new Uint32Array(rows + 1);
    for (const to of this.to) starts[to + 1] = (starts[to + 1] ?? 0) + 1;
    for (let row = 0; row < rows; row++)
      starts[row + 1] = (starts[row + 1] ?? 0) + (starts[row] ?? 0);
    const sources = new Uint32Array(this.from.length);
    const next = starts.slice();
    for (const [at, to] of this.to.entries()) {
      const place = next[to] ?? 0;
      sources[place] = this.from[at] ?? 0;
      next[to] = place + 1;
    }
    const isOut = new Uint8Array(rows);
    const waiting = [...this.ends];
    for (const row of waiting) isOut[row] = 1;
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) {
        const source = sources[at] ?? 0;
        if (isOut[source] === 1) continue;
        isOut[source] = 1;
        waiting.push(source);
      }
    }
    const stuck = isOut.indexOf(0);
    return stuck < 0 ? undefined : stuck;
  }
}
