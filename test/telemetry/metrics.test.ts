import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Metric, metrics } from '../../src/telemetry/metrics';

const page = join(__dirname, '..', '..', 'docs', 'reference', 'metrics.md');

describe('docs/reference/metrics.md', () => {
  test('lists every metric, as defined in the code', () => {
    const rows = readFileSync(page, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `steadfast_'));
    expect(rows).toEqual(Object.entries(metrics).map(rowOf));
  });
});

function rowOf([name, { type, labels, help }]: [string, Metric]): string {
  const shown = labels.map((label) => `\`${label}\``).join(' ');
  return `| \`${name}\` | ${type} | ${shown || '–'} | ${help} |`;
}
