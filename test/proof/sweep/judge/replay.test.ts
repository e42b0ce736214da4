import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replayAll } from '../../../../proof/sweep/judge/replay';
import { bundleChanged } from '../../../support/histories/changedWorkflows';
import { newFolder } from '../../../support/jest/setUp';
import { createServe } from '../../../support/orders';
import { newLines } from '../../../support/payouts';
import { openTill } from '../../../support/service/tillCustody';
import { workflowBundle } from '../../../support/temporal';

const serve = createServe();
const folder = newFolder();

test('a history strays once its workflow does one thing more, and is kept in a file', async () => {
  const till = openTill();
  const { client, steadfast } = await serve(till.custody);
  const payoutId = `strays-${randomUUID()}`;
  const wallets = till.wallets.map(({ id }) => id);
  await (await steadfast.payout({ payoutId, wallets }, newLines(2))).receipt();
  const id = `payout:${payoutId}`;
  const query = `WorkflowId STARTS_WITH '${id}'`;
  while ((await client.workflow.count(query)).count < 2);
  expect(await replayAll(client, workflowBundle().codePath, query)).toEqual([]);

  const from = 'const receipt = await process(live);';
  const to = `await longReads('one more').readToken({ id: 'any' }); ${from}`;
  const { code } = await bundleChanged([{ file: 'order/runOrder.ts', from, to }]);
  const bundle = join(folder, 'workflows.js');
  writeFileSync(bundle, code);
  const [strayed, ...others] = await replayAll(client, bundle, query);
  expect(others).toEqual([]);
  expect(strayed?.workflowId).toBe(id);
  expect(strayed?.evidence).toMatch(/Nondeterminism error/);
  const [, file = ''] = strayed?.evidence.split('Its history: ') ?? [];
  expect(JSON.parse(readFileSync(file, 'utf8')).events.length).toBeGreaterThan(10);
  rmSync(file);
});
