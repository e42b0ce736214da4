import { ApplicationFailure } from '@temporalio/workflow';

/**
 * A part of an opened order. The guard resolved it from a field that the schema requires. So a
 * missing part is our own fault, and nothing is sent.
 */
export function named<Opened extends object, Part extends keyof Opened>(
  opened: Opened,
  ...parts: Part[]
): Required<Pick<Opened, Part>> {
  for (const part of parts) {
    if (opened[part] !== undefined) continue;
    throw ApplicationFailure.nonRetryable(`The guard did not resolve ${String(part)}.`, 'Refused');
  }
  return opened as Required<Pick<Opened, Part>>;
}
