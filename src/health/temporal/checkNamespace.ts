import {
  broken,
  fine,
  firstLine,
  type HealthFinding,
  misconfigured,
  type TemporalToCheck,
} from '../finding';

const retentionDaysMin = 30;
const secondsPerDay = 86_400;
/** gRPC's code NOT_FOUND. */
const notFoundCode = 5;

/** Checks that the namespace exists and keeps closed orders for long enough. */
export async function checkNamespace({
  client,
  config,
}: TemporalToCheck): Promise<{ finding: HealthFinding; days?: number }> {
  const { namespace } = config;
  const name = 'Namespace';
  try {
    const described = await client.workflowService.describeNamespace({ namespace });
    const seconds = Number(described.config?.workflowExecutionRetentionTtl?.seconds ?? 0);
    return { finding: fine(name, `"${namespace}" is there`), days: seconds / secondsPerDay };
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === notFoundCode;
    const finding = isMissing
      ? misconfigured(
          name,
          `"${namespace}" is not there`,
          'Set TEMPORAL_NAMESPACE to one that is, or create it: ' +
            `temporal operator namespace create -n ${namespace} --retention 30d`,
        )
      : misconfigured(
          name,
          `"${namespace}" cannot be used: ${firstLine(error)}`,
          'Check TEMPORAL_NAMESPACE, and whether TEMPORAL_API_KEY or the certificate may use it.',
        );
    return { finding };
  }
}

/** Checks that Temporal keeps closed orders for long enough. */
export function checkRetention(namespace: string, days: number): HealthFinding {
  const told = `${Math.floor(days * 10) / 10} day${days === 1 ? '' : 's'}`;
  if (days >= retentionDaysMin) return fine('Retention', told);
  return broken(
    'Retention',
    `closed orders are forgotten after ${told}`,
    'An order started again later is not compared with its earlier runs. Fix it with: ' +
      `temporal operator namespace update -n ${namespace} --retention 30d`,
  );
}
