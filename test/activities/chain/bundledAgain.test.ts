import { MockActivityEnvironment } from '@temporalio/testing';
import { receiptActivities } from '../../../activities/chain/receipt';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { stopLater } from '../../support/jest/setUp';
import { settled, transferOf, usdc } from '../../support/sandbox';
import { type LyingNode, startLyingNode } from '../../support/service/lyingNode';
import { inStagedSandbox, someone } from '../../support/stages';

describe('the receipt of a reverted bundle', () => {
  const txHash: string = `0x${'cd'.repeat(32)}`;
  const to = someone();
  const sandbox = inStagedSandbox();
  let wallet: Wallet;
  let node: LyingNode;
  let record: Transaction;
  beforeAll(async () => {
    node = await startLyingNode(sandbox.rpcUrl);
    stopLater(() => node.close());
    wallet = await sandbox.usedWallet('SCA');
    const { id } = await sandbox.client.createTransfer(transferOf(wallet, to));
    record = await sandbox.settled(id);
    // The same operation was in a bundle before, which was reverted.
    node.reverted.set(txHash, record.txHash ?? '');
  });

  const fate = (change: object = {}, recipient = to) =>
    receiptActivities(node.url, { custody: sandbox.client }).checkReceipt({
      txHash,
      sender: wallet.address,
      userOpHash: record.userOpHash,
      effect: {
        ...({ kind: 'transfer', tokenAddress: usdc, from: wallet.address, to: recipient } as const),
        baseUnits: '1000000',
        blockchain: 'ETH-SEPOLIA',
      },
      ...change,
    });

  it('shows an operation that somebody else has bundled again, with its effect', async () => {
    const blockNumber = record.blockHeight;
    expect(await fate()).toEqual({ found: 'success', faults: [], blockNumber });
    expect(await fate({}, someone())).toMatchObject({
      found: 'absent',
      other: expect.stringContaining('ordered was'),
    });
  });

  it('shows an operation that is in another bundle than the service names', async () => {
    const env = new MockActivityEnvironment();
    const named = `0x${'ee'.repeat(32)}`;
    const since = record.createDate;
    const search = { id: record.id, isSmart: true, since, knownAt: since };
    const ask = (userOpHash = record.userOpHash) =>
      env.run(() => fate({ txHash: named, userOpHash, search }));
    expect(await ask()).toMatchObject({
      found: 'success',
      blockNumber: record.blockHeight,
      txHash: record.txHash,
    });
    // The hash is a claim as well. The ordered call counts under any hash.
    expect(await ask(named)).toMatchObject({ found: 'success', txHash: record.txHash });
  });

  it('is never a failure of another record, but the payment that was made', async () => {
    const { client } = sandbox;
    await sandbox.plan('failOnChain');
    const earlier = await client.createTransfer(transferOf(wallet, to));
    const failed = await settled(client, earlier.id);
    expect(failed.state).toBe('FAILED');
    const { id, createDate: since } = record;
    const search = { id, isSmart: true, since, knownAt: since };
    const { txHash: failedIn, userOpHash } = failed;
    const named = { txHash: failedIn, userOpHash };
    const ask = (own: string) =>
      new MockActivityEnvironment().run(() => fate({ ...named, search: { ...search, id: own } }));
    expect(await ask(id)).toMatchObject({ found: 'success', txHash: record.txHash });
    // The payment is that of another record. Its own failure counts.
    expect(await ask(failed.id)).toMatchObject({ found: 'reverted' });
  });

  it('is never dead by what a reverted bundle says of a nonce', async () => {
    const newest = { headAgeMs: expect.any(Number), headMs: expect.any(Number) };
    const open = { found: 'absent', faults: [], ...newest, replaced: false };
    expect(await fate({ userOpHash: `0x${'ab'.repeat(32)}` })).toEqual(open);
    expect(await fate({ userOpHash: undefined })).toEqual(open);
  });
});
