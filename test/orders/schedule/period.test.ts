import { periodAt, spanOf, templateFault } from '../../../src/orders/schedule/period';

const berlin = 'Europe/Berlin';

describe('the period of a moment', () => {
  it.each([
    // In January Berlin is an hour ahead of UTC, in July two.
    ['yyyy-MM', '2025-12-31T22:59:59Z', berlin, '2025-12'],
    ['yyyy-MM', '2025-12-31T23:00:00Z', berlin, '2026-01'],
    ['yyyy-MM', '2026-06-30T22:00:00Z', berlin, '2026-07'],
    ['yyyy-MM', '2025-12-31T23:00:00Z', 'America/New_York', '2025-12'],
    ['yyyy-MM-dd', '2028-02-29T12:00:00Z', 'UTC', '2028-02-29'],
    ['yyyy-MM-dd', '2027-02-28T23:30:00Z', berlin, '2027-03-01'],
    ['yyyy-MM-dd', '2026-01-01T05:00:00Z', 'Pacific/Kiritimati', '2026-01-01'],
    ['yyyyMMddHHmm', '2026-01-01T00:05:00Z', 'Asia/Kathmandu', '202601010550'],
    ["'run'-yyyy.MM", '2026-01-01T00:00:00Z', 'UTC', 'run-2026.01'],
  ])('%s of %s in %s is %s', (template, at, timeZone, period) => {
    expect(periodAt(template, Date.parse(at), timeZone)).toBe(period);
  });

  it('is told by the clocks of either side of a change', () => {
    const at = (iso: string) => periodAt('yyyy-MM-dd:HHmm', Date.parse(iso), berlin);
    // On 29 March 2026 the clocks go from two to three, on 25 October from three to two.
    expect(at('2026-03-29T00:59:00Z')).toBe('2026-03-29:0159');
    expect(at('2026-03-29T01:00:00Z')).toBe('2026-03-29:0300');
    expect(at('2026-10-25T00:30:00Z')).toBe('2026-10-25:0230');
    expect(at('2026-10-25T01:30:00Z')).toBe('2026-10-25:0230');
  });

  it('is a week of one year alone, as ISO 8601 counts them', () => {
    const week = (iso: string) => periodAt("yyyy-'W'ww", Date.parse(`${iso}T12:00:00Z`), 'UTC');
    expect(['2024-12-30', '2025-01-05', '2025-12-28', '2025-12-29'].map(week)).toEqual([
      '2025-W01',
      '2025-W01',
      '2025-W52',
      '2026-W01',
    ]);
    // A year with 53 of them.
    expect(['2026-12-31', '2027-01-03', '2027-01-04'].map(week)).toEqual([
      '2026-W53',
      '2026-W53',
      '2027-W01',
    ]);
  });
});

describe('the span of a period', () => {
  it.each([
    ['yyyy', '2026', 'UTC'],
    ['yyyy-MM', '2026-02', berlin],
    ['yyyy-MM-dd', '2026-03-29', 'Pacific/Kiritimati'],
    ['yyyy-MM-dd', '2026-03-29', 'Pacific/Pago_Pago'],
    ["yyyy-'W'ww", '2026-W53', berlin],
    ["yyyy-'W'ww", '2026-W01', berlin],
    ['yyyy.MM.dd:HH', '2028.02.29:23', 'America/New_York'],
  ])('%s: that of %s holds all its moments in %s', (template, period, timeZone) => {
    const [from, to] = spanOf(template, period) ?? [0, 0];
    const hourMs = 3_600_000;
    const around = 30 * 24 * hourMs;
    const of = (atMs: number) => periodAt(template, atMs, timeZone);
    const inside = [];
    for (let at = from - around; at < to + around; at += hourMs) {
      if (of(at) !== period) continue;
      inside.push(at);
      expect(at >= from && at <= to).toBe(true);
    }
    expect(inside.length).toBeGreaterThan(0);
  });

  it.each([
    ['yyyy-MM', '2026-1'],
    ['yyyy-MM', '2026-01-01'],
    ['yyyy.MM', '2026x01'],
    ["yyyy-'W'ww", '2026-01'],
    ["yyyy-'W'ww", '2026-w48'],
    ["'run'-yyyy", 'RUN-2026'],
  ])('%s: there is none of %s', (template, text) => {
    expect(spanOf(template, text)).toBeUndefined();
  });
});

it('a template is refused with what is wrong with it', () => {
  const templates = [
    '',
    'YYYY-MM',
    'yyyy-M',
    "yyyy-'W",
    'MM-dd',
    'yyyy-dd',
    'yyyy-yyyy',
    "yyyy-MM-'W'ww",
    'yyyy/MM',
    "yyyy 'at' MM",
    'yyyy-MM-HH',
  ];
  expect(
    templates.map((template) => `${template}: ${templateFault(template)}`),
  ).toMatchInlineSnapshot(`
[
  ": is not a template: give yyyy, MM, dd, HH, mm, ss or ww, and other letters in quotes: yyyy-MM, yyyy-'W'ww",
  "YYYY-MM: is not a template: give yyyy, MM, dd, HH, mm, ss or ww, and other letters in quotes: yyyy-MM, yyyy-'W'ww",
  "yyyy-M: is not a template: give yyyy, MM, dd, HH, mm, ss or ww, and other letters in quotes: yyyy-MM, yyyy-'W'ww",
  "yyyy-'W: is not a template: give yyyy, MM, dd, HH, mm, ss or ww, and other letters in quotes: yyyy-MM, yyyy-'W'ww",
  "MM-dd: has no yyyy, so its periods would come again every year",
  "yyyy-dd: has dd without MM",
  "yyyy-yyyy: names a field twice",
  "yyyy-MM-'W'ww: has both MM and ww: give one of them",
  "yyyy/MM: may have letters, digits and . _ : - alone, as ids may",
  "yyyy 'at' MM: may have letters, digits and . _ : - alone, as ids may",
  "yyyy-MM-HH: has HH without dd",
]
`);
  expect(["yyyy-'W'ww", 'yyyyMMddHHmm', "yyyy.MM_'x'"].map(templateFault)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
