import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeHolidays } from '../../../src/cli/schedule/holidays/takeHolidays';
import { newFolder } from '../../support/jest/setUp';

const folder = newFolder();

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A calendar with one event of these lines. */
function calendar(...lines: string[]): string {
  const event = ['BEGIN:VEVENT', 'SUMMARY:Feast', ...lines, 'END:VEVENT'];
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...event, 'END:VCALENDAR', ''].join('\r\n');
}

const daysIn = (...lines: string[]) =>
  takeHolidays([file('holidays.ics', calendar(...lines))]).days;

describe('the holidays of a file', () => {
  it.each<[string, string[], string[]]>([
    ['a day', ['DTSTART;VALUE=DATE:20261224'], ['2026-12-24']],
    [
      'a day with its end',
      ['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261225'],
      ['2026-12-24'],
    ],
    [
      'several days',
      ['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227'],
      ['2026-12-24', '2026-12-25', '2026-12-26'],
    ],
    [
      'days by their number',
      ['DTSTART;VALUE=DATE:20261230', 'DURATION:P2D'],
      ['2026-12-30', '2026-12-31'],
    ],
    ['a day that was cancelled', ['DTSTART;VALUE=DATE:20261224', 'STATUS:CANCELLED'], []],
    [
      'a rule with an end',
      ['DTSTART;VALUE=DATE:20271125', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;UNTIL=20291231'],
      ['2027-11-25', '2028-11-23', '2029-11-22'],
    ],
    [
      'a rule with an exception, and a long line',
      [
        'DTSTART;VALUE=DATE:20270501',
        'RRULE:FREQ=YEARLY;CO\r\n UNT=3',
        'EXDATE;VALUE=DATE:20280501',
      ],
      ['2027-05-01', '2029-05-01'],
    ],
  ])('are those of an event with %s', (_, lines, expected) => {
    const twice = [...lines, 'END:VEVENT', 'BEGIN:VEVENT', 'DTSTART;VALUE=DATE:20260101'];
    expect(daysIn(...twice)).toEqual(['2026-01-01', ...expected]);
  });

  it('are those of a rule without an end, for ten years after this one', () => {
    const year = new Date().getUTCFullYear();
    const days = daysIn('DTSTART;VALUE=DATE:19701225', 'RRULE:FREQ=YEARLY');
    expect(days).toEqual(Array.from({ length: 11 }, (_, at) => `${year + at}-12-25`));
  });

  it('are moved where an event stands for one day of a rule', () => {
    const rule = ['UID:1', 'DTSTART;VALUE=DATE:20270501', 'RRULE:FREQ=YEARLY;COUNT=2'];
    const moved = ['UID:1', 'RECURRENCE-ID;VALUE=DATE:20280501', 'DTSTART;VALUE=DATE:20280502'];
    expect(daysIn(...rule, 'END:VEVENT', 'BEGIN:VEVENT', ...moved)).toEqual([
      '2027-05-01',
      '2028-05-02',
    ]);
  });

  it('are the day of each line of a text, and are told', () => {
    const path = file(
      'days.csv',
      'day,name\n2026-12-31,Silvester\n# next\n\n2026-12-24;Eve;2026-12-24\n',
    );
    expect(takeHolidays(['2027-01-01', path])).toEqual({
      days: ['2027-01-01', '2026-12-24', '2026-12-31'],
      calendar: 'days.csv',
      told: ['days.csv: 2 holidays, 2026-12-24 to 2026-12-31.'],
    });
  });
});

it('a file of holidays that cannot be read is refused, and its fault is named', () => {
  const fault = (name: string, text: string): string => {
    try {
      return JSON.stringify(takeHolidays([file(name, text)]));
    } catch (error) {
      return String(error).replaceAll(folder, '<folder>');
    }
  };
  expect([
    fault('a.txt', 'Christmas: 24.12.2026'),
    fault('b.txt', '2026-12-24\n2026-02-30'),
    fault('c.csv', 'day\n'),
    fault('c.csv', 'begin,end\n2026-12-24,2027-01-03\n'),
    fault('d.ics', '2026-12-24'),
    fault('e.ics', calendar('DTSTART:20261224T180000Z')),
    fault('f.ics', calendar('DTSTART;VALUE=DATE:20261224', 'RRULE:FREQ=SECONDLY')),
    fault('g.ics', calendar('DTSTART;VALUE=DATE:20261224', 'RRULE:FREQ=YEARLY;BYDAY=XX')),
    fault('h.ics', calendar('UID:1')),
    fault('i.ics', calendar('DTSTART;VALUE=DATE:20260701', 'DTEND;VALUE=DATE:20261001')),
    fault('j.ics', 'BEGIN:VCALENDAR\nEND:VCALENDAR\n'),
  ]).toMatchInlineSnapshot(`
[
  "InputError: --holidays: <folder>/a.txt has a fault: line 1 has no day such as 2026-12-24.",
  "InputError: --holidays: <folder>/b.txt has a fault: line 2 has no day such as 2026-12-24.",
  "InputError: --holidays: <folder>/c.csv has no day in it. Give days such as 2026-12-24.",
  "InputError: --holidays: <folder>/c.csv has a fault: line 2 has two days; give each its own line, or an .ics.",
  "InputError: --holidays: <folder>/d.ics has a fault: it is no iCalendar file.",
  "InputError: --holidays: <folder>/e.ics has a fault: the event "Feast" has DTSTART 20261224T180000Z, which is no whole day.",
  "InputError: --holidays: <folder>/f.ics has a fault: the event "Feast" has a rule that cannot be read: FREQ=SECONDLY. Give its days.",
  "InputError: --holidays: <folder>/g.ics has a fault: the event "Feast" has a rule that cannot be read: FREQ=YEARLY;BYDAY=XX. Give its days.",
  "InputError: --holidays: <folder>/h.ics has a fault: the event "Feast" has no DTSTART.",
  "InputError: --holidays: <folder>/i.ics has a fault: the event "Feast" has 92 as its length in days.",
  "InputError: --holidays: <folder>/j.ics has no day in it. Give days such as 2026-12-24.",
]
`);
  expect(() => takeHolidays([join(folder, 'none.ics')])).toThrow('none.ics cannot be read: ');
});
