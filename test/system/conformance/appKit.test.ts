import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { erc20Abi, getAddress, parseEventLogs } from 'viem';
import { bareEnvironment } from '../../../src/local/bareEnvironment';
import { npmPackages } from '../../support/package/npmPackages';
import { codeIn } from '../../support/package/page';
import {
  createFundedWallet,
  createWallet,
  startTestSandbox,
  type TestSandbox,
  usdc,
} from '../../support/sandbox';

const run = promisify(execFile);
const packages = ['@circle-fin/app-kit@1.2.0', '@circle-fin/adapter-circle-wallets@1.3.0'];
const installed = npmPackages('app-kit', packages);
const describeInstalled = installed === undefined ? describe.skip : describe;

describeInstalled("the vendor's App Kit, as the page uses it, by https", () => {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-app-kit-'));
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox({ tls: 'on' });
    symlinkSync(join(installed ?? '', 'node_modules'), join(folder, 'node_modules'));
    const [, program = ''] = codeIn('docs/how-to/use-the-sandbox-alone.md', 'js');
    writeFileSync(join(folder, 'send.mjs'), program);
  });
  afterAll(async () => {
    await sandbox?.stop();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['EOA', '1.25', 1_250_000n],
    ['SCA', '0.000001', 1n],
  ] as const)('sends USDC of an %s wallet, once', async (accountType, amount, value) => {
    const { api, chain, secrets, origin, certificatePath } = sandbox;
    const from = await createFundedWallet(api, accountType);
    const to = await createWallet(api);
    const env = bareEnvironment({
      SANDBOX_URL: origin,
      SANDBOX_API_KEY: secrets.apiKey,
      SANDBOX_ENTITY_SECRET: secrets.entitySecret,
      NODE_EXTRA_CA_CERTS: certificatePath ?? '',
    });
    const command = ['send.mjs', from.address, to.address, amount];
    const { stdout } = await run(process.execPath, command, { cwd: folder, env });
    expect(stdout).toContain("state: 'success'");
    const logs = await chain.client.getLogs({ address: usdc, fromBlock: 0n });
    const paid = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).filter(
      ({ args: { from: sender } }) => sender === getAddress(from.address),
    );
    const args = { from: getAddress(from.address), to: getAddress(to.address), value };
    expect(paid).toMatchObject([{ args }]);
  });
});
