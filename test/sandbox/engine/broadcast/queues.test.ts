import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hexToBytes, slice } from 'viem';
import { HDKey, hdKeyToAccount } from 'viem/accounts';
import { creationCode } from '../../../../sandbox/chain/account/userOperation';
import { templateIds } from '../../../../src/custody/objects/template';
import { deploymentOf, parametersOf } from '../../../support/chain/deployments';
import { execute } from '../../../support/chain/foreignToken';
import { setUp } from '../../../support/jest/setUp';
import {
  createFundedWallet,
  inSandbox,
  settled,
  startTestSandbox,
  transferOf,
} from '../../../support/sandbox';

const sandbox = inSandbox();
const recipient = setUp(() => sandbox.wallet());

describe('many transfers of one wallet', () => {
  it.each(['SCA', 'EOA'] as const)(
    'of an %s settle in the order of their acceptance',
    async (type) => {
      const from = await sandbox.usedWallet(type);
      const ids: string[] = [];
      for (const amount of ['0.01', '0.02', '0.03', '0.04', '0.05']) {
        const order = transferOf(from, recipient.address, { amounts: [amount] });
        ids.push((await sandbox.client.createTransfer(order)).id);
      }
      const records = await Promise.all(ids.map((id) => sandbox.settled(id)));
      const transfers = await sandbox.transfers({ from: from.address });
      expect(records.map(({ state }) => state)).toEqual(Array(5).fill('COMPLETE'));
      expect(transfers.map(({ value }) => value)).toEqual([
        10_000n,
        20_000n,
        30_000n,
        40_000n,
        50_000n,
      ]);
    },
  );

  it('of an SCA go one to a block, since it has one operation on its way at a time', async () => {
    const from = await sandbox.usedWallet('SCA');
    const orders = ['1', '1', '1'].map((amount) =>
      transferOf(from, recipient.address, { amounts: [amount] }),
    );
    const accepted = await Promise.all(orders.map((order) => sandbox.client.createTransfer(order)));
    const records = await Promise.all(accepted.map(({ id }) => sandbox.settled(id)));
    expect(new Set(records.map(({ blockHeight }) => blockHeight)).size).toBe(3);
  });

  it('of more than sixteen on their way from an EOA all settle, the rest waiting its turn', async () => {
    const from = await sandbox.fundedWallet('EOA');
    const accepted = await Promise.all(
      Array.from({ length: 20 }, () =>
        sandbox.client.createTransfer(transferOf(from, recipient.address, { amounts: ['0.01'] })),
      ),
    );
    const records = await Promise.all(accepted.map(({ id }) => sandbox.settled(id)));
    expect(records.map(({ state }) => state)).toEqual(Array(20).fill('COMPLETE'));
    expect(await sandbox.transfers({ from: from.address })).toHaveLength(20);
  });

  it('of many wallets settle side by side', async () => {
    const wallets = await Promise.all(Array.from({ length: 8 }, () => sandbox.fundedWallet('SCA')));
    const accepted = await Promise.all(
      wallets.map((from) => sandbox.client.createTransfer(transferOf(from, recipient.address))),
    );
    const records = await Promise.all(accepted.map(({ id }) => sandbox.settled(id)));
    expect(records.map(({ state }) => state)).toEqual(Array(8).fill('COMPLETE'));
  });
});

describe('a transfer of an SCA', () => {
  it('waits for one block, as one of an EOA does, and not for another one to bundle it', async () => {
    const { client } = sandbox;
    const senders = [await sandbox.usedWallet('SCA'), await sandbox.usedWallet('EOA')];
    await change({ blockMs: 500 });
    const ids: string[] = [];
    for (const from of senders) {
      ids.push((await client.createTransfer(transferOf(from, recipient.address))).id);
    }
    const [sca, eoa] = await Promise.all(ids.map((id) => sandbox.settled(id)));
    expect(sca?.blockHeight).toBeGreaterThan(0);
    expect(sca?.blockHeight).toBeLessThanOrEqual(eoa?.blockHeight ?? 0);
    await change({ blockMs: 0 });
  });
});

