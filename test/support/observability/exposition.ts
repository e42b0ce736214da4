/** A metric as a worker serves it. */
export type Served = { type: string; labels: Set<string>; values: Set<string> };

/** Parses Prometheus' text format: every metric by its name, with its labels and their values. */
export function readExposition(text: string): Map<string, Served> {
  const served = new Map<string, Served>();
  for (const line of text.split('\n')) {
    const [, declared = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (declared !== '') served.set(declared, { type, labels: new Set(), values: new Set() });
    const [, series = '', labels = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    const name = served.has(series) ? series : series.replace(/_(bucket|sum|count)$/, '');
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
      served.get(name)?.labels.add(label);
      if (label !== 'le') served.get(name)?.values.add(value);
    }
  }
  return served;
}
