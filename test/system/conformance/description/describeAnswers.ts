import { endpointPath } from '../../../../sandbox/http/server';
import { type Endpoint, type EndpointName, endpoints } from '../../../../src/custody/endpoints';
import type { RecordedWay } from '../subject/ways';
import { refusedHere } from './amendments';
import { folder, readDescriptions } from './descriptions';
import { createDifferences } from './ownDescription';

/** Compares every answer over HTTP with the hosted service's descriptions. */
export function describeAnswers({ calls, lacks, hasFunds }: RecordedWay): void {
  const itWhereFunded = hasFunds ? it : it.skip;
  describe('every call so far', () => {
    itWhereFunded("matches the sandbox's own description", () => {
      const differences = calls().flatMap(createDifferences());
      expect([...new Set(differences)].toSorted()).toEqual([]);
    });
  });
  const descriptions = readDescriptions();
  if (descriptions === undefined) {
    const what = `answers are not compared with the hosted descriptions: there is no ${folder}`;
    process.stderr.write(`Skipped: ${what}.\n`);
    it.skip(what, () => {});
    return;
  }
  describe('every answer so far', () => {
    it("matches the hosted service's description", () => {
      const differences = calls().flatMap((call) => descriptions.differences(call));
      expect([...new Set(differences)].toSorted()).toEqual([]);
    });

    itWhereFunded('covers each described endpoint', () => {
      const answered = new Set(
        calls()
          .filter(({ status }) => status < 300)
          .map((call) => descriptions.operation(call)),
      );
      const unseen = Object.entries<Endpoint>(endpoints)
        .filter(([name]) => !lacks.includes(name as EndpointName) && !(name in refusedHere))
        .map(([, endpoint]) => ({ method: endpoint.method, path: endpointPath(endpoint) }))
        .map((call) => descriptions.operation(call))
        .filter((operation) => operation !== undefined && !answered.has(operation));
      expect(unseen).toEqual([]);
    });
  });
}
