import { randomUUID } from 'node:crypto';
import { newFolder, setUp } from '../../support/jest/setUp';
import { blockchain, inSandbox, transferOf } from '../../support/sandbox';
import { someone } from '../../support/stages';

const fungible = 'a1b74add-23e0-4712-88d1-6b3009e85a86';
const useNewKey = { code: 156020, message: 'Please use a new idempotency key.' };

const sandbox = inSandbox({ dataDir: newFolder() });
const sender = setUp(() => sandbox.fundedWallet());
afterEach(() =>
  set({ sameKeyOtherBody: 'first', refusalBurnsKey: false, keyLifetimeMs: 2_592_000_000 }),
);

describe('where another body under the same key is refused', () => {
  beforeEach(() => set({ sameKeyOtherBody: 'refuse' }));

  it('the same body is still answered as before, with its fields in any order', async () => {
    const order = transferOf(sender, someone());
    const first = await transfer(order);
    const second = await transfer(Object.fromEntries(Object.entries(order).reverse()));
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  it.each([
    ['amount', { amounts: ['2'] }],
    ['reference', { refId: 'another' }],
  ])('another %s is refused, and nothing comes of it', async (_field, change) => {
    const order = transferOf(sender, someone());
    const first = await sandbox.client.createTransfer(order);
    const { status, body } = await transfer({ ...order, ...change });
    expect({ status, body }).toEqual({ status: 403, body: useNewKey });
    await sandbox.settled(first.id);
    expect(await transfersTo(order.destinationAddress)).toEqual([1_000_000n]);
  });

  it('the contracts side says so in its own words', async () => {
    const order = {
      idempotencyKey: randomUUID(),
      name: 'One',
      walletId: sender.id,
      blockchain,
      feeLevel: 'MEDIUM',
      templateParameters: {
        name: 'One',
        defaultAdmin: sender.address,
        primarySaleRecipient: sender.address,
      },
    };
    expect((await sandbox.signed(`templates/${fungible}/deploy`, order)).status).toBe(201);
    const again = { ...order, name: 'Two' };
    const { status, body } = await sandbox.signed(`templates/${fungible}/deploy`, again);
    expect({ status, body }).toMatchObject({ status: 409, body: { code: 175403 } });
  });
});

describe('where a refusal burns its key', () => {
  beforeEach(() => set({ refusalBurnsKey: true }));

  it('the corrected request is refused too, and so after a restart', async () => {
    const order = transferOf(sender, someone());
    const wrong = await transfer({ ...order, destinationAddress: '0x1' });
    expect(wrong.body).toMatchObject({ code: 155219 });
    expect((await transfer(order)).body).toEqual(useNewKey);
    await sandbox.restart();
    expect((await transfer(order)).body).toEqual(useNewKey);
    expect((await transfer({ ...order, idempotencyKey: randomUUID() })).status).toBe(201);
  });

  it('one of many that arrive together is refused for its sake, the others for the key', async () => {
    const empty = await sandbox.wallet('SCA');
    const order = transferOf(empty ?? sender, someone());
    const answers = await Promise.all(Array.from({ length: 4 }, () => transfer(order)));
    const codes = answers.map(({ body }) => (body as { code: number }).code);
    expect(codes.sort()).toEqual([155258, 156020, 156020, 156020]);
  });

  it('a fault in the fields or the secret, which comes before the key, burns nothing', async () => {
    const order = transferOf(sender, someone());
    const entitySecretCiphertext = 'none';
    const url = 'developer/transactions/transfer';
    expect((await transfer({ ...order, feeLevel: 'HUGE' })).body).toMatchObject({ code: 2 });
    const unsigned = await sandbox.request('POST', url, {
      body: { ...order, entitySecretCiphertext },
    });
    expect(unsigned.body).toMatchObject({ code: 156013 });
    expect((await transfer(order)).status).toBe(201);
  });
});

it('a key that is older than its lifetime is forgotten, and moves money again', async () => {
  const order = transferOf(sender, someone());
  const first = await sandbox.client.createTransfer(order);
  await sandbox.settled(first.id);
  await set({ keyLifetimeMs: 0 });
  const second = await transfer(order);
  expect(second.status).toBe(201);
  const { id } = (second.body as { data: { id: string } }).data;
  expect(id).not.toBe(first.id);
  await sandbox.settled(id);
  expect(await transfersTo(order.destinationAddress)).toEqual([1_000_000n, 1_000_000n]);
  await set({ keyLifetimeMs: 60_000 });
  await expect(sandbox.client.createTransfer(order)).resolves.toMatchObject({ id });
});

it('a key is kept with its answer over a restart', async () => {
  const order = transferOf(sender, someone());
  const first = await transfer(order);
  await sandbox.restart();
  const second = await transfer(order);
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body).toEqual(first.body);
});

function set(settings: object) {
  return sandbox.request('PATCH', '/_sandbox/settings', { headers: {}, body: settings });
}

function transfer(order: object) {
  return sandbox.signed('developer/transactions/transfer', order);
}

async function transfersTo(to: string): Promise<bigint[]> {
  return (await sandbox.transfers({ to })).map(({ value }) => value);
}
