import type { Transaction } from '../../../src/custody/objects/transaction';
import { setUp } from '../../support/jest/setUp';
import { transferOf } from '../../support/sandbox';
import { inStagedSandbox, someone } from '../../support/stages';

const sandbox = inStagedSandbox();
const wallet = setUp(() => sandbox.usedWallet('EOA'));

const monthMs = 31 * 86_400_000;

async function read(id: string): Promise<Transaction> {
  return (await sandbox.client.getTransaction({ id })).transaction;
}

async function arrivals(to: string): Promise<number> {
  return (await sandbox.transfers({ to })).length;
}

describe('the past of a transaction', () => {
  it('is a month longer when it is aged, and its key is forgotten', async () => {
    const to = someone();
    const transfer = transferOf(wallet, to);
    const { id } = await sandbox.client.createTransfer(transfer);
    const young = await sandbox.settled(id);
    expect((await sandbox.client.createTransfer(transfer)).id).toBe(id);
    const answer = await sandbox.control('POST', `transactions/${id}/age`, { days: 31 });
    expect(answer).toMatchObject({ status: 200, body: { id, days: 31 } });
    const old = await read(id);
    expect(Date.parse(young.createDate) - Date.parse(old.createDate)).toBe(monthMs);
    const { transactions } = await sandbox.client.listTransactions({ walletIds: wallet.id });
    expect(transactions[0]).toMatchObject({ id, createDate: old.createDate });
    const again = await sandbox.client.createTransfer(transfer);
    expect(again.id).not.toBe(id);
    await sandbox.settled(again.id);
    expect(await arrivals(to)).toBe(2);
  });

  it('is gone when the service loses it, and the chain still has its effect', async () => {
    const to = someone();
    const transfer = transferOf(wallet, to);
    const { id } = await sandbox.client.createTransfer(transfer);
    await sandbox.settled(id);
    expect(await sandbox.control('DELETE', `transactions/${id}`)).toMatchObject({ status: 204 });
    await expect(read(id)).rejects.toMatchObject({ status: 404 });
    expect(await arrivals(to)).toBe(1);
    const again = await sandbox.client.createTransfer(transfer);
    expect(again.id).not.toBe(id);
  });

  it('cannot be changed while it is under way', async () => {
    await sandbox.stopBlocks();
    const id = await sandbox.send(wallet, someone());
    await sandbox.inState(id, 'SENT');
    const refusal = {
      status: 409,
      body: { message: `Transaction ${id} is SENT. Wait until it is final.` },
    };
    const age = await sandbox.control('POST', `transactions/${id}/age`, { days: 1 });
    expect(age).toMatchObject(refusal);
    expect(await sandbox.control('DELETE', `transactions/${id}`)).toMatchObject(refusal);
    await sandbox.run();
  });
});
