import { createServer, type RequestListener } from 'node:http';
import { checkClock, compareClocks } from '../../../src/cli/doctor/checkClock';
import { checkCustody } from '../../../src/cli/doctor/checkCustody';
import { checkNodeVersion } from '../../../src/cli/doctor/checkMachine';
import { checkChain } from '../../../src/health/checkChain';
import { checkRetention } from '../../../src/health/temporal/checkNamespace';
import { stopLater } from '../../support/jest/setUp';
import { inSandbox } from '../../support/sandbox';
import { listening } from '../../support/service/listening';
import { temporalAddress } from '../../support/temporal';
import { runCli } from '../runCli';

const sandbox = inSandbox();

/** Starts a server that answers every call with this status and JSON. Returns its address. */
async function answering(status: number, body: object): Promise<string> {
  const answer: RequestListener = (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const { url, close } = await listening(createServer(answer));
  stopLater(close);
  return url;
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
    publicKeySha256: undefined,
  };
}

it.each([
  ['20.19.0', 'fine'],
  ['22.0.1', 'fine'],
  ['20.18.9', 'fault'],
  ['18.20.0', 'fault'],
])('Node.js %s is %s', (version, state) => {
  expect(checkNodeVersion(version).state).toBe(state);
});

it('a retention under 30 days is for the operator, with the command that mends it', () => {
  expect(checkRetention('default', 30).state).toBe('fine');
  expect(checkRetention('default', 1)).toMatchObject({
    state: 'fault',
    belongsTo: 'operator',
    words: 'closed orders are forgotten after 1 day',
    mend: expect.stringMatching(/: temporal operator namespace update -n default --retention 30d$/),
  });
});

describe('the service', () => {
  it('that refuses the API key is told apart from one that is away', async () => {
    const refusing = await answering(401, { code: 401, message: 'Malformed authorization.' });
    const [service, key, secret] = await checkCustody(custodyAt(refusing));
    expect(service?.state).toBe('fine');
    expect(key).toMatchObject({ name: 'API key', state: 'fault', belongsTo: 'configuration' });
    expect(key?.words).toContain('code 401: Malformed authorization');
    expect(secret?.state).toBe('skipped');
  });

  it('that is away is named', async () => {
    const [service, ...others] = await checkCustody(custodyAt('http://127.0.0.1:1'));
    expect(service).toMatchObject({ state: 'fault', belongsTo: 'operator' });
    expect(service?.words).toContain('127.0.0.1:1 gives no usable answer');
    expect(others.map(({ state }) => state)).toEqual(['skipped', 'skipped']);
  });
});