describe('more transactions than a block has room for', () => {
  it('all settle, each after those of its sender that came before it', async () => {
    const { api } = sandbox;
    const senders = await Promise.all(Array.from({ length: 4 }, () => sandbox.fundedWallet('EOA')));
    // Each takes more than a quarter of a block.
    const templateParameters = { name: 'x'.repeat(5_000) };
    const large = senders.map((from) =>
      api.deployTemplate({
        id: templateIds.fungible,
        ...deploymentOf(from, { templateParameters: parametersOf(from, templateParameters) }),
      }),
    );
    const small = senders.map((from) => api.createTransfer(transferOf(from, recipient.address)));
    const ids = [
      ...(await Promise.all(large)).map(({ transactionId }) => transactionId),
      ...(await Promise.all(small)).map(({ id }) => id),
    ];
    const records = await Promise.all(ids.map((id) => sandbox.settled(id)));
    expect(records.map(({ state }) => state)).toEqual(Array(8).fill('COMPLETE'));
    const heights = records.map(({ blockHeight = 0 }) => blockHeight);
    heights.slice(0, 4).forEach((height, sender) => {
      expect(heights[4 + sender]).toBeGreaterThanOrEqual(height);
    });
  });
});

describe('a fresh SCA whose first transfer is on its way into the queue', () => {
  it('takes no other until that one is queued, in the words of either side', async () => {
    const from = await sandbox.fundedWallet('SCA');
    await change({ settleMs: 3_600_000 });
    const order = () => transferOf(from, recipient.address);
    const first = await sandbox.client.createTransfer(order());
    const refusals = await Promise.all([
      sandbox.signed('developer/transactions/transfer', order()),
      sandbox.signed('developer/transactions/transfer', order()),
      sandbox.signed(`templates/${templateIds.fungible}/deploy`, deploymentOf(from)),
    ]);
    const message =
      'SCA wallet needs to wait for first-time transaction to be queued before ' +
      'processing more transactions.';
    expect(refusals.map(({ status, body }) => [status, body])).toEqual([
      [400, { code: 155505, message }],
      [400, { code: 155505, message }],
      [400, { code: 177303, message: 'SCA wallet first-time transaction is still in progress' }],
    ]);
    await change({ settleMs: 50 });
    await sandbox.settled(first.id);
    const later = await Promise.all(
      [order(), order()].map((one) => sandbox.client.createTransfer(one)),
    );
    const records = await Promise.all(later.map(({ id }) => sandbox.settled(id)));
    expect(records.map(({ state }) => state)).toEqual(['COMPLETE', 'COMPLETE']);
  });
});

describe('an SCA that somebody else has put on the chain', () => {
  it('takes as many transactions at a time as one that has done it itself', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
    const other = await startTestSandbox({ dataDir });
    try {
      const from = await createFundedWallet(other.client, 'SCA');
      const { seed } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
      const owner = hdKeyToAccount(HDKey.fromMasterSeed(hexToBytes(`0x${seed}`))).address;
      const code = creationCode(other.chain, { owner, salt: 0n });
      const stranger = await createFundedWallet(other.client, 'EOA');
      const call = { to: slice(code, 0, 20), data: slice(code, 20) };
      await settled(other.client, await execute(other.client, stranger, call));
      const order = () => transferOf(from, stranger.address);
      const first = await other.client.createTransfer(order());
      expect(await settled(other.client, first.id)).toMatchObject({ state: 'COMPLETE' });
      const url = `${other.origin}/_sandbox/settings`;
      await other.request('PATCH', url, { headers: {}, body: { settleMs: 3_600_000 } });
      await other.client.createTransfer(order());
      await other.client.createTransfer(order());
    } finally {
      await other.stop();
      await rm(dataDir, { recursive: true });
    }
  });
});

describe('a wallet that has as many transactions pending as it may', () => {
  it.each(['SCA', 'EOA'] as const)(
    'is refused more for an %s, however many come at a time, until some have ended',
    async (type) => {
      const from = await sandbox.usedWallet(type);
      const order = () => transferOf(from, recipient.address, { amounts: ['0.01'] });
      await change({ settleMs: 3_600_000, pendingMax: 5 });
      const answers = await Promise.all(
        Array.from({ length: 9 }, () => sandbox.signed('developer/transactions/transfer', order())),
      );
      const codes = answers.map(({ status, body }) =>
        status === 201 ? 201 : (body as { code: number }).code,
      );
      expect(codes.filter((code) => code === 201)).toHaveLength(5);
      expect(codes.filter((code) => code === 155264)).toHaveLength(4);
      const deployment = await sandbox.signed(
        `templates/${templateIds.fungible}/deploy`,
        deploymentOf(from),
      );
      expect([deployment.status, deployment.body]).toMatchObject([400, { code: 177026 }]);
      await change({ settleMs: 50, pendingMax: 1_000 });
      const { id } = await sandbox.client.createTransfer(order());
      expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
      expect(await sandbox.transfers({ from: from.address })).toHaveLength(6);
    },
  );
});

async function change(settings: object): Promise<void> {
  const url = `${sandbox.origin}/_sandbox/settings`;
  const { status } = await sandbox.request('PATCH', url, { headers: {}, body: settings });
  expect(status).toBe(200);
}
