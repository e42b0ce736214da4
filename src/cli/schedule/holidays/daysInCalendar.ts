import { rrulestr } from 'rrule';

const dayMs = 86_400_000;
/** Rules have no end, mostly. A calendar is read for this long. */
const yearsAhead = 10;
/** An event of more days is no holiday, such as the terms of a school. */
const daysMax = 60;

/** A property of an event: its value, and the parameters before it. */
type Property = { name: string; parameters: string; value: string };
type Midnight = number;

/**
 * The whole days of the events in an iCalendar file (RFC 5545). Rules are followed from this year
 * on, for ten years after it. Throws an Error that names an event that cannot be read.
 */
export function daysInCalendar(text: string): string[] {
  if (!/^BEGIN:VCALENDAR\s/i.test(text)) throw new Error('it is no iCalendar file.');
  const events = eventsIn(text);
  // An event with this property stands for one day of a rule.
  const moved = new Set(
    events.flatMap((event) =>
      daysIn(event, 'RECURRENCE-ID').map((day) => `${uidOf(event)} ${day}`),
    ),
  );
  return events.flatMap((event) => {
    if (textIn(event, 'STATUS') === 'CANCELLED') return [];
    const isMoved = textIn(event, 'RECURRENCE-ID') !== undefined;
    const begins = beginsOf(event).filter((day) => isMoved || !moved.has(`${uidOf(event)} ${day}`));
    const length = lengthOf(event);
    return begins.flatMap((day) =>
      Array.from({ length }, (_, at) => new Date(day + at * dayMs).toISOString().slice(0, 10)),
    );
  });
}

/** The events of a file, each as its properties. A long line goes on after a blank. */
function eventsIn(text: string): Property[][] {
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const events: Property[][] = [];
  let event: Property[] | undefined;
  for (const line of lines) {
    if (/^BEGIN:VEVENT$/i.test(line)) event = [];
    else if (/^END:VEVENT$/i.test(line) && event !== undefined) {
      events.push(event);
      event = undefined;
    } else {
      const [, name = '', parameters = '', value = ''] =
        /^([\w-]+)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
      event?.push({ name: name.toUpperCase(), parameters: parameters.toUpperCase(), value });
    }
  }
  return events;
}

function textIn(event: readonly Property[], name: string): string | undefined {
  return event.find((one) => one.name === name)?.value;
}

function uidOf(event: readonly Property[]): string {
  return textIn(event, 'UID') ?? '';
}

/** The first days of an event: its own, and those of its rule. */
function beginsOf(event: readonly Property[]): Midnight[] {
  const [start] = daysIn(event, 'DTSTART');
  if (start === undefined) throw new Error(`${nameOf(event)} has no DTSTART.`);
  const rule = textIn(event, 'RRULE');
  const ruled = rule === undefined ? [start] : daysOfRule(event, start, rule);
  const without = daysIn(event, 'EXDATE');
  return [...ruled, ...daysIn(event, 'RDATE')].filter((day) => !without.includes(day));
}

function daysOfRule(event: readonly Property[], start: Midnight, rule: string): Midnight[] {
  if (!/^(.*;)?FREQ=(YEARLY|MONTHLY|WEEKLY|DAILY)(;|$)/i.test(rule)) throw unread(event, rule);
  const year = new Date().getUTCFullYear();
  const begins = `${new Date(start).toISOString().slice(0, 10).replaceAll('-', '')}T000000Z`;
  try {
    return rrulestr(`DTSTART:${begins}\nRRULE:${rule}`)
      .between(new Date(Date.UTC(year, 0)), new Date(Date.UTC(year + yearsAhead + 1, 0) - 1), true)
      .map((day) => day.getTime());
  } catch {
    throw unread(event, rule);
  }
}

/** The days of a property. Throws an Error for a time of day, since a holiday is a whole day. */
function daysIn(event: readonly Property[], name: string): Midnight[] {
  const values = event.filter((one) => one.name === name).flatMap(({ value }) => value.split(','));
  return values.map((value) => {
    const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)(?:T000000)?$/.exec(value.trim()) ?? [];
    const midnight = Date.parse(`${year}-${month}-${day}`);
    if (!Number.isNaN(midnight)) return midnight;
    throw new Error(`${nameOf(event)} has ${name} ${value}, which is no whole day.`);
  });
}

/** The number of days of an event. The day of its end does not belong to it. */
function lengthOf(event: readonly Property[]): number {
  const [start = 0] = daysIn(event, 'DTSTART');
  const [end] = daysIn(event, 'DTEND');
  const duration = textIn(event, 'DURATION');
  const [, weeks, days] = /^P(?:(\d{1,3})W|(\d{1,3})D)$/.exec(duration ?? 'P1D') ?? [];
  const own = weeks === undefined ? Number(days) : 7 * Number(weeks);
  const length = end === undefined ? own : Math.max(1, (end - start) / dayMs);
  if (length >= 1 && length <= daysMax) return length;
  throw new Error(`${nameOf(event)} has ${duration ?? length} as its length in days.`);
}

function unread(event: readonly Property[], rule: string): Error {
  return new Error(`${nameOf(event)} has a rule that cannot be read: ${rule}. Give its days.`);
}

function nameOf(event: readonly Property[]): string {
  return `the event "${textIn(event, 'SUMMARY') ?? 'without a name'}"`;
}