describe('the sandbox', () => {
  it('takes its own keys, and has moved nothing after it was asked', async () => {
    const findings = await checkCustody({ ...custodyAt(sandbox.origin), ...sandbox.secrets });
    expect(findings.map(({ name, state }) => `${name}: ${state}`)).toEqual([
      'Service: fine',
      'API key: fine',
      'Public key: fine',
      'Entity secret: fine',
      'Network ARC-TESTNET: fine',
      'Network ARC: skipped',
      'Stuck transactions: fine',
    ]);
    expect(await sandbox.client.listTransactions({})).toEqual({ transactions: [] });
  });

  it('refuses another API key', async () => {
    const { entitySecret } = sandbox.secrets;
    const findings = await checkCustody({ ...custodyAt(sandbox.origin), entitySecret });
    expect(findings[1]).toMatchObject({ name: 'API key', belongsTo: 'configuration' });
    expect(findings[1]?.words).toContain('code 156007');
  });

  it('refuses another entity secret, which is not repeated', async () => {
    const { apiKey } = sandbox.secrets;
    const findings = await checkCustody({ ...custodyAt(sandbox.origin), apiKey });
    expect(findings[3]).toMatchObject({ name: 'Entity secret', belongsTo: 'configuration' });
    expect(findings[3]?.words).toContain('is not the one that is registered (code 156013)');
    expect(JSON.stringify(findings)).not.toContain('a'.repeat(64));
  });

  it('has the public key that is pinned, and not another', async () => {
    const ask = async (publicKeySha256: string | undefined) => {
      const config = { ...custodyAt(sandbox.origin), ...sandbox.secrets, publicKeySha256 };
      return (await checkCustody(config))[2];
    };
    const { words = '' } = (await ask(undefined)) ?? {};
    const digest = words.slice('SHA-256 '.length).slice(0, 64);
    expect(await ask(digest)).toMatchObject({ words: `SHA-256 ${digest}, as expected` });
    expect(await ask('f'.repeat(64))).toMatchObject({ state: 'fault', belongsTo: 'configuration' });
  });

  it('that does not tell the account is examined in all else', async () => {
    const fails = (body: object) =>
      sandbox.request('POST', `${sandbox.origin}/_sandbox/faults`, { headers: {}, body });
    const path = '/v1/w3s/config/entity';
    await fails({ seed: 1, rules: [{ kind: 'status', status: 503, path }] });
    const config = { ...custodyAt(sandbox.origin), ...sandbox.secrets };
    const findings = await checkCustody(config).finally(() => fails({ seed: 1, rules: [] }));
    const words = expect.stringMatching(/^the service accepts it; the account is not told: /);
    expect(findings.slice(0, 4)).toMatchObject([
      { name: 'Service', state: 'fine' },
      { name: 'API key', state: 'fine', words },
      { name: 'Public key', state: 'fine' },
      { name: 'Entity secret', state: 'fine' },
    ]);
    expect(findings).toHaveLength(7);
  });

  it('has the time of this machine', async () => {
    expect(await checkClock(`${sandbox.origin}/v1/w3s`)).toMatchObject({ state: 'fine' });
  });
});

describe('the clock', () => {
  it.each([
    [29_000, 'fine', 'within 29 s of'],
    [-29_000, 'fine', 'within 29 s of'],
    [90_000, 'fault', '1 min 30 s ahead of'],
    [-90_000, 'fault', '1 min 30 s behind'],
  ])('that is ahead of the service by %s ms is a %s', (aheadMs, state, words) => {
    const finding = compareClocks(aheadMs, 'the-service');
    expect(finding.state).toBe(state);
    expect(finding.words).toBe(`${words} the clock of the-service`);
  });

  it('is not told by a service that is away', async () => {
    expect(await checkClock('http://127.0.0.1:1/v1/w3s')).toMatchObject({ state: 'skipped' });
  });
});

describe('the chain', () => {
  it('is fine when it is the one that the service works on', async () => {
    const { rpcUrl } = sandbox;
    expect(await checkChain(rpcUrl, 'ARC-TESTNET')).toMatchObject({ state: 'fine' });
  });

  it('is a wrong configuration when it is another one', async () => {
    const finding = await checkChain(await answering(200, { result: '0x1' }), 'ARC-TESTNET');
    expect(finding.belongsTo).toBe('configuration');
    expect(finding.words).toBe('CHAIN_RPC_URL is chain 1, but ARC-TESTNET is chain 5042002');
  });

  it('may want a user and a password, which are never repeated', async () => {
    const { port, pathname } = new URL(sandbox.rpcUrl);
    const url = (to: string) => `http://me:hidden@127.0.0.1:${to}${pathname}`;
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
  expect(stdout).toContain('✗ Worker for workflows: nobody serves queue "nobody"');
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

it('the examination names what is wrong, all of it at once', async () => {
  const { code, stdout } = await runCli(['doctor'], {
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    STEADFAST_DEPLOYMENT: 'payments',
    CUSTODY_ENTITY_SECRET: 'abc',
  });
  expect(stdout).toContain('✗ Temporal: cannot be reached at 127.0.0.1:1');
  expect(stdout).toContain('✗ Environment, worker: STEADFAST_BUILD_ID: is not set.');
  expect(stdout).toContain('CUSTODY_ENTITY_SECRET: must be 64 lowercase hexadecimal characters.');
  expect(code).toBe(2);
});
