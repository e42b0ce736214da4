import { DateTime } from 'luxon';
import type { Moment } from '../../orders/progress/status';
import { pc } from './colors';
import { tellDuration } from './tellTime';
import { visible } from './visible';

/** An entry of a timeline: an event of the order, its start or its end. */
export type TimelineEntry = Omit<Moment, 'kind' | 'at'> & {
  /** ISO 8601, if known. */
  at?: string;
  kind: Moment['kind'] | 'started' | 'completed' | 'ended';
};

const marks: Readonly<Record<TimelineEntry['kind'], string>> = {
  started: ' ',
  done: pc.green('✓'),
  asked: pc.cyan('›'),
  trouble: pc.yellow('!'),
  completed: pc.green('✓'),
  ended: pc.red('✗'),
};

/** Shorter durations are not shown. */
const tookMinMs = 1_000;

export type Timeline = {
  /** An event as a line, after a line with the day if that has changed. Our own words may follow. */
  tell(entry: TimelineEntry, own?: string): string[];
  /** Now, as a line, without a time. */
  tellNow(words: string, own?: string): string;
};

/** Tells a timeline line by line, in the time of this machine, or of the time zone that is given. */
export function createTimeline(timeZone?: string): Timeline {
  const here = (iso: string) => DateTime.fromISO(iso, { zone: timeZone ?? 'local' });
  /** The day that was told last, such as "2026-01-31, UTC+01:00". */
  let day = '';
  /** The start of the current step, if known. */
  let sinceMs: number | undefined;
  const took = ({ kind, at }: TimelineEntry): string => {
    const tookMs = at === undefined || sinceMs === undefined ? 0 : Date.parse(at) - sinceMs;
    // Trouble and requests are part of the step that they delay.
    if (at !== undefined && (kind === 'started' || kind === 'done')) sinceMs = Date.parse(at);
    return kind === 'done' && tookMs >= tookMinMs ? pc.dim(` (${tellDuration(tookMs)})`) : '';
  };
  return {
    tell: (entry, own = '') => {
      const { at, words, kind, again } = entry;
      const date = at === undefined ? day : dayOf(here(at));
      const lines = date === day ? [] : [pc.dim(`  ${date}`)];
      day = date;
      const time = at === undefined ? ' '.repeat(8) : timeOf(here(at));
      const often =
        again === undefined
          ? ''
          : pc.dim(` (${again.times} times, last ${timeOf(here(again.last))})`);
      const told = kind === 'completed' ? pc.green(visible(words)) : visible(words);
      return [
        ...lines,
        `  ${pc.dim(time)}  ${marks[kind]} ${told}${took(entry)}${often}${pc.dim(own)}`,
      ];
    },
    tellNow: (words, own = '') =>
      `  ${pc.dim('now'.padEnd(8))}  ${pc.yellow('→')} ${visible(words)}${pc.dim(own)}`,
  };
}

function dayOf(at: DateTime): string {
  return at.toFormat(at.offset === 0 ? "yyyy-MM-dd, 'UTC'" : "yyyy-MM-dd, 'UTC'ZZ");
}

function timeOf(at: DateTime): string {
  return at.toFormat('HH:mm:ss');
}
