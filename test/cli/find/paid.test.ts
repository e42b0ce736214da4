import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openArchive } from '../../../src/books/archive/openArchive';
import { readCustodyConfig } from '../../../src/config';
import { refId } from '../../../src/custody/reference';
import { openIndex } from '../../../src/store/index/openIndex';
import { beginStores, endStores, newReceipt, storeKinds } from '../../books/archive/stores';
import { newFolder } from '../../support/jest/setUp';
import { inSandbox, transferOf } from '../../support/sandbox';
import { scriptedCustody, transferRecord } from '../../support/service/scriptedCustody';
import { someone } from '../../support/stages';
import { runCli } from '../runCli';

const folder = newFolder();
const env = { STEADFAST_STORE: `file:${join(folder, 'store.db')}` };
const [ann, bo] = [someone(), someone()];

function paidLine(payoutId: string, item: string, change: { to: string; reference: string }) {
  const { order, ...own } = newReceipt();
  const { to, reference } = change;
  const token = {
    name: 'USDC',
    address: '0x3600000000000000000000000000000000000000',
    decimals: 6,
  };
  return {
    ...own,
    order: { ...order, id: `payout:${payoutId}`, kind: 'payout', reference },
    step: 'line',
    item,
    money: { from: someone(), to, token, amount: '1.5', baseUnits: '1500000' },
  };
}

beforeAll(beginStores);
beforeAll(async () => {
  const archive = await openArchive(env.STEADFAST_STORE);
  await archive.append([
    paidLine('january', 'a1', { to: ann, reference: 'Rent 50% "north_1"' }),
    paidLine('january', 'a2', { to: bo, reference: 'Wages' }),
    paidLine('february', 'a1', { to: ann, reference: 'Miete für Müller' }),
  ]);
  await archive.close();
});

async function found(...flags: string[]): Promise<string[]> {
  const { stdout, code } = await runCli(['paid', ...flags, '--json'], env);
  expect(code).toBe(0);
  const rows: { order: string; line: string }[] = JSON.parse(stdout);
  return rows.map(({ order, line }) => `${order} ${line}`).sort();
}

it('a line is found by its reference, its id and its recipient, over all payouts', async () => {
  expect(await found('--reference', 'Rent 50% "north_1"')).toEqual(['payout:january a1']);
  expect(await found('--reference', 'WAGES')).toEqual(['payout:january a2']);
  expect(await found('--reference', 'Miete für Müller')).toEqual(['payout:february a1']);
  expect(await found('--reference', 'MIETE FÜR MÜLLER')).toEqual(['payout:february a1']);
  expect(await found('--reference', 'Miete für Möller')).toEqual([]);
  expect(await found('--reference', 'a1')).toEqual(['payout:february a1', 'payout:january a1']);
  expect(await found('--to', ann)).toEqual(['payout:february a1', 'payout:january a1']);
  expect(await found('--to', bo, '--reference', 'a1')).toEqual([]);
  // A part of a reference is not the reference, and no letter of it is a pattern.
  expect(await found('--reference', 'Rent%')).toEqual([]);
  expect(await found('--reference', 'Rent 50% "northX1"')).toEqual([]);
  expect(await found('--reference', 'a1', '--since', '2199-01-01')).toEqual([]);
});

it('it is a line of a table for people, and a search for nothing is refused', async () => {
  const [table, nothing, away] = await Promise.all([
    runCli(['paid', '--reference', 'Wages'], env),
    runCli(['paid'], env),
    runCli(['paid', '--to', ann]),
  ]);
  expect(table.stdout).toMatch(new RegExp(`completed .*${bo} +payout:january +a2 +Wages`, 'i'));
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('Give one of them') });
  expect(away.stderr).toContain('STEADFAST_STORE: is not set.');
});

const [postgres] = storeKinds.filter(({ name }) => name === 'Postgres');
const withPostgres = postgres === undefined ? it.skip : it;

