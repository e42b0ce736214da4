import { randomUUID } from 'node:crypto';
import { inSandbox, usdc } from '../../support/sandbox';
import { createSdks, type Sdks } from './sdk/sdks';

/** Features of the SDKs beyond one call and its answer. */
describe.each(['interface', 'hosted'] as const)("the vendor's SDK, with %s states", (states) => {
  let wallets: Sdks['wallets'];
  const sandbox = inSandbox({ states });
  beforeAll(async () => {
    ({ wallets } = createSdks({ baseUrl: sandbox.origin, ...sandbox.secrets }));
  });

  it('makes a ciphertext that the service accepts once', async () => {
    const entitySecretCiphertext = await wallets.generateEntitySecretCiphertext();
    const order = () => ({ idempotencyKey: randomUUID(), entitySecretCiphertext });
    const send = () => sandbox.request('POST', 'developer/walletSets', { body: order() });
    expect(await send()).toMatchObject({ status: 201 });
    expect(await send()).toMatchObject({ status: 400, body: { code: 156004 } });
  });

  const transfer = async (amount: string, idempotencyKey: string = randomUUID()) => {
    const from = await sandbox.fundedWallet();
    const to = await sandbox.wallet();
    return {
      idempotencyKey,
      walletId: from.id,
      tokenAddress: usdc,
      amount: [amount],
      destinationAddress: to.address,
      fee: { type: 'level', config: { feeLevel: 'MEDIUM' } },
    } as const;
  };
  const send = async (amount: string) => {
    const { data } = await wallets.createTransaction({
      ...(await transfer(amount)),
      amount: [amount],
    });
    return data?.id ?? '';
  };
  const complete = { waitForState: 'COMPLETE', pollingInterval: 20 } as const;

  it('waits until a transfer is COMPLETE', async () => {
    const { data } = await wallets.getTransaction({ id: await send('1'), ...complete });
    expect(data?.transaction).toMatchObject({ state: 'COMPLETE', amounts: ['1'] });
  });

  it('gives up waiting for one that has FAILED', async () => {
    const waiting = wallets.getTransaction({ id: await send('1000000'), ...complete });
    await expect(waiting).rejects.toThrow('FAILED');
  });

  it('sees from the status if its key is new', async () => {
    const order = await transfer('1');
    const sent = { ...order, amount: [...order.amount] };
    const first = await wallets.createTransaction(sent);
    const again = await wallets.createTransaction(sent);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.data).toEqual(first.data);
  });

  it('shows a refusal as an error with its code, its status and its URL', async () => {
    const id = randomUUID();
    await expect(wallets.getWallet({ id })).rejects.toMatchObject({
      code: 156001,
      status: 404,
      method: 'GET',
      url: `${sandbox.baseUrl}/wallets/${id}`,
    });
  });
});
