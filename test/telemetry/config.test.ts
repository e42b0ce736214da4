import { readLogLevel, readMetricsAddress, readTraces } from '../../src/telemetry/config';
import { checkAddress } from '../../src/telemetry/runtime';
import { startTestSandbox } from '../support/sandbox';

describe('the address of metrics', () => {
  test('is absent by default', () => {
    expect(readMetricsAddress({})).toBeUndefined();
    expect(readMetricsAddress({ STEADFAST_METRICS_ADDRESS: '' })).toBeUndefined();
  });

  test.each(['127.0.0.1:9464', '0.0.0.0:9464', '[::1]:9464'])('may be %s', (address) => {
    expect(readMetricsAddress({ STEADFAST_METRICS_ADDRESS: address })).toBe(address);
  });

  test.each(['9464', ':9464', 'localhost:9464', 'http://127.0.0.1:9464'])(
    'may not be %s',
    (address) => {
      expect(() => readMetricsAddress({ STEADFAST_METRICS_ADDRESS: address })).toThrow(
        'STEADFAST_METRICS_ADDRESS: must be an address and a port, such as 127.0.0.1:9464.',
      );
    },
  );

  test('cannot be one that is in use', async () => {
    const sandbox = await startTestSandbox();
    try {
      const { host } = new URL(sandbox.baseUrl);
      await expect(checkAddress(host)).rejects.toThrow(
        /^STEADFAST_METRICS_ADDRESS: nothing can be served at 127\.0\.0\.1:\d+ \(.*EADDRINUSE/,
      );
    } finally {
      await sandbox.stop();
    }
  });
});

describe('the target of traces', () => {
  test('is absent without an endpoint', () => {
    expect(readTraces('worker', { OTEL_SERVICE_NAME: 'shop' })).toBeUndefined();
  });

  test('follows from the endpoint by the specification', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };
    expect(readTraces('worker', env)).toEqual({
      url: 'http://127.0.0.1:4318/v1/traces',
      headers: {},
      serviceName: 'worker',
    });
  });

  test('may be set for traces alone, with headers and the name of the service', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/of/us',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-team=payments',
      OTEL_SERVICE_NAME: 'shop',
    };
    expect(readTraces('worker', env)).toEqual({
      url: 'https://traces.example/of/us',
      headers: { authorization: 'Bearer a=b', 'x-team': 'payments' },
      serviceName: 'shop',
    });
  });

  test('never repeats a header that is malformed', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'of-the-collector',
    };
    expect(() => readTraces('worker', env)).toThrow(
      /^OTEL_EXPORTER_OTLP_HEADERS: must be <name>=<value>, with commas between several\.$/,
    );
  });
});

describe('the log level', () => {
  test('is info by default', () => {
    expect(readLogLevel({})).toBe('info');
    expect(readLogLevel({ STEADFAST_LOG_LEVEL: 'debug' })).toBe('debug');
    expect(() => readLogLevel({ STEADFAST_LOG_LEVEL: 'loud' })).toThrow(
      'STEADFAST_LOG_LEVEL: must be one of trace, debug, info, warn, error.',
    );
  });
});
