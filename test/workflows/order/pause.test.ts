import { randomUUID } from 'node:crypto';
import { RefusedError } from '../../../src/custody/errors';
import { createServe } from '../../support/orders';
import { transferOrder as order, scriptedCustody } from '../../support/service/scriptedCustody';

const serve = createServe();

test('a paused order shows the pause and the way out, until it is cancelled', async () => {
  const unauthorised = new RefusedError('401: key not found', { status: 401, code: 156007 });
  const custody = scriptedCustody({ createTransfer: () => unauthorised });
  const { steadfast, progress, client } = await serve(custody);
  const id = `transfer:${randomUUID()}`;
  const started = await steadfast.start('transferStablecoin', id, order);
  await progress(id, ({ status }) => status === 'NeedsOperator');
  await steadfast.pause(id, 'month end');
  const details = await client.workflow.getHandle(id).query('__temporal_workflow_metadata');
  expect(JSON.stringify(details)).toContain(`steadfast resume ${id}`);
  await steadfast.cancel(id, 'enough');
  await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
  expect((await steadfast.status(id)).progress?.paused).toBeUndefined();
});
