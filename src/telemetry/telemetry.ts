import type { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { CustodyApi } from '../custody/endpoints';
import type { TracesConfig } from './config';
import { meterOf } from './meter';
import { observedCustody } from './observedCustody';
import { type Observing, observeWorkers } from './observeWorkers';
import { watchOpenOrders } from './openOrders';
import { startTraces } from './traces';

/** The metrics and traces of one worker process. */
export type Telemetry = {
  /** Options for its workers. */
  observing: Observing;
  /** The service, with each call counted, timed, logged and traced. */
  observed(custody: CustodyApi): CustodyApi;
  /** Counts the orders under way from now on. */
  watch(client: Client): void;
  /** Sends what has not been sent. */
  stop(): Promise<void>;
};

/** Starts metrics and traces. Temporal's runtime, which serves the metrics, must be installed. */
export function startTelemetry(config: TracesConfig | undefined, log: Logger): Telemetry {
  const meter = meterOf(Runtime.instance().metricMeter);
  const traces = config === undefined ? undefined : startTraces(config);
  // An alert sees an increase only if there was a number before.
  meter.count('steadfast_contradicting_receipts_total', {}, 0);
  const ends: (() => void)[] = [];
  return {
    observing: observeWorkers({ meter, traces }),
    observed: (custody) => observedCustody(custody, { meter, traces, log }),
    watch: (client) => {
      ends.push(watchOpenOrders(client, meter, log));
    },
    stop: async () => {
      for (const end of ends) end();
      await traces?.stop();
    },
  };
}
