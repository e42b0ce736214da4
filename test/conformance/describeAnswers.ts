import { type Endpoint, type EndpointName, endpoints } from '../../src/custody/endpoints';
import { pathOf } from '../../src/sandbox/http/server';
import { refusedHere } from './amendments';
import { folder, readDescriptions } from './descriptions';
import { createDifferences } from './ownDescription';
import type { RecordedWay } from './ways';

/** Holds every answer that went over the wire against the hosted service's descriptions. */
export function describeAnswers({ calls, lacks, hasFunds }: RecordedWay): void {
  const itWhereFunded = hasFunds ? it : it.skip;
  describe('every call so far', () => {
    itWhereFunded('is as the sandbox describes itself', () => {
      const differences = calls().flatMap(createDifferences());
      expect([...new Set(differences)].toSorted()).toEqual([]);
    });
  });
  const descriptions = readDescriptions();
  if (descriptions === undefined) {
    const what = `answers are not held against the hosted descriptions: there is no ${folder}`;
    process.stderr.write(`Skipped: ${what}.\n`);
    it.skip(what, () => {});
    return;
  }
  describe('every answer so far', () => {
    it('is as the hosted service describes it', () => {
      const differences = calls().flatMap((call) => descriptions.differences(call));
      expect([...new Set(differences)].toSorted()).toEqual([]);
    });

    itWhereFunded('was one of each endpoint that is described', () => {
      const answered = new Set(
        calls()
          .filter(({ status }) => status < 300)
          .map((call) => descriptions.operation(call)),
      );
      const unseen = Object.entries<Endpoint>(endpoints)
        .filter(([name]) => !lacks.includes(name as EndpointName) && !(name in refusedHere))
        .map(([, endpoint]) => ({ method: endpoint.method, path: pathOf(endpoint) }))
        .map((call) => descriptions.operation(call))
        .filter((operation) => operation !== undefined && !answered.has(operation));
      expect(unseen).toEqual([]);
    });
  });
}
