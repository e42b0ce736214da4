import { measureKilled } from './batches/parts/killed';
import { measureLarge } from './batches/parts/large';
import { measureCap, measureChain, measureGas, measureStub } from './batches/parts/speed';
import { keptName, writeBatchDocs } from './batches/report/files';
import { batchGoals } from './batches/report/goals';
import { batchTables } from './batches/report/tables';
import type { BatchResults } from './batches/results';
import type { BenchOptions, Measure } from './measure';
import { measureParts, type Parts } from './parts';

const parts: Parts<BatchResults> = {
  stub: measureStub,
  chain: measureChain,
  gas: measureGas,
  cap: measureCap,
  large: measureLarge,
  'EOA-killed': (options) => measureKilled('EOA', options),
  'SCA-killed': (options) => measureKilled('SCA', options),
};

export const batchParts: readonly string[] = Object.keys(parts);

/** Pays in batches at the hosted limits, on the stub and on the sandbox's real chain. */
export function benchBatches(options: BenchOptions): Promise<Measure[]> {
  const bench = { name: 'batches', parts, keptName, writeDocs: writeBatchDocs };
  return measureParts({ ...bench, tablesOf: batchTables, goalsOf: batchGoals }, options);
}
