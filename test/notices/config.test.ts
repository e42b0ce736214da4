import { readReceiverConfig } from '../../src/notices/config';

test('flags win over variables, and faults name the one that was given', () => {
  const env = { STEADFAST_WEBHOOKS_PORT: '4021', STEADFAST_WEBHOOKS_HOST: '0.0.0.0' };
  expect(readReceiverConfig({ port: '0' }, env)).toMatchObject({ port: 0, host: '0.0.0.0' });
  expect(() => readReceiverConfig({ port: 'x' }, env)).toThrow('--port: must be a port number');
  const wrong = { STEADFAST_WEBHOOKS_PORT: 'x' };
  expect(() => readReceiverConfig({}, wrong)).toThrow('STEADFAST_WEBHOOKS_PORT: must be');
});

test.each([
  [{ STEADFAST_WEBHOOKS_TLS_CERT: 'a.pem' }, 'Give both'],
  [
    { STEADFAST_WEBHOOKS_TLS_CERT: 'none.pem', STEADFAST_WEBHOOKS_TLS_KEY: 'none.key' },
    'is not a file',
  ],
  [{ STEADFAST_RECEIVED_WORKFLOW: 'onReceived' }, 'Give both'],
])('half a setting is refused: %o', (env, fault) => {
  expect(() => readReceiverConfig({}, env)).toThrow(fault);
});
