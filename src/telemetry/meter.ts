import type { MetricMeter } from '@temporalio/common';
import { givenName, type LabelsOf, type MetricName, metrics } from './metrics';

/** Our metrics as a process records them. A name and its labels are checked by the compiler. */
export type Meter = {
  /** Once, unless it says how often. With 0 it is served before anything was counted. */
  count<Name extends MetricName>(name: Name, labels: LabelsOf<Name>, times?: number): void;
  observe<Name extends MetricName>(name: Name, value: number, labels: LabelsOf<Name>): void;
  set<Name extends MetricName>(name: Name, value: number, labels: LabelsOf<Name>): void;
};

/**
 * Records by Temporal's meter, which serves our metrics beside its own. Never throws: what is
 * counted is done, and stays done where it cannot be counted.
 */
export function meterOf(temporal: MetricMeter): Meter {
  return {
    count: (name, labels, times = 1) =>
      unfailing(() =>
        temporal.createCounter(givenName(name), '', metrics[name].help).add(times, labels),
      ),
    observe: (name, value, labels) =>
      unfailing(() =>
        temporal
          .createHistogram(givenName(name), 'float', '', metrics[name].help)
          .record(Math.max(value, 0), labels),
      ),
    set: (name, value, labels) =>
      unfailing(() =>
        temporal.createGauge(givenName(name), 'float', '', metrics[name].help).set(value, labels),
      ),
  };
}

function unfailing(record: () => void): void {
  try {
    record();
  } catch {
    // Nobody can be told: it is the telling that has failed.
  }
}
