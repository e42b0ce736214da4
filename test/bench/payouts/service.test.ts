import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { publicKey } from '../../../bench/payouts/service/publicKey';
import { createService, type ServiceOptions } from '../../../bench/payouts/service/server';
import { createCustodyClient } from '../../../src/custody/client';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { readDescriptions } from '../../system/conformance/description/descriptions';
import { everyPage } from '../../system/conformance/everyPage';
import { type Recorder, startRecorder } from '../../system/conformance/subject/recorder';

const apiKey = 'TEST_API_KEY:one:two';
const blockchain = 'ARC-TESTNET';
const usdc = '0x3600000000000000000000000000000000000000';
/** Longer than any test, so that what is open stays so. */
const forever = 600_000;

type Stub = { api: CustodyApi; origin: string; recorder: Recorder; stop(): Promise<void> };

const stubs: Stub[] = [];
afterEach(async () => {
  for (const stub of stubs.splice(0)) await stub.stop();
});

async function startStub(options: Partial<ServiceOptions> = {}): Promise<Stub> {
  const server = createService({
    settleMs: forever,
    rateLimit: 'off',
    apiKey,
    publicKey,
    ...options,
  });
  const port = await listen(server);
  const recorder = await startRecorder(`http://127.0.0.1:${port}`);
  const { origin } = recorder;
  const entitySecret = randomBytes(32).toString('hex');
  const stub: Stub = {
    api: createCustodyClient({ baseUrl: `${origin}/v1/w3s`, apiKey, entitySecret }),
    origin,
    recorder,
    stop: async () => {
      await recorder.stop();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  stubs.push(stub);
  return stub;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

async function createWallets(
  api: CustodyApi,
  count: number,
  accountType: 'EOA' | 'SCA' = 'EOA',
): Promise<Wallet[]> {
  const { walletSet } = await api.createWalletSet({ idempotencyKey: randomUUID() });
  const blockchains = [blockchain];
  const made = { idempotencyKey: randomUUID(), walletSetId: walletSet.id, blockchains };
  return (await api.createWallets({ ...made, count, accountType })).wallets;
}

function transferOf(wallet: Wallet | undefined) {
  return {
    idempotencyKey: randomUUID(),
    walletAddress: wallet?.address ?? '',
    blockchain,
    tokenAddress: usdc,
    destinationAddress: `0x${randomBytes(20).toString('hex')}`,
    amounts: ['0.01'],
    feeLevel: 'MEDIUM' as const,
    refId: 'line 1',
  };
}

describe('the stub of the service', () => {
  it('settles a transfer once its time has come', async () => {
    const { api } = await startStub({ settleMs: 200 });
    const [wallet] = await createWallets(api, 1);
    const transfer = transferOf(wallet);
    const { id, state } = await api.createTransfer(transfer);
    expect(state).toBe('INITIATED');
    const acceptedAtMs = Date.now();
    for (;;) {
      const { transaction } = await api.getTransaction({ id });
      if (transaction.state === 'COMPLETE') {
        expect(Date.now() - acceptedAtMs).toBeGreaterThanOrEqual(150);
        expect(transaction).toMatchObject({
          id,
          walletId: wallet?.id,
          sourceAddress: wallet?.address,
          refId: 'line 1',
          destinationAddress: transfer.destinationAddress,
          amounts: ['0.01'],
          operation: 'TRANSFER',
          txHash: expect.stringMatching(/^0x/),
        });
        return;
      }
      expect(transaction).not.toHaveProperty('txHash');
      await sleep(20);
    }
  });

  it('answers a repeated key with its first transfer, and counts that it was asked', async () => {
    const { api, origin } = await startStub();
    const [wallet] = await createWallets(api, 1);
    const transfer = transferOf(wallet);
    const first = await api.createTransfer(transfer);
    const again = await api.createTransfer({ ...transfer, amounts: ['5'] });
    expect(again.id).toBe(first.id);
    const held = await (await fetch(`${origin}/_bench/transfers`)).json();
    expect(held).toMatchObject([{ id: first.id, asked: 2, amount: '0.01' }]);
  });

  it('knows all accepted transfers after a restart, where it keeps a journal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'steadfast-journal-'));
    const journal = join(folder, 'journal.jsonl');
    const first = await startStub({ journal });
    const [wallet] = await createWallets(first.api, 1, 'SCA');
    const transfer = transferOf(wallet);
    const { id } = await first.api.createTransfer(transfer);
    const { api } = await startStub({ journal });
    expect(await api.createTransfer(transfer)).toMatchObject({ id });
    const { transactions } = await api.listTransactions({ walletIds: wallet?.id });
    expect(transactions).toMatchObject([{ id, walletId: wallet?.id, state: 'PENDING' }]);
    const next = api.createTransfer(transferOf(wallet));
    await expect(next).rejects.toMatchObject({ code: 155505 });
    rmSync(folder, { recursive: true });
  });

  it('lists the transfers of wallets in pages of at most 50, from a moment on, either way', async () => {
    const { api } = await startStub();
    const [one, other] = await createWallets(api, 2);
    const sent: string[] = [];
    for (let count = 0; count < 60; count += 1) {
      sent.push((await api.createTransfer(transferOf(one))).id);
    }
    await api.createTransfer(transferOf(other));
    const filter = { walletIds: one?.id, includeAll: true, from: '2020-01-01T00:00:00Z' };
    const page = await api.listTransactions({ ...filter, pageSize: 500 });
    expect(page.transactions).toHaveLength(50);
    const newestFirst = await everyPage(
      async (cursor) => (await api.listTransactions({ ...filter, ...cursor })).transactions,
      50,
    );
    expect(newestFirst.map(({ id }) => id)).toEqual(sent.toReversed());
    const oldestFirst = await everyPage(
      async (cursor) =>
        (await api.listTransactions({ ...filter, order: 'ASC', ...cursor })).transactions,
      25,
    );
    expect(oldestFirst.map(({ id }) => id)).toEqual(sent);
    const back = await api.listTransactions({ ...filter, pageBefore: sent[10], pageSize: 3 });
    expect(back.transactions.map(({ id }) => id)).toEqual([sent[13], sent[12], sent[11]]);
    const both = { walletIds: `${one?.id},${other?.id}`, pageSize: 1 };
    expect((await api.listTransactions(both)).transactions[0]?.walletId).toBe(other?.id);
    const later = { ...filter, from: '2099-01-01T00:00:00Z' };
    expect((await api.listTransactions(later)).transactions).toEqual([]);
  });

  it('takes one transfer at a time from an SCA wallet, and many from an EOA wallet', async () => {
    const { api } = await startStub();
    const [sca] = await createWallets(api, 1, 'SCA');
    const [eoa] = await createWallets(api, 1);
    await api.createTransfer(transferOf(sca));
    await expect(api.createTransfer(transferOf(sca))).rejects.toMatchObject({ code: 155505 });
    await api.createTransfer(transferOf(eoa));
    await expect(api.createTransfer(transferOf(eoa))).resolves.toMatchObject({
      state: 'INITIATED',
    });
  });

  it('refuses what is too much for the hosted limits, and counts it', async () => {
    const { api, origin } = await startStub({ rateLimit: 'hosted' });
    const [wallet] = await createWallets(api, 1);
    const sent = await Promise.allSettled(
      Array.from({ length: 12 }, () => api.createTransfer(transferOf(wallet))),
    );
    const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ status: 429 });
    const counts = await (await fetch(`${origin}/_bench/counts`)).json();
    expect(counts).toMatchObject({ limited: { writes: refused.length } });
  });

  it('knows wallets, balances, tokens and fees as the guard of an order asks for them', async () => {
    const { api } = await startStub({ settleMs: 0 });
    const [wallet, other] = await createWallets(api, 2, 'SCA');
    expect((await api.getWallet({ id: wallet?.id ?? '' })).wallet).toEqual(wallet);
    expect((await api.listWallets({ address: other?.address, blockchain })).wallets).toEqual([
      other,
    ]);
    const { id } = await api.createTransfer(transferOf(wallet));
    const { transaction } = await api.getTransaction({ id });
    const { token } = await api.getToken({ id: transaction.tokenId ?? '' });
    expect(token).toMatchObject({ symbol: 'USDC', decimals: 6, tokenAddress: usdc });
    const { tokenBalances } = await api.listBalances({ id: wallet?.id ?? '', tokenAddress: usdc });
    expect(tokenBalances).toMatchObject([{ amount: '999999999.99', token: { id: token.id } }]);
    const { idempotencyKey: _, feeLevel: __, refId: ___, ...asked } = transferOf(wallet);
    const { walletAddress: sourceAddress, ...rest } = asked;
    const { medium } = await api.estimateTransfer({ ...rest, sourceAddress });
    expect(Number(medium.networkFee)).toBeGreaterThan(0);
  });

  it('names its account and its wallet sets, as a writer with a policy asks for them', async () => {
    const { api } = await startStub({ settleMs: 0 });
    expect((await api.getEntityConfig({})).appId).toMatch(/^[0-9a-f-]{36}$/);
    const { walletSet } = await api.createWalletSet({
      idempotencyKey: randomUUID(),
      name: 'a claim',
    });
    await api.createWalletSet({ idempotencyKey: randomUUID() });
    const { walletSets } = await api.listWalletSets({});
    expect(walletSets).toHaveLength(2);
    expect(walletSets.at(-1)).toEqual(walletSet);
    const next = await api.listWalletSets({ pageAfter: walletSets[0]?.id });
    expect(next.walletSets).toEqual([walletSet]);
  });

  it('refuses a wrong API key, an unknown id and a body that is not the interface', async () => {
    const { api, origin } = await startStub();
    const [wallet] = await createWallets(api, 1);
    const entitySecret = randomBytes(32).toString('hex');
    const stranger = { baseUrl: `${origin}/v1/w3s`, apiKey: 'TEST_API_KEY:a:b', entitySecret };
    await expect(createCustodyClient(stranger).listWallets({})).rejects.toMatchObject({
      status: 401,
    });
    await expect(api.getTransaction({ id: randomUUID() })).rejects.toMatchObject({ code: 156003 });
    await expect(api.getWallet({ id: randomUUID() })).rejects.toMatchObject({ code: 156001 });
    const wrong = { ...transferOf(wallet), amounts: [] };
    await expect(api.createTransfer(wrong)).rejects.toMatchObject({ status: 400, code: 2 });
  });

  const descriptions = readDescriptions();
  // Without them it stays with this: the client holds every answer against the interface's schemas.
  const itWhereDescribed = descriptions === undefined ? it.skip : it;
  itWhereDescribed('answers as the hosted service describes it', async () => {
    const { api, recorder } = await startStub({ settleMs: 0 });
    const [wallet] = await createWallets(api, 1);
    const { id } = await api.createTransfer(transferOf(wallet));
    await api.getTransaction({ id });
    await api.listTransactions({ walletIds: wallet?.id });
    await api.getWallet({ id: wallet?.id ?? '' });
    await api.listWallets({});
    await api.listBalances({ id: wallet?.id ?? '' });
    expect(recorder.calls.length).toBeGreaterThan(7);
    const differences = recorder.calls.flatMap((call) => descriptions?.differences(call) ?? []);
    // Its headers are left out: no client of ours reads them.
    expect(differences.filter((one) => !one.includes('the header'))).toEqual([]);
  });
});
