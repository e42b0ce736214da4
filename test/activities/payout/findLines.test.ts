import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import {
  type FoundLines,
  findLinesActivity,
  type LineSearch,
} from '../../../activities/payout/findLines';
import { refId } from '../../../src/custody/reference';
import { indexOf, openAccount, recordOf } from '../../store/index/account';

const workflowId = 'payout:long';
const lineIds = Array.from({ length: 400 }, (_, at) => `line-${at}`);
const errorDetails = 'Service Unavailable '.repeat(100);

/** A look-up in an account in which each attempt at each line has failed with many words. */
async function find(search: Partial<LineSearch>): Promise<FoundLines> {
  const records = lineIds.flatMap((item, at) =>
    [0, 1, 2, 3].map((generation) => {
      const parts = { workflowId, step: 'line', item, generation };
      return recordOf('any', at, { refId: refId(parts), state: 'FAILED', errorDetails });
    }),
  );
  const findLines = findLinesActivity(indexOf(openAccount(records.reverse())));
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const given = { workflowId, lineIds, backToMs: 0, ...search };
  return environment.run<[LineSearch], FoundLines, typeof findLines>(findLines, given);
}

describe('a look-up of lines that is too long for one answer', () => {
  it('is about the first lines, and tells all of them', async () => {
    const { lines = 0, traces } = await find({});
    expect(lines).toBeGreaterThan(0);
    expect(JSON.stringify(traces).length).toBeLessThan(1_000_000);
    expect(traces.map(({ lineId }) => lineId).sort()).toEqual(
      lineIds
        .slice(0, lines)
        .flatMap((id) => [id, id, id, id])
        .sort(),
    );
  });

  it('says nothing of its length where it is short', async () => {
    const { lines, traces } = await find({ lineIds: lineIds.slice(0, 100) });
    expect(lines).toBeUndefined();
    expect(traces).toHaveLength(400);
  });
});
