import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPolicy } from '../../../src/cli/doctor/checkPolicy';
import { readPolicyFile } from '../../../src/writer/file/readPolicy';
import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import { temporalAddress } from '../../support/temporal';
import { runCli } from '../runCli';

const blockchain = 'ARC-TESTNET';
const wallet = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const payee = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steadfast-check-policy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const screen = { id: 'known', kind: 'screen', by: { list: 'sanctions.txt', hours: 24 } };

/** Writes a policy into the folder, and returns its path. */
function policyFile(version: number, change: { perTransfer?: string; rules?: object[] } = {}) {
  const { perTransfer = '5', rules = [] } = change;
  const paying = { orders: ['payout'], wallets: [wallet], tokens: ['USDC'], to: [payee] };
  const limit = { id: 'out', kind: 'limit', ...paying, perTransfer };
  const path = join(folder, 'policy.json');
  writeFileSync(path, JSON.stringify({ version, rules: [limit, ...rules] }));
  return path;
}

const ledgerFile = (): string => join(folder, 'ledger.db');

/** Puts a policy in force, as a writer does at its start. */
async function putInForce(policyPath: string): Promise<void> {
  const ledger = await ledgerAt(ledgerFile());
  await ledger.putInForce(readPolicyFile(policyPath, { blockchain }));
  await ledger.close();
}

const check = (policyPath: string) =>
  checkPolicy({ policyPath, ledgerPlace: ledgerFile() }, blockchain);

describe('a policy', () => {
  it('that no writer has used is fine, and no ledger is made for the check', async () => {
    const [finding] = await check(policyFile(1));
    expect(finding).toMatchObject({ name: 'Policy', state: 'fine' });
    expect(finding?.words).toMatch(/version 1: its ledger begins with the first writer$/);
    expect(readdirSync(folder)).toEqual(['policy.json']);
    writeFileSync(ledgerFile(), '');
    expect(await check(policyFile(1))).toEqual([finding]);
    expect(readFileSync(ledgerFile())).toHaveLength(0);
  });

  it('whose ledger cannot be used is told beside its lists', async () => {
    writeFileSync(ledgerFile(), 'no database at all, and longer than a header of one '.repeat(20));
    const findings = await check(policyFile(1, { rules: [screen] }));
    expect(findings).toMatchObject([
      { name: 'Ledger', state: 'fault', belongsTo: 'operator' },
      { name: 'Screen known', state: 'fault' },
    ]);
  });

  it('that is in force is fine, and so is a newer one, which the check does not start', async () => {
    await putInForce(policyFile(2));
    for (const version of [2, 3, 2]) {
      const [finding] = await check(policyFile(version));
      expect(finding).toMatchObject({ state: 'fine' });
      expect(finding?.words).toMatch(new RegExp(`version ${version}: no newer one is in force$`));
    }
  });

  it('that is older than the one in force is for the operator', async () => {
    await putInForce(policyFile(2));
    const [finding] = await check(policyFile(1));
    expect(finding).toMatchObject({ state: 'fault', belongsTo: 'operator' });
    expect(finding?.words).toContain('has version 1, and version 2 is in force. Start this writer');
    expect(finding?.mend).toBe('Until then, this writer sends nothing.');
  });

  it('of the same version with other words is for the operator', async () => {
    await putInForce(policyFile(2));
    const [finding] = await check(policyFile(2, { perTransfer: '6' }));
    expect(finding).toMatchObject({ state: 'fault', belongsTo: 'operator' });
    expect(finding?.words).toContain('Another policy with the same version 2 is in force.');
  });

  it('that cannot be read is a wrong configuration, with the place of each fault', async () => {
    const findings = await check(policyFile(1, { perTransfer: 'much' }));
    expect(findings).toMatchObject([{ state: 'fault', belongsTo: 'configuration' }]);
    expect(findings[0]?.words).toMatch(/policy\.json:1:\d+: rules\.0\.perTransfer/);
  });
});

describe('the list of a screen', () => {
  const list = (): string => join(folder, 'sanctions.txt');

  it('is a fault while it is missing, empty or old', async () => {
    const policy = policyFile(1, { rules: [screen] });
    const told = async (): Promise<string | undefined> => {
      const [, finding] = await check(policy);
      expect(finding).toMatchObject({ name: 'Screen known', state: 'fault' });
      return finding?.words;
    };
    expect(await told()).toContain('sanctions.txt cannot be read: it is not there');
    writeFileSync(list(), 'nobody\n');
    expect(await told()).toContain('sanctions.txt has no address in it');
    writeFileSync(list(), `${payee}\n`);
    const yesterday = Date.now() / 1_000 - 25 * 3_600;
    utimesSync(list(), yesterday, yesterday);
    expect(await told()).toContain('Bring a new one');
  });

  it('is not mentioned while it can be used', async () => {
    writeFileSync(list(), `${payee}\n`);
    expect(await check(policyFile(1, { rules: [screen] }))).toHaveLength(1);
  });
});

it('the examination tells them with the rest', async () => {
  await putInForce(policyFile(2));
  const { code, stdout } = await runCli(['doctor'], {
    TEMPORAL_ADDRESS: temporalAddress(),
    CUSTODY_BASE_URL: 'http://127.0.0.1:1/v1/w3s',
    CUSTODY_API_KEY: 'TEST_API_KEY:a:b',
    CUSTODY_ENTITY_SECRET: 'a'.repeat(64),
    STEADFAST_POLICY_FILE: policyFile(1, { rules: [screen] }),
    STEADFAST_LEDGER: `file:${ledgerFile()}`,
  });
  expect(stdout).toMatch(/✗ Policy: .* version 2 is in force/);
  expect(stdout).toMatch(/✗ Screen known: the list .*sanctions\.txt cannot be read/);
  expect(code).toBe(3);
});
