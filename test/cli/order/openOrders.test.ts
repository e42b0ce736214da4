import { join } from 'node:path';
import { openArchive } from '../../../src/books/archive/openArchive';
import { readCustodyConfig } from '../../../src/config';
import { refId } from '../../../src/custody/reference';
import { openIndex } from '../../../src/store/index/openIndex';
import { newFolder } from '../../support/jest/setUp';
import { inSandbox } from '../../support/sandbox';
import { transferRecord } from '../../support/service/scriptedCustody';
import { someone } from '../../support/stages';
import { runCli } from '../runCli';

const folder = newFolder();
const to = someone();
/** The native coin, which is USDC on Arc. */
const tokenId = '15dc2b5d-0994-58b0-bf8c-3a0501148ee8';
const sandbox = inSandbox();

/** Starts a transfer where no Temporal answers, with a store of some name. */
function transfer(store: string) {
  const { baseUrl, secrets } = sandbox;
  const service = { CUSTODY_BASE_URL: baseUrl, CUSTODY_API_KEY: secrets.apiKey };
  const env = { ...service, STEADFAST_STORE: `file:${join(folder, store)}` };
  const words = ['transfer', '--from', someone(), '--to', to, '--amount', '1', '--token', 'USDC'];
  const temporal = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
  return { env, run: () => runCli([...words, '--id', 'transfer:now'], { ...env, ...temporal }) };
}

test('a payment of an order that runs is told before the same one starts', async () => {
  const { env, run } = transfer('store');
  await (await openArchive(env.STEADFAST_STORE)).close();
  const config = readCustodyConfig(env, { signs: false });
  const index = openIndex(sandbox.client, config, env.STEADFAST_STORE);
  while (!(await index.isWhole())) await index.build();
  const write = { workflowId: 'payout:march', step: 'line', item: 'm-7', generation: 0 };
  const createDate = new Date().toISOString();
  const own = { refId: refId(write), destinationAddress: to, amounts: ['1'], state: 'SENT' };
  await index.keep([transferRecord({ ...own, createDate, updateDate: createDate, tokenId })]);
  const { stderr } = await run();
  expect(stderr).toContain('as in payout:march, which is running. (paidBefore)');
  expect(stderr).not.toContain('openOrders');
});

test('an index that is not there yet is told as left out', async () => {
  const { env, run } = transfer('other');
  await (await openArchive(env.STEADFAST_STORE)).close();
  expect((await run()).stderr).toMatch(/13 checks with 0 earlier payments, without openOrders/);
});
