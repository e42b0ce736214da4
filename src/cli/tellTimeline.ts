import { pc } from '../colors';
import type { Moment } from '../orders/status';
import { createClock, tellDuration } from './tellTime';
import { visible } from './visible';

/** What stands in a timeline: something that happened to the order, its start or its end. */
export type Entry = Omit<Moment, 'kind'> & {
  kind: Moment['kind'] | 'started' | 'completed' | 'ended';
};

const marks: Readonly<Record<Entry['kind'], string>> = {
  started: ' ',
  done: pc.green('✓'),
  asked: pc.cyan('›'),
  trouble: pc.yellow('!'),
  completed: pc.green('✓'),
  ended: pc.red('✗'),
};

/** Less than this is not worth telling. */
const tookMinMs = 1_000;

export type Timeline = {
  /** What has happened, as a line; before it, the day where that is another one. */
  tell(entry: Entry): string[];
  /** Now, as a line, without a time. */
  tellNow(words: string): string;
};

/** Tells a timeline line by line, in the time of this machine, or of the time zone that is given. */
export function createTimeline(timeZone?: string): Timeline {
  const clock = createClock(timeZone);
  let day = '';
  /** When what is done was begun, as far as can be told. */
  let sinceMs: number | undefined;
  const took = ({ kind, at }: Entry): string => {
    const tookMs = at === undefined || sinceMs === undefined ? 0 : Date.parse(at) - sinceMs;
    // Trouble, and what somebody wants, are part of what they delay.
    if (at !== undefined && (kind === 'started' || kind === 'done')) sinceMs = Date.parse(at);
    return kind === 'done' && tookMs >= tookMinMs ? pc.dim(` (${tellDuration(tookMs)})`) : '';
  };
  return {
    tell: (entry) => {
      const { at, words, kind, again } = entry;
      const date = at === undefined ? day : clock.day(at);
      const lines = date === day ? [] : [pc.dim(`  ${date}`)];
      day = date;
      const time = at === undefined ? ' '.repeat(8) : clock.time(at);
      const often =
        again === undefined
          ? ''
          : pc.dim(` (${again.times} times, last ${clock.time(again.last)})`);
      return [
        ...lines,
        `  ${pc.dim(time)}  ${marks[kind]} ${visible(words)}${took(entry)}${often}`,
      ];
    },
    tellNow: (words) => `  ${pc.dim('now'.padEnd(8))}  ${pc.yellow('→')} ${visible(words)}`,
  };
}
