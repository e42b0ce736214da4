import { z } from 'zod';
import { parse } from '../variables';

const address = z.string().regex(/^(\d{1,3}(\.\d{1,3}){3}|\[[\da-fA-F:.]+\]):\d{1,5}$/, {
  error: 'must be an address and a port, such as 127.0.0.1:9464',
});
const url = z.url({ protocol: /^https?$/, error: 'must be a URL such as http://127.0.0.1:4318' });
const headers = z.string().regex(/^\s*[^=,\s]+=[^,]*(,\s*[^=,\s]+=[^,]*)*$/, {
  error: 'must be <name>=<value>, with commas between several',
});
const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const;

const metricsVariables = z.object({ STEADFAST_METRICS_ADDRESS: address.optional() });

const traceVariables = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers.optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
});

const logVariables = z.object({
  STEADFAST_LOG_LEVEL: z
    .enum(levels, { error: `must be one of ${levels.join(', ')}` })
    .default('info'),
});

export type LogLevel = (typeof levels)[number];

/** The target of spans, from OpenTelemetry's own variables. */
export type TracesConfig = {
  url: string;
  /** They may hold a secret. */
  headers: Record<string, string>;
  serviceName: string;
};

/** The address of the metrics server. Undefined when metrics are off. */
export function readMetricsAddress(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return parse(metricsVariables, env).STEADFAST_METRICS_ADDRESS;
}

/** The target of spans. Undefined when no endpoint is set. */
export function readTraces(
  serviceName: string,
  env: NodeJS.ProcessEnv = process.env,
): TracesConfig | undefined {
  const variables = parse(traceVariables, env);
  const base = variables.OTEL_EXPORTER_OTLP_ENDPOINT;
  const target =
    variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`);
  if (target === undefined) return undefined;
  return {
    url: target,
    headers: pairsOf(variables.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    serviceName: variables.OTEL_SERVICE_NAME ?? serviceName,
  };
}

/** The least level that is logged. */
export function readLogLevel(env: NodeJS.ProcessEnv = process.env): LogLevel {
  return parse(logVariables, env).STEADFAST_LOG_LEVEL;
}

/** Values are percent-encoded, as the specification has it. */
function pairsOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), plain(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function plain(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
