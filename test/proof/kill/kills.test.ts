import { killOnTheWay, type Victim } from '../../../proof/kill/kills';

/** Work that is a step further each time somebody asks, and victims that note their kills. */
function staged(names: readonly string[]) {
  const noted: string[] = [];
  let share = 0;
  const victims = names.map((name): Victim => {
    const note = async (what: string): Promise<void> => void noted.push(`${what} ${name}`);
    return { name, kill: () => note('kill'), start: () => note('start') };
  });
  const done = async (): Promise<number> => {
    share += 0.08;
    return share;
  };
  return { victims, noted, done, share: () => share };
}

describe('kills on the way', () => {
  it('come to all in turn before the work is done, in the same way for the same seed', async () => {
    const [one, other] = [staged(['worker', 'service']), staged(['worker', 'service'])];
    const isOver = () => false;
    const kills = await killOnTheWay({ ...one, seed: 1, kills: 4, isOver });
    expect(Object.fromEntries(kills)).toEqual({ worker: 2, service: 2 });
    expect(one.share()).toBeLessThan(1);
    await killOnTheWay({ ...other, seed: 1, kills: 4, isOver });
    expect(other.noted).toEqual(one.noted);
    const kill = one.noted.filter((what) => what.startsWith('kill'));
    expect(one.noted).toEqual(kill.flatMap((what) => [what, what.replace('kill', 'start')]));
  });

  it('end with the work, and start again whoever does not start at once', async () => {
    const { victims, noted, done } = staged(['worker']);
    const [worker] = victims;
    if (worker === undefined) throw new Error('There is no worker.');
    let starts = 0;
    const start = async (): Promise<void> => {
      starts += 1;
      if (starts === 1) throw new Error('Temporal is away.');
    };
    const isOver = () => starts === 2;
    const kills = await killOnTheWay({
      seed: 1,
      kills: 100,
      done,
      isOver,
      victims: [{ ...worker, start }],
    });
    expect(kills).toEqual(new Map([['worker', 1]]));
    expect(noted).toEqual(['kill worker']);
  });
});