withPostgres('with Postgres as the store, the index that was not searched is told', async () => {
  const STEADFAST_STORE = (await postgres?.newPlace()) ?? '';
  try {
    await (await openArchive(STEADFAST_STORE)).close();
    const service = { CUSTODY_BASE_URL: 'http://127.0.0.1:1', CUSTODY_API_KEY: 'TEST_API_KEY:a:b' };
    const { stderr } = await runCli(['paid', '--to', ann], { STEADFAST_STORE, ...service });
    expect(stderr).toContain('The account index was not searched: with Postgres as the store');
    const without = await runCli(['paid', '--to', ann], env);
    expect(without.stderr).toContain('was not searched: CUSTODY_BASE_URL is not set.');
  } finally {
    await endStores();
  }
});

describe('a payment without a receipt', () => {
  const sandbox = inSandbox();

  it('is found in the account index of the workers', async () => {
    const { baseUrl, secrets } = sandbox;
    const service = { CUSTODY_BASE_URL: baseUrl, CUSTODY_API_KEY: secrets.apiKey };
    const store = `file:${join(folder, 'indexed.db')}`;
    await (await openArchive(store)).close();
    const to = someone();
    const write = { workflowId: 'payout:march', step: 'line', item: 'm-7', generation: 0 };
    const record = transferRecord({ refId: refId(write), destinationAddress: to });
    const index = openIndex(
      { ...scriptedCustody(), getEntityConfig: sandbox.client.getEntityConfig },
      readCustodyConfig(service, { signs: false }),
      store,
    );
    await index.keep([record]);
    const { stdout } = await runCli(['paid', '--reference', 'm-7', '--to', to, '--json'], {
      ...service,
      STEADFAST_STORE: store,
    });
    expect(JSON.parse(stdout)).toMatchObject([
      { order: 'payout:march', line: 'm-7', from: 'index', outcome: 'completed' },
    ]);
  });

  it('is found as it is now, whatever the index has seen of it', async () => {
    const { baseUrl, secrets, client } = sandbox;
    const service = {
      CUSTODY_BASE_URL: baseUrl,
      CUSTODY_API_KEY: secrets.apiKey,
      CUSTODY_LOOKUP_GRACE_SECONDS: '0',
    };
    const store = `file:${join(folder, 'behind.db')}`;
    await (await openArchive(store)).close();
    const index = openIndex(client, readCustodyConfig(service, { signs: false }), store);
    const from = await sandbox.usedWallet('EOA');
    const send = (item: string, to: string) => {
      const write = { workflowId: `transfer:${item}`, step: 'transfer', item, generation: 0 };
      return client.createTransfer(
        transferOf(from, to, { amounts: ['0.01'], refId: refId(write) }),
      );
    };
    const told = async (to: string) => {
      const { stdout } = await runCli(['paid', '--to', to, '--json'], {
        ...service,
        STEADFAST_STORE: store,
      });
      const rows: { order: string; outcome: string }[] = JSON.parse(stdout);
      return rows.map(({ order, outcome }) => `${order} ${outcome}`);
    };
    await index.lookUp([]);
    const rules = [{ kind: 'stuck', count: 1 }];
    const url = `${sandbox.origin}/_sandbox/faults`;
    await sandbox.request('POST', url, { headers: {}, body: { seed: 1, rules } });
    const payee = someone();
    const { id } = await send('late', payee);
    await sandbox.settled(id, 'STUCK');
    expect(await told(payee)).toEqual(['transfer:late open']);

    // The readings of the list end above it, and then it ends.
    await Promise.all(Array.from({ length: 60 }, (_, n) => send(`later-${n}`, someone())));
    await index.lookUp([]);
    await index.lookUp([]);
    await client.cancelTransaction({ id, idempotencyKey: randomUUID() });
    await sandbox.settled(id);
    expect(await told(payee)).toEqual(['transfer:late failed']);
  });
});
