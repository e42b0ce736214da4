import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkChain } from '../../src/cli/doctor/checkChain';
import { checkCustody } from '../../src/cli/doctor/checkCustody';
import { checkNode } from '../../src/cli/doctor/checkMachine';
import { checkRetention } from '../../src/cli/doctor/checkTemporal';
import { temporalAddress } from '../support/temporal';
import { runCli } from './runCli';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server that answers every call with this status and JSON; returns its address. */
async function answering(status: number, body: object): Promise<string> {
  const answer: RequestListener = (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function custodyAt(origin: string) {
  return {
    baseUrl: `${origin}/v1/w3s`,
    apiKey: 'TEST_API_KEY:a:b',
    entitySecret: 'a'.repeat(64),
    blockchain: 'ARC-TESTNET',
    keyLifetimeMs: 1,
    lookupGraceMs: 1,
    chainRpcUrl: undefined,
  };
}

it.each([
  ['20.19.0', 'fine'],
  ['22.0.1', 'fine'],
  ['20.18.9', 'fault'],
  ['18.20.0', 'fault'],
])('Node.js %s is %s', (version, state) => {
  expect(checkNode(version).state).toBe(state);
});

it('a retention under 30 days is for the operator, with the command that mends it', () => {
  expect(checkRetention('default', 2_592_000).state).toBe('fine');
  expect(checkRetention('default', 86_400)).toMatchObject({
    state: 'fault',
    belongsTo: 'operator',
    words: 'closed orders are forgotten after 1 days',
    mend: expect.stringContaining('temporal operator namespace update -n default'),
  });
});

describe('the service', () => {
  it('that refuses the API key is told apart from one that is away', async () => {
    const refusing = await answering(401, { code: 401, message: 'Malformed authorization.' });
    const { words } = await checkCustody(custodyAt(refusing));
    expect(words).toContain('refuses the API key');
  });

  it('that is away is named', async () => {
    const finding = await checkCustody(custodyAt('http://127.0.0.1:1'));
    expect(finding).toMatchObject({ state: 'fault', belongsTo: 'operator' });
    expect(finding.words).toContain('127.0.0.1:1 gives no usable answer');
  });
});

describe('the chain', () => {
  it('is fine when it is the one that the service works on', async () => {
    const rpcUrl = await answering(200, { result: '0x4cef52' });
    expect(await checkChain(rpcUrl, 'ARC-TESTNET')).toMatchObject({ state: 'fine' });
  });

  it('is a wrong configuration when it is another one', async () => {
    const finding = await checkChain(await answering(200, { result: '0x1' }), 'ARC-TESTNET');
    expect(finding.belongsTo).toBe('configuration');
    expect(finding.words).toBe('CHAIN_RPC_URL is chain 1, but ARC-TESTNET is chain 5042002');
  });

  it('may want a user and a password, which are never repeated', async () => {
    const { port } = new URL(await answering(200, { result: '0x4cef52' }));
    const url = (to: string) => `http://me:hidden@127.0.0.1:${to}/hidden`;
    expect(await checkChain(url(port), 'ARC-TESTNET')).toMatchObject({ state: 'fine' });
    const finding = await checkChain(url('1'), 'ARC-TESTNET');
    expect(finding.belongsTo).toBe('operator');
    expect(JSON.stringify(finding)).not.toContain('hidden');
  });

  it.each(['rpc.example/hidden', 'localhost:1/hidden'])(
    'is a wrong configuration when its address cannot be used (%s), which is not repeated',
    async (rpcUrl) => {
      const finding = await checkChain(rpcUrl, 'ARC-TESTNET');
      expect(finding.belongsTo).toBe('configuration');
      expect(JSON.stringify(finding)).not.toContain('hidden');
    },
  );

  it('is for the operator when it does not answer', async () => {
    const finding = await checkChain('http://127.0.0.1:1', 'ARC-TESTNET');
    expect(finding.belongsTo).toBe('operator');
    expect(finding.words).toContain('CHAIN_RPC_URL gives no usable answer');
  });
});

it('the examination tells each fault with a way out, and ends with 2 for configuration', async () => {
  const { code, stdout } = await runCli(['doctor'], {
    TEMPORAL_ADDRESS: temporalAddress(),
    STEADFAST_TASK_QUEUE: 'nobody',
  });
  expect(stdout).toContain(`✓ Temporal: answers at ${temporalAddress()}`);
  expect(stdout).toContain('✗ Worker for writes: nobody serves queue "nobody-writes"');
  expect(stdout).toContain('Start one with "steadfast worker"');
  expect(stdout).toContain('✗ Environment, service: CUSTODY_BASE_URL: is not set.');
  expect(code).toBe(2);
});

it('the examination ends with 3 when only the operator can mend it, as one document', async () => {
  const { baseUrl, apiKey, entitySecret } = custodyAt('http://127.0.0.1:1');
  const { code, stdout } = await runCli(['doctor', '--json'], {
    TEMPORAL_ADDRESS: temporalAddress(),
    CUSTODY_BASE_URL: baseUrl,
    CUSTODY_API_KEY: apiKey,
    CUSTODY_ENTITY_SECRET: entitySecret,
  });
  expect(JSON.parse(stdout).findings).toContainEqual(
    expect.objectContaining({ name: 'Service', state: 'fault', belongsTo: 'operator' }),
  );
  expect(stdout).not.toContain(entitySecret);
  expect(code).toBe(3);
});
