import { ApplicationFailure } from '@temporalio/workflow';

/**
 * The parts of an opened order that its process stands on. The guard has resolved them from fields
 * that the order's schema demands, so that one is missing is a fault of ours, and nothing is sent.
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
