import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { payersOf, tellPayers } from '../../../src/cli/find/wallet';
import { inSandbox } from '../../support/sandbox';
import { runCli } from '../runCli';

let env: Record<string, string>;
const sandbox = inSandbox();
beforeAll(async () => {
  env = { CUSTODY_BASE_URL: sandbox.baseUrl, CUSTODY_API_KEY: sandbox.secrets.apiKey };
});

async function newWallets() {
  const { walletSet } = await sandbox.client.createWalletSet({
    idempotencyKey: randomUUID(),
    name: 'Tills',
  });
  const { wallets } = await sandbox.client.createWallets({
    idempotencyKey: randomUUID(),
    walletSetId: walletSet.id,
    blockchains: ['ARC-TESTNET'],
    accountType: 'EOA',
    count: 2,
  });
  return wallets;
}

it('a wallet is told with its address, type and balances, without the entity secret', async () => {
  const [till] = await newWallets();
  const { code, stdout, stderr } = await runCli(['wallet', `${till?.id}`], env);
  expect(stdout).toContain(`${till?.id} · EOA · ARC-TESTNET\n  address  ${till?.address}\n`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const asJson = await runCli(['wallet', `${till?.id}`, '--json'], env);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ address: till?.address, accountType: 'EOA' });
});

it('the coin of a wallet has the word of orders, beside a token of the same symbol', async () => {
  const [till] = await newWallets();
  const drip = { address: `${till?.address}`, blockchain: 'ARC-TESTNET', native: true, usdc: true };
  await sandbox.client.requestDrip(drip);
  const balances = async () => {
    const { stdout } = await runCli(['wallet', `${till?.id}`, '--json'], env);
    return JSON.parse(stdout).balances;
  };
  while ((await balances()).length < 2) await sleep(50);
  expect(await balances()).toEqual([
    { amount: '20', token: 'native', symbol: 'USDC', decimals: 18 },
    { amount: '20', token: 'USDC', symbol: 'USDC', decimals: 6 },
  ]);
  const { stdout } = await runCli(['wallet', `${till?.id}`], env);
  expect(stdout).toMatch(/20 +USDC, and native: one coin\n/);
});

it('a wallet is told by its address, and all wallets with their names and balances', async () => {
  const [till, other] = await newWallets();
  const byAddress = await runCli(
    ['wallet', `${till?.address.toUpperCase()}`.replace('0X', '0x')],
    env,
  );
  expect(byAddress.stdout).toContain(`${till?.id} · EOA · ARC-TESTNET\n`);
  const address = `${till?.address}`;
  await sandbox.client.requestDrip({ address, blockchain: 'ARC-TESTNET', usdc: true, eurc: true });
  const row = async (): Promise<string> => {
    const { stdout } = await runCli(['wallets'], env);
    return stdout.split('\n').find((line) => line.includes(address)) ?? '';
  };
  while (!/20 USDC.*20 EURC/.test(await row())) await sleep(50);
  expect(await row()).toMatch(/^Tills +[0-9a-f-]{36} +0x[0-9a-fA-F]{40} +EOA +20 .*USDC/);
  const { stdout, code } = await runCli(['wallets', '--json'], env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ id: other?.id, name: 'Tills', balances: [] }),
  );
});

it('a wallet that is not there, and a service that is away, are one sentence each', async () => {
  const id = randomUUID();
  const [wrong, missing, away] = await Promise.all([
    runCli(['wallet', 'till'], env),
    runCli(['wallet', id], env),
    runCli(['wallet', id], { ...env, CUSTODY_BASE_URL: 'http://127.0.0.1:1/v1/w3s' }),
  ]);
  expect(wrong.stderr).toBe(
    'Error: id: "till" is not the id of a wallet, and not an address. ' +
      'All wallets are listed by: npx --no-install steadfast wallets\n',
  );
  expect(missing.stderr).toContain(`has no wallet "${id}". Check CUSTODY_BASE_URL too.\n`);
  expect(away.stderr).toMatch(/^Error: 127\.0\.0\.1:1 gives no usable answer: .*doctor\n$/);
  expect([wrong, missing, away].map(({ code }) => code)).toEqual([2, 2, 2]);
});

it('the wallets of a payout are named by number and type where the service tells', async () => {
  const ids = (await newWallets()).map(({ id }) => id);
  const { stdin, stdout, stderr } = process;
  expect(tellPayers(ids, await payersOf(ids, { env, stdin, stdout, stderr }))).toBe(
    '2 EOA wallets',
  );
  expect(tellPayers(ids, await payersOf(ids, { env: {}, stdin, stdout, stderr }))).toBe(
    '2 wallets',
  );
});
