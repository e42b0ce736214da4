import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../src/variables';
import {
  readDeployment,
  readLimits,
  readServiceConfig,
  readWorkerConfig,
} from '../../src/worker/workerConfig';

const service = {
  CUSTODY_BASE_URL: 'http://127.0.0.1:4010/v1/w3s',
  CUSTODY_API_KEY: 'TEST_API_KEY:an-id:a-secret',
};
const secret = '0123456789abcdef'.repeat(4);

describe('what a worker does', () => {
  it('is all of it where nothing is said', () => {
    expect(readWorkerConfig([], {})).toEqual({
      roles: ['workflows', 'reads', 'writes'],
      shutdownMs: 15_000,
      bundlePath: undefined,
      storePath: undefined,
    });
  });

  it('is what the environment says, and what somebody names goes before that', () => {
    const given = { STEADFAST_ROLES: 'reads, writes,reads', STEADFAST_SHUTDOWN_SECONDS: '40' };
    expect(readWorkerConfig([], given)).toMatchObject({
      roles: ['reads', 'writes'],
      shutdownMs: 40_000,
    });
    expect(readWorkerConfig(['workflows'], given).roles).toEqual(['workflows']);
  });

  it.each([
    ['STEADFAST_ROLES', 'reads,signs', 'must be a list out of workflows,reads,writes'],
    ['STEADFAST_ROLES', ' , ', 'must be a list out of workflows,reads,writes'],
    ['STEADFAST_SHUTDOWN_SECONDS', '0', 'must be a number of seconds, from 1 to 3600'],
    ['STEADFAST_SHUTDOWN_SECONDS', 'soon', 'must be a number of seconds, from 1 to 3600'],
    ['STEADFAST_WORKFLOW_BUNDLE', '/nowhere/bundle.js', 'is not a file that can be found'],
  ])('is refused with %s as %j, which it names', (name, value, form) => {
    expect(() => readWorkerConfig([], { [name]: value })).toThrow(
      new ConfigError(`${name}: ${form}.`),
    );
  });

  it('takes its workflows from a file where one is named', () => {
    const given = { STEADFAST_WORKFLOW_BUNDLE: __filename };
    expect(readWorkerConfig([], given).bundlePath).toBe(__filename);
  });

  it.each(['file:./steadfast.db', 'folder:/var/lib/steadfast', 'postgres://u@db:5432/steadfast'])(
    'keeps its archive in the store %j',
    (store) => {
      expect(readWorkerConfig([], { STEADFAST_STORE: store }).store).toBe(store);
    },
  );

  it.each(['/var/lib/steadfast.db', 'file:', 'file:/nowhere/store.db', 'postgres://u:a#b@db/s'])(
    'is refused with %j as its store',
    (store) => {
      const known = /^STEADFAST_STORE: must be file:<path> in a folder that exists, folder:<path>/;
      expect(() => readWorkerConfig([], { STEADFAST_STORE: store })).toThrow(known);
    },
  );

  const inFolder = /^STEADFAST_LEDGER: must be file:<path> in a folder that exists, or postgres:/;

  it.each(['/ledger.db', 'file:/nowhere/ledger.db', 'postgres://u:a#b@db/l', 'postgres://db'])(
    'is refused with %j as its ledger',
    (text) => {
      const given = { STEADFAST_POLICY_FILE: __filename, STEADFAST_LEDGER: text };
      expect(() => readWorkerConfig([], given)).toThrow(inFolder);
    },
  );

  it.each([
    ['file:./ledger.db', './ledger.db'],
    ['postgres://u:p%23@db:5432/ledger?sslmode=verify-full', undefined],
    ['postgresql://db/ledger', undefined],
  ])('keeps its ledger in %s, also where a file has that text', (text, place = text) => {
    const policy = { STEADFAST_POLICY_FILE: __filename };
    const file = join(mkdtempSync(join(tmpdir(), 'steadfast-config-')), 'ledger-url');
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
    const direct = readWorkerConfig([], { ...policy, STEADFAST_LEDGER: text });
    const mounted = readWorkerConfig([], { ...policy, STEADFAST_LEDGER_FILE: file });
    expect(direct.authority?.ledgerPlace).toBe(place);
    expect(mounted.authority?.ledgerPlace).toBe(place);
  });

  it('decides which secrets it must be given', () => {
    expect(readServiceConfig(['workflows'], {})).toBeUndefined();
    expect(readServiceConfig(['workflows', 'reads'], service)).toMatchObject({
      apiKey: service.CUSTODY_API_KEY,
      entitySecret: undefined,
    });
    const whole = { ...service, CUSTODY_ENTITY_SECRET: secret };
    expect(readServiceConfig(['reads'], whole)?.entitySecret).toBeUndefined();
    expect(readServiceConfig(['writes'], whole)?.entitySecret).toBe(secret);
    expect(() => readServiceConfig(['writes'], service)).toThrow(
      new ConfigError('CUSTODY_ENTITY_SECRET: is not set.'),
    );
  });
});

describe('the deployment of a worker', () => {
  const given = { STEADFAST_DEPLOYMENT: 'payments', STEADFAST_BUILD_ID: '2026-11.1' };
  const build = { name: 'payments', buildId: '2026-11.1' };
  const nameForm = 'must be letters, digits, _ and -, without __ in front';
  const idForm = 'must be letters, digits, _, -, + and dots, without __ in front';

  it('is none where nothing is said of it', () => {
    expect(readDeployment({})).toBeUndefined();
    expect(readDeployment({ STEADFAST_DEPLOYMENT: '' })).toBeUndefined();
  });

  it('keeps orders with their build, unless they are to be upgraded', () => {
    expect(readDeployment(given)).toEqual({ ...build, isPinned: true });
    expect(readDeployment({ ...given, STEADFAST_VERSIONING: 'auto-upgrade' })).toEqual({
      ...build,
      isPinned: false,
    });
  });

  it.each([
    ['STEADFAST_DEPLOYMENT', undefined, 'is not set'],
    ['STEADFAST_BUILD_ID', '', 'is not set'],
    ['STEADFAST_DEPLOYMENT', 'pay.ments', nameForm],
    ['STEADFAST_DEPLOYMENT', '__payments', nameForm],
    ['STEADFAST_BUILD_ID', 'a build', idForm],
    ['STEADFAST_VERSIONING', 'PINNED', 'must be pinned or auto-upgrade'],
  ])('is refused with %s as %j, which it names', (name, value, form) => {
    const act = () => readDeployment({ ...given, [name]: value });
    expect(act).toThrow(new ConfigError(`${name}: ${form}.`));
  });
});

describe('the limits of a worker', () => {
  it('are just below those of the hosted service unless said otherwise, and may be off', () => {
    expect(readLimits({})).toEqual({ writesPerSecond: 4.8, readsPerSecond: 20 });
    const given = { STEADFAST_WRITES_PER_SECOND: '0.5', STEADFAST_READS_PER_SECOND: 'off' };
    expect(readLimits(given)).toEqual({ writesPerSecond: 0.5, readsPerSecond: undefined });
  });

  it.each(['0', '-1', 'fast', '10001', 'Infinity'])('cannot be %s', (text) => {
    expect(() => readLimits({ STEADFAST_READS_PER_SECOND: text })).toThrow(
      'STEADFAST_READS_PER_SECOND: must be a number from above 0 to 10000, or off.',
    );
  });
});
