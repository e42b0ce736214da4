import { execFileSync } from 'node:child_process';
import type { Hex } from 'viem';
import type { NodeCall } from '../../../../sandbox/chain/node/callNode';
import type { Transaction } from '../../../../src/custody/objects/transaction';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { eurc, startTestSandbox, type TestSandbox, transferOf } from '../../../support/sandbox';
import { neverMs, someone } from '../../../support/stages';

let sandbox: TestSandbox;
let wallets: Wallet[];
beforeEach(async () => {
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  sandbox = await startTestSandbox();
  wallets = [await sandbox.usedWallet('EOA'), await sandbox.usedWallet('SCA')];
});
afterEach(async () => {
  await sandbox.stop();
  jest.restoreAllMocks();
});

/** Commands that anybody who finds the node's port can give it. */
async function tell(method: string, ...params: unknown[]): Promise<unknown> {
  const call: NodeCall = { method, params };
  const [answer] = await sandbox.chain.ask([call]);
  if (!answer?.ok) throw new Error(`The node refused ${method}: ${answer?.reason}`);
  return answer.result;
}

async function transferAll(to: string): Promise<string[]> {
  const orders = wallets.flatMap((from) =>
    [1, 2].map(() => transferOf(from, to, { tokenAddress: eurc })),
  );
  return Promise.all(orders.map(async (order) => (await sandbox.client.createTransfer(order)).id));
}

/** Every record says COMPLETE, and so does the chain: each has moved its money once. */
async function expectAllOnce(ids: string[], to: string): Promise<void> {
  const records = await Promise.all(ids.map((id) => sandbox.settled(id)));
  expect(records.map(({ state }) => state)).toEqual(ids.map(() => 'COMPLETE'));
  expect(await sandbox.transfers({ to })).toHaveLength(ids.length);
  await expectOnChain(records);
}

async function expectOnChain(records: Transaction[]): Promise<void> {
  for (const { txHash, blockHeight } of records) {
    const receipt = await sandbox.chain.client.getTransactionReceipt({ hash: txHash as Hex });
    expect(Number(receipt.blockNumber)).toBe(blockHeight);
  }
}

function killNode(): void {
  const pid = execFileSync('pgrep', ['-P', String(sandbox.chain.pid()), 'anvil'], {
    encoding: 'utf8',
  });
  process.kill(Number(pid), 'SIGKILL');
}

describe('a sandbox whose node is told by somebody else', () => {
  it('to mine at once, believes no block but its own', async () => {
    const to = someone();
    await tell('evm_setAutomine', true);
    const ids = await transferAll(to);
    await expectAllOnce(ids, to);
  });

  it('to mine a block, keeps a record that can be rebuilt', async () => {
    const to = someone();
    await tell('evm_mine');
    const ids = await transferAll(to);
    await expectAllOnce(ids, to);
    const before = await sandbox.chain.client.getBlock();
    killNode();
    const { number: blockNumber } = before;
    expect(await sandbox.chain.client.getBlock({ blockNumber })).toEqual(before);
    await expectAllOnce(ids, to);
  });

  it('to go back, has what it had, and goes on', async () => {
    const snapshot = await tell('evm_snapshot');
    const to = someone();
    const first = await transferAll(to);
    await expectAllOnce(first, to);
    await tell('evm_revert', snapshot);
    const second = await transferAll(to);
    await expectAllOnce([...first, ...second], to);
  });

  it('to reset, keeps its records, and carries out what it has accepted', async () => {
    const to = someone();
    await setSettings({ settleMs: neverMs });
    const ids = await transferAll(to);
    await tell('anvil_reset');
    await setSettings({ settleMs: 0 });
    await expectAllOnce(ids, to);
  });
});

async function setSettings(body: { settleMs: number }): Promise<void> {
  const url = `${sandbox.origin}/_sandbox/settings`;
  await sandbox.request('PATCH', url, { headers: {}, body });
}
