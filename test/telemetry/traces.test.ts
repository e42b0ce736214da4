import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { Client } from '@temporalio/client';
import { createSteadfast, traceStarts } from '../../src/client/client';
import { someone } from '../support/stages';
import { startTransfer, startWatched, type Watched } from '../support/watched';

type Span = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
};
type Batch = {
  resourceSpans: {
    resource: { attributes: Span['attributes'] };
    scopeSpans: { spans: Span[] }[];
  }[];
};

/** The spans that a collector received, and their headers. */
const received: (Span & { service: string })[] = [];
const headers: IncomingHttpHeaders[] = [];
let bodies = '';
/** The spans of a backend with OpenTelemetry. */
const started = new InMemorySpanExporter();
let collector: Server;
let watched: Watched;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    headers.push(request.headers);
    bodies += body;
    const { resourceSpans }: Batch = JSON.parse(body);
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = textOf(resource, 'service.name');
      const spans = scopeSpans.flatMap((scope) => scope.spans);
      received.push(...spans.map((span) => ({ ...span, service })));
    }
    response.end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  watched = await startWatched(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    },
    { url: `${endpoint}/v1/traces`, headers: {}, serviceName: 'steadfast-sandbox' },
  );
  const spanProcessors = [new SimpleSpanProcessor(started)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
});
afterAll(async () => {
  trace.disable();
  await watched?.stop();
  await new Promise((resolve) => collector.close(resolve));
});

describe('an order that was started in a trace', () => {
  test('is part of it, with its run, its activities, its calls and the service', async () => {
    const wallet = await watched.sandbox.fundedWallet('EOA');
    const { connection } = watched.client;
    const client = new Client({ connection, interceptors: { workflow: [traceStarts] } });
    const backend = createSteadfast({ client, taskQueue: watched.taskQueue });
    const order = await backend.start('transferStablecoin', `transfer:${randomUUID()}`, {
      from: { walletId: wallet.id },
      to: someone('beef'),
      amount: '1.23',
      token: 'USDC',
    });
    const receipt = await order.receipt();
    const [start] = started.getFinishedSpans();
    const { traceId, spanId } = start?.spanContext() ?? { traceId: '', spanId: '' };
    expect(start?.attributes).toEqual({ 'workflow.id': order.workflowId });
    const spans = await spansOf(traceId, /^workflow /);
    const run = only(spans, 'workflow transferStablecoin');
    expect(run.parentSpanId).toBe(spanId);
    const activity = only(spans, 'activity createTransfer');
    expect(activity.parentSpanId).toBe(run.spanId);
    const call = only(spans, 'POST /developer/transactions/transfer');
    expect(call).toMatchObject({ parentSpanId: activity.spanId, service: 'steadfast-worker' });
    const answer = only(spans, 'POST /v1/w3s/developer/transactions/transfer');
    expect(answer).toMatchObject({ parentSpanId: call.spanId, service: 'steadfast-sandbox' });
    expect(textOf(answer, 'request.id')).toBe(textOf(call, 'request.id'));
    expect(textOf(call, 'request.id')).toMatch(/^[0-9a-f-]{36}$/);
    // Others may see only the id of an order.
    expect(bodies).toContain(order.workflowId);
    for (const secret of [receipt.to, receipt.from, '1.23', receipt.txHash, wallet.id]) {
      expect(bodies.toLowerCase()).not.toContain(secret.toLowerCase());
    }
    expect(bodies).not.toContain(watched.sandbox.secrets.entitySecret);
  });
});

describe('an order that was started in no trace', () => {
  test('has its own trace, and none in its history', async () => {
    const order = await startTransfer(watched);
    await order.receipt();
    const spans = await spansOf(order.runId.replaceAll('-', ''), /^workflow /);
    const run = only(spans, 'workflow transferStablecoin');
    expect(run.parentSpanId ?? '').toBe('');
    expect(only(spans, 'activity openOrder').parentSpanId).toBe(run.spanId);
    const history = await watched.client.workflow.getHandle(order.workflowId).fetchHistory();
    expect(JSON.stringify(history)).not.toContain('_tracer-data');
  });
});

describe('the collector', () => {
  test('receives the configured headers', () => {
    const sent = headers.map(({ authorization }) => authorization);
    expect(sent).toContain('Bearer of-the-collector');
  });
});

/** The spans of a trace, once the last one has arrived. */
async function spansOf(traceId: string, last: RegExp): Promise<typeof received> {
  for (let look = 0; look < 1_000; look++) {
    const found = received.filter((span) => span.traceId === traceId);
    const services = new Set(found.map(({ service }) => service));
    if (found.some(({ name }) => last.test(name)) && services.size === 2) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const names = received.map(({ traceId: of, name, service }) => `${of} ${service}: ${name}`);
  throw new Error(`Trace ${traceId} is incomplete. It has\n${names.join('\n')}`);
}

function only(spans: typeof received, name: string): (typeof received)[number] {
  const [span] = spans.filter((one) => one.name === name);
  if (span === undefined) {
    throw new Error(`No span ${name}. There are ${spans.map((one) => one.name).join(', ')}`);
  }
  return span;
}

function textOf({ attributes }: Pick<Span, 'attributes'>, key: string): string {
  return attributes.find((attribute) => attribute.key === key)?.value.stringValue ?? '';
}
