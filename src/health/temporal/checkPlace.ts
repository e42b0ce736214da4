import { type HealthFinding, skipped, type TemporalToCheck } from '../finding';
import { checkNamespace, checkRetention } from './checkNamespace';
import { checkSchedules } from './checkSchedules';
import { checkSearchAttributes } from './checkSearchAttributes';
import { checkWorkers } from './checkWorkers';

/** Checks of a namespace, which need one that can be used. */
const ofNamespace = ['Retention', 'Search attributes', 'Workers', 'Schedules'];
/** Checks of a Temporal that answers. */
const ofTemporal = ['Namespace', ...ofNamespace];

/** Checks the namespace of a Temporal that answers, its workers and its schedules. */
export async function checkPlace(asked: TemporalToCheck): Promise<HealthFinding[]> {
  const { namespace } = asked.config;
  const known = await checkNamespace(asked);
  if (known.days === undefined) {
    return [known.finding, ...notChecked('the namespace cannot be used', ofNamespace)];
  }
  return [
    known.finding,
    checkRetention(namespace, known.days),
    await checkSearchAttributes(asked),
    ...(await checkWorkers(asked)),
    ...(await checkSchedules(asked)),
  ];
}

/** The same checks, where Temporal does not answer. */
export function placeNotChecked(): HealthFinding[] {
  return notChecked('Temporal cannot be reached', ofTemporal);
}

function notChecked(reason: string, names: readonly string[]): HealthFinding[] {
  return names.map((name) => skipped(name, `not checked: ${reason}`));
}
