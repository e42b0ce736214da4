import { type LocalTemporal, startTemporal } from '../../src/local/startTemporal';
import { setUp } from './jest/setUp';

/** Variables of the global set-up: the run's one Temporal server, and its workflow bundle. */
export const addressVariable = 'STEADFAST_TEST_TEMPORAL_ADDRESS';
export const httpVariable = 'STEADFAST_TEST_TEMPORAL_HTTP_URL';
export const bundleVariable = 'STEADFAST_TEST_WORKFLOW_BUNDLE';

/** Address of the Temporal server that all test files share. */
export function temporalAddress(): string {
  return given(addressVariable);
}

/** The address at which the same server accepts plain JSON over HTTP. */
export function temporalHttpUrl(): string {
  return given(httpVariable);
}

/** The workflows, bundled once for the whole run. */
export function workflowBundle(): { codePath: string } {
  return { codePath: given(bundleVariable) };
}

/** A server of its own for the tests of a file or a group, which has heard of nothing. */
export function inTemporal(dynamicConfig: Record<string, string> = {}): LocalTemporal {
  return setUp(() => startTemporal({ headless: true, port: 0, dynamicConfig }));
}

function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the tests through npm test.`);
  return value;
}
