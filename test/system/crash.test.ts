import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { openArchive } from '../../src/books/archive/openArchive';
import { verifyArchive } from '../../src/books/archive/verify';
import { newFolder, stopLater } from '../support/jest/setUp';
import { times } from '../support/lane';
import { countDeployments, countTransfers, startTestStack, type TestStack } from '../support/stack';

let stack: TestStack;
const folder = newFolder();
let store: string;
beforeAll(async () => {
  store = join(folder, 'store.db');
  stack = await startTestStack(300, { STEADFAST_STORE: `file:${store}` });
  stopLater(() => stack.stop());
});

/** Kills the worker once, after the service accepted such a call and before the worker knows. */
function killWorkerOnce(path: RegExp): { kills: () => number } {
  let kills = 0;
  stack.proxy.onAnswer = async (call) => {
    if (kills > 0 || call.method !== 'POST' || !path.test(call.path) || call.status !== 201) {
      return true;
    }
    kills += 1;
    await stack.parts.replaceWorker();
    return false;
  };
  return { kills: () => kills };
}

const newAddress = (): `0x${string}` => privateKeyToAddress(generatePrivateKey());

describe('a worker that is killed after an acceptance and before the workflow knows of it', () => {
  test.each(['EOA', 'SCA'] as const)('pays exactly once from an %s wallet', async (accountType) => {
    const wallet = await stack.fundedWallet(accountType);
    const to = newAddress();
    const transfer = { from: wallet.address, to, amount: '1.000001' };
    const worker = killWorkerOnce(/\/transactions\/transfer$/);
    const id = `transfer:killed-${accountType}`;
    const order = { ...transfer, from: { walletId: wallet.id }, token: 'USDC' };
    const receipt = await stack.steadfast.execute('transferStablecoin', id, order);
    expect(worker.kills()).toBe(1);
    expect(await countTransfers(stack.chain, transfer)).toBe(1);
    const logged = await stack.chain.getTransactionReceipt({ hash: hash(receipt.txHash) });
    expect(logged.status).toBe('success');
  });

  test('deploys exactly once', async () => {
    const wallet = await stack.fundedWallet('SCA');
    const worker = killWorkerOnce(/\/templates\/.*\/deploy$/);
    const receipt = await stack.steadfast.execute('deployContract', 'deploy:killed', {
      walletId: wallet.id,
      name: 'Once',
      parameters: { name: 'Once', symbol: 'ONCE' },
    });
    expect(worker.kills()).toBe(1);
    expect(await countDeployments(stack.chain, wallet.address)).toBe(1);
    const code = await stack.chain.getCode({ address: hash(receipt.contractAddress) });
    expect(code).toMatch(/^0x363d3d37/);
  });
});

describe('a lost answer', () => {
  test('pays exactly once, under the same key', async () => {
    const wallet = await stack.fundedWallet('EOA');
    const to = newAddress();
    const transfer = { from: wallet.address, to, amount: '3.25' };
    let lost = 0;
    stack.proxy.onAnswer = async ({ path }) => {
      if (!path.endsWith('/transactions/transfer') || lost === 2) return true;
      lost += 1;
      return false;
    };
    const order = { ...transfer, from: { walletId: wallet.id }, token: 'USDC' };
    await stack.steadfast.execute('transferStablecoin', 'transfer:lost', order);
    expect(lost).toBe(2);
    expect(await countTransfers(stack.chain, transfer)).toBe(1);
  });
});

describe('a worker that is killed while receipts go to the archive', () => {
  const rounds = times({ short: 1, all: 10 });

  /** The lines of a payout that is killed at a moment, and its receipts once it is paid. */
  async function receiptsOf(
    name: string,
    until: (id: string, paid: () => Promise<number>) => Promise<void>,
  ) {
    stack.proxy.onAnswer = async () => true;
    const wallet = await stack.fundedWallet('EOA');
    const lines = Array.from({ length: 5 }, (_, at) => ({
      lineId: `line-${at}`,
      to: newAddress(),
      amount: `0.0${at + 1}`,
      token: 'USDC',
    }));
    const order = { payoutId: name, wallets: [wallet.id], lines };
    const { workflowId } = await stack.steadfast.start('payout', `payout:${name}`, order);
    await until(workflowId, async () => {
      const paid = lines.map((line) =>
        countTransfers(stack.chain, { ...line, from: wallet.address }),
      );
      return (await Promise.all(paid)).reduce((sum, count) => sum + count);
    });
    await stack.client.workflow.getHandle(workflowId).result();
    const archive = await openArchive(`file:${store}`);
    const found: string[] = [];
    for await (const { item } of archive.receipts({ orderId: workflowId })) found.push(item);
    expect((await verifyArchive(archive.entries())).fault).toBeUndefined();
    await archive.close();
    return { found: found.sort(), ordered: lines.map(({ lineId }) => lineId) };
  }

  test('keeps each one exactly once when it dies before they are written', async () => {
    for (let round = 0; round < rounds; round++) {
      const { found, ordered } = await receiptsOf(`before-${round}`, async (_, paid) => {
        // While somebody else holds the file, nothing can be written.
        const holder = new Database(`${store}.archive`);
        holder.exec('BEGIN IMMEDIATE');
        while ((await paid()) < 5) await sleep(50);
        // Its parts poll once a second, and come to their receipts then.
        await sleep(1_500);
        await stack.parts.worker.kill();
        holder.close();
        await stack.parts.replaceWorker();
      });
      expect(found).toEqual(ordered);
    }
  });

  test('keeps each one exactly once when it dies after they were written', async () => {
    for (let round = 0; round < rounds; round++) {
      const { found, ordered } = await receiptsOf(`after-${round}`, async (id) => {
        const reader = new Database(`${store}.archive`);
        const count = reader.prepare('SELECT COUNT(*) FROM receipts WHERE "orderId" = ?').pluck();
        while (count.get(id) === 0) await sleep(1);
        await stack.parts.replaceWorker();
        reader.close();
      });
      expect(found).toEqual(ordered);
    }
  });
});

function hash(text: string): `0x${string}` {
  return `0x${text.slice(2)}`;
}
