import { randomUUID } from 'node:crypto';
import { asyncLocalStorage } from '@temporalio/activity';
import type { Logger } from 'pino';
import {
  type AnyCall,
  type CallOptions,
  type CustodyApi,
  type Endpoint,
  type EndpointName,
  endpoints,
  withCalls,
} from '../custody/endpoints';
import {
  CustodyError,
  NoAnswerError,
  NotSentError,
  RefusedError,
  UnexpectedAnswerError,
} from '../custody/errors';
import type { Meter } from './meter';
import { traceparent } from './traceContext';
import { currentContext, endSpan, type Traces } from './traces';

/** The metrics, traces and log of calls to the service. */
type Observers = { meter: Meter; traces: Traces | undefined; log: Logger };

/** The outcome of a call. Each field has few values. */
type End = {
  outcome: 'answered' | 'refused' | 'unexpected' | 'noAnswer' | 'notSent' | 'error';
  status: string;
  code: string;
  requestId: string;
};

/** A service that makes up codes must not make up time series. */
const codesMax = 64;

/**
 * The same service, with every call counted, timed, logged and traced. Each gets an id that the
 * service knows it by as well. Nothing of what is sent or answered is told to anybody.
 */
export function observedCustody(custody: CustodyApi, observers: Observers): CustodyApi {
  const shown = boundedCodes();
  return withCalls(custody, (name, call) => observedCall({ name, call, observers, shown }));
}

type Observed = {
  name: EndpointName;
  call: AnyCall;
  observers: Observers;
  shown: (code: number) => string;
};

function observedCall({ name, call, observers, shown }: Observed): AnyCall {
  const { method, path }: Endpoint = endpoints[name];
  return async (input, options: CallOptions = {}) => {
    const startedMs = performance.now();
    const requestId = options.requestId ?? randomUUID();
    const span = observers.traces?.begin({
      name: `${method} ${path}`,
      kind: 'client',
      parent: currentContext(),
      attributes: { 'http.request.method': method, 'url.template': path, endpoint: name },
    });
    const context = span === undefined ? {} : { traceparent: traceparent(span.spanContext()) };
    const end = (came: End): void => {
      const seconds = (performance.now() - startedMs) / 1_000;
      tell(observers, { name, seconds, came });
      if (span === undefined) return;
      span.setAttribute('request.id', came.requestId);
      if (came.status !== '') span.setAttribute('http.response.status_code', Number(came.status));
      if (came.code !== '') span.setAttribute('service.code', came.code);
      endSpan(span, came.outcome === 'answered' ? undefined : came.outcome);
    };
    try {
      const answer = await call(input, { ...options, requestId, ...context });
      end({ outcome: 'answered', status: '', code: '', requestId });
      return answer;
    } catch (error) {
      end({ requestId, ...endOf(error, shown) });
      throw error;
    }
  };
}

function tell(
  { meter, log }: Observers,
  { name, seconds, came }: { name: EndpointName; seconds: number; came: End },
): void {
  const { requestId, ...labels } = came;
  meter.count('steadfast_upstream_calls_total', { endpoint: name, ...labels });
  meter.observe('steadfast_upstream_seconds', seconds, { endpoint: name });
  const info = asyncLocalStorage.getStore()?.info;
  const order =
    info === undefined
      ? {}
      : {
          workflowId: info.workflowExecution?.workflowId,
          activity: info.activityType,
          attempt: info.attempt,
        };
  const ms = Math.round(seconds * 1_000);
  const facts = { ...order, endpoint: name, requestId, ...labels, ms };
  if (came.outcome === 'answered') log.debug(facts, 'The service answered.');
  else log.info(facts, 'A call to the service did not succeed.');
}

function endOf(error: unknown, shown: (code: number) => string): Omit<End, 'requestId'> {
  const requestId = error instanceof CustodyError ? error.requestId : undefined;
  const known = requestId === undefined ? {} : { requestId };
  if (error instanceof RefusedError) {
    const { status, code } = error;
    return { ...known, outcome: 'refused', status: String(status), code: shown(code) };
  }
  if (error instanceof UnexpectedAnswerError) {
    return { ...known, outcome: 'unexpected', status: String(error.status), code: '' };
  }
  const none = { ...known, status: '', code: '' };
  if (error instanceof NotSentError) return { ...none, outcome: 'notSent' };
  return { ...none, outcome: error instanceof NoAnswerError ? 'noAnswer' : 'error' };
}

function boundedCodes(): (code: number) => string {
  const seen = new Set<number>();
  return (code) => {
    if (seen.size < codesMax) seen.add(code);
    return seen.has(code) ? String(code) : 'other';
  };
}
