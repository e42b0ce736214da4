import { randomUUID } from 'node:crypto';
import { RefusedError } from '../../src/custody/errors';
import { bundleChanged } from '../support/histories/changedWorkflows';
import { runOrders } from '../support/orders';
import { transferOrder as order, scriptedCustody } from '../support/service/scriptedCustody';

const noFunds = new RefusedError('400: no funds', { status: 400, code: 155258 });

describe('the status of an order', () => {
  it('is told by a worker of an earlier build, which knows no times', async () => {
    const earlier = {
      file: 'order/handlers.ts',
      from: '() => live.progress,',
      to: '() => told(live),',
    };
    const told =
      'const told = ({ progress: { timeline, ...others } }: any) =>' +
      ' ({ ...others, done: timeline.map(({ words }: any) => words) });';
    const lead = 'export const wakeSignal';
    const workflows = await bundleChanged([
      earlier,
      { file: 'order/handlers.ts', from: lead, to: `${told}\n${lead}` },
    ]);
    const orders = await runOrders(scriptedCustody({}), { workflows });
    const id = `transfer:${randomUUID()}`;
    await orders.steadfast.execute('transferStablecoin', id, order);
    const { progress } = await orders.steadfast.status(id);
    await orders.stop();
    expect(progress).not.toHaveProperty('done');
    expect(progress?.timeline.at(-1)).toEqual({
      kind: 'done',
      words: expect.stringContaining('settled in 0xabc'),
    });
    // A bundle of its own takes most of the usual time on a loaded machine.
  });

  it('says how an order ended that no worker can tell of any more', async () => {
    const orders = await runOrders(scriptedCustody({ createTransfer: () => noFunds }));
    const { steadfast } = orders;
    const id = `transfer:${randomUUID()}`;
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toThrow('no funds');
    expect((await steadfast.status(id)).progress?.status).toBe('Refused');
    await orders.stop();
    const other = await runOrders(scriptedCustody({}));
    const status = await other.steadfast.status(id);
    await other.stop();
    expect(status).toMatchObject({
      progress: undefined,
      outcome: 'refused',
      lastStatus: 'Refused',
    });
    expect(status.error).toContain('400: no funds');
  });
});
