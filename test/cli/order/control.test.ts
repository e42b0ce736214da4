import { randomUUID } from 'node:crypto';
import { RefusedError } from '../../../src/custody/errors';
import { createServe, envOf } from '../../support/orders';
import { newLines, payoutOf } from '../../support/payouts';
import {
  transferOrder as order,
  scriptedCustody,
  sender,
  transferRecord,
} from '../../support/service/scriptedCustody';
import { temporalAddress } from '../../support/temporal';
import { runCli } from '../runCli';
import { watchedCli } from '../watchedCli';

const serve = createServe();
const unauthorised = new RefusedError('401: key not found', { status: 401, code: 156007 });
const { id: transactionId } = transferRecord();

it('an order is paused, found in the list, resumed and followed to its end', async () => {
  let isMended = false;
  const custody = scriptedCustody({
    createTransfer: () => (isMended ? { id: transactionId, state: 'INITIATED' } : unauthorised),
  });
  const orders = await serve(custody);
  const cli = (...args: string[]) => runCli(args, envOf(orders));
  const id = `transfer:${randomUUID()}`;
  await orders.steadfast.start('transferStablecoin', id, { ...order, reference: 'invoice 4711' });
  await orders.progress(id, ({ status }) => status === 'NeedsOperator');
  expect(await cli('pause', id, '--reason', 'they called')).toEqual({
    code: 0,
    stdout: `${id} is paused. Let it go on with: npx --no-install steadfast resume ${id}\n`,
    stderr: '',
  });
  await orders.progress(id, ({ status }) => status === 'Paused');
  const [status, accelerated] = await Promise.all([cli('status', id), cli('accelerate', id)]);
  expect(status.stdout).toContain('paused: they called');
  expect(accelerated).toMatchObject({ code: 2, stderr: expect.stringContaining('settles now') });
  const isListed = async (): Promise<boolean> => {
    const { stdout } = await cli('list', '--status', 'paused', '--limit', '1000');
    return stdout.split('\n').some((line) => line.includes(id) && line.includes('invoice 4711'));
  };
  while (!(await isListed())) await new Promise((resolve) => setTimeout(resolve, 200));
  isMended = true;
  const watched = cli('watch', id);
  expect((await cli('resume', id)).stdout).toBe(`${id} goes on.\n`);
  const { code, stdout, stderr } = await watched;
  expect(stderr).toContain('Settling');
  expect(stdout).toContain('accepted as');
  expect(stdout).toContain(`${id} · transferStablecoin · done`);
  expect(code).toBe(0);
  // A dozen processes are started, each of which takes seconds on a busy machine.
});

it('a cancellation that a person declines ends with 1, and the payout goes on', async () => {
  const orders = await serve(scriptedCustody({ createTransfer: () => unauthorised }));
  const { workflowId: id } = await orders.steadfast.payout(payoutOf([sender]), newLines(2));
  await orders.progress(id, ({ payout }) => payout?.waiting === 2);
  const declined = await watchedCli(['cancel', id, '--reason', 'oops'], envOf(orders), 'n');
  expect(declined).toMatchObject({ code: 1, stdout: expect.stringContaining('was not cancelled') });
  expect(declined.stderr).toContain('leaves up to 2 of 2 lines unpaid');
  expect((await orders.steadfast.status(id)).execution).toBe('RUNNING');
});

it.each([
  [['list', '--status', 'fine'], '--status: "fine" must be one of Preparing, Waiting, Settling'],
  [['list', '--kind', 'fine'], '--kind: "fine" must be a command (provision, deploy,'],
  [['list', '--limit', 'all'], '--limit: "all" must be a whole number from 1 to 1000.'],
  [['watch', 'transfer:none'], 'id: Temporal knows no order "transfer:none".'],
  [['resume', 'transfer:none'], 'id: Temporal knows no order "transfer:none".'],
  [['pause', 'transfer:none'], '--reason: is missing: give --reason <text>.'],
])('%j is refused in one sentence', async (args, words) => {
  const { code, stderr } = await runCli(args, { TEMPORAL_ADDRESS: temporalAddress() });
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect(code).toBe(2);
});
