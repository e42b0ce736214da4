import { randomUUID } from 'node:crypto';
import { tellStatus } from '../../src/cli/show/tellStatus';
import { RefusedError } from '../../src/custody/errors';
import { runOrders } from '../support/orders';
import { transferOrder as order, scriptedCustody } from '../support/service/scriptedCustody';

const noFunds = new RefusedError('400: no funds', { status: 400, code: 155258 });

describe('the status of an order', () => {
  it('says how an order ended that no worker can tell of any more', async () => {
    const orders = await runOrders(scriptedCustody({ createTransfer: () => noFunds }));
    const { steadfast } = orders;
    const id = `transfer:${randomUUID()}`;
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toThrow('no funds');
    expect((await orders.progress(id, () => true)).status).toBe('Refused');
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

  it.each([
    ['https://api.circle.com/v1/w3s', ['https://explorer.testnet.arc.io/tx/']],
    ['http://127.0.0.1:4010/v1/w3s', undefined],
  ])('names the explorer where the chain is on one: %s', async (baseUrl, pages) => {
    const { steadfast, stop } = await runOrders(scriptedCustody({}), { baseUrl });
    const id = `transfer:${randomUUID()}`;
    const { txHash } = await steadfast.execute('transferStablecoin', id, order);
    const status = await steadfast.status(id);
    await stop();
    expect(status.pages).toEqual(pages?.map((page) => `${page}${txHash}`));
    expect(tellStatus(status, new Date()).join('\n').includes('see it at')).toBe(!!pages);
  });
});
