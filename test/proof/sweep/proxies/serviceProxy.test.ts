import { orderNames } from '../../../../proof/sweep/orderName';
import { callName } from '../../../../proof/sweep/proxies/serviceProxy';

describe('the proxy before the service', () => {
  test.each([
    ['POST', '/v1/w3s/developer/transactions/transfer', 'service createTransfer'],
    ['POST', '/v1/w3s/templates/a1b27bee/deploy', 'service deployTemplate'],
    ['GET', '/v1/w3s/transactions/0f2d?txType=OUTBOUND', 'service getTransaction'],
    ['GET', '/v1/w3s/transactions?includeAll=true', 'service listTransactions'],
    ['GET', '/v1/w3s/wallets/0f2d', 'service getWallet'],
    ['GET', '/v1/w3s/wallets/0f2d/balances', 'service listBalances'],
    ['POST', '/v1/w3s/developer/transactions/0f2d/cancel', 'service cancelTransaction'],
    ['DELETE', '/v1/w3s/nothing', 'service DELETE /v1/w3s/nothing'],
  ])('knows %s %s', (method, url, name) => {
    expect(callName(method, url, Buffer.from('{}'))).toBe(name);
  });

  test('knows what is asked of the chain', () => {
    const body = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt"}');
    expect(callName('POST', '/_sandbox/rpc', body)).toBe('chain eth_getTransactionReceipt');
  });

  test.each([
    ['sweep-000123'],
    ['payout:sweep-000123:shard:1'],
    ['transfer:sweep-000123:2026-01-01T090000'],
  ])('knows whose call it is by the id of the workflow: %s', (id) => {
    expect(orderNames(id)).toEqual(['sweep-000123']);
  });
});
