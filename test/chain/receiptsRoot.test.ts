import { createTestClient, type Hex, http, parseEther, publicActions, walletActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { binaryPath } from '../../sandbox/chain/node/anvil';
import { type RawReceipt, receiptsRoot } from '../../src/chain/receiptsRoot';
import { startChild } from '../../src/local/childProcess';
import { setUp } from '../support/jest/setUp';

/** Its constructor logs 32 bytes of zeros with one topic, and leaves no code. */
const logger: Hex = '0x600160206000a1';

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);

async function startNode() {
  const child = startChild({
    command: [binaryPath(), '--port', '0', '--accounts', '0', '--no-mining'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  });
  const [, address] = await child.waitForLine(/Listening on (\S+)/, 15_000);
  const transport = http(`http://${address}`);
  const chain = createTestClient({ mode: 'anvil', transport, account, chain: foundry })
    .extend(publicActions)
    .extend(walletActions);
  await chain.setBalance({ address: account.address, value: parseEther('1000') });
  return { chain, stop: child.stop };
}

const node = setUp(() => startNode());

type Receipts = (RawReceipt & { transactionHash: Hex })[];

/** Mines a block of so many transactions, of both kinds in turn, each with a log. */
async function mined(count: number): Promise<{ root: Hex; receipts: Receipts }> {
  const { chain } = node;
  const nonce = await chain.getTransactionCount({ address: account.address });
  for (let at = 0; at < count; at++) {
    const call = { data: logger, gas: 90_000n, nonce: nonce + at };
    if (at % 2 === 0) await chain.sendTransaction({ ...call, gasPrice: 3_000_000_000n });
    else await chain.sendTransaction(call);
  }
  await chain.mine({ blocks: 1 });
  const { receiptsRoot: root, hash } = await chain.getBlock();
  type Asked = { Method: 'eth_getBlockReceipts'; Parameters: [Hex]; ReturnType: Receipts };
  const receipts = await chain.request<Asked>({ method: 'eth_getBlockReceipts', params: [hash] });
  expect(receipts).toHaveLength(count);
  return { root, receipts };
}

test.each([0, 1, 2, 17, 130])('the root of %d receipts is the one in the header', async (count) => {
  const { root, receipts } = await mined(count);
  expect(receiptsRoot(receipts)).toBe(root);
});

describe('the root', () => {
  let block: Awaited<ReturnType<typeof mined>>;
  beforeAll(async () => {
    block = await mined(3);
  });

  const changed = (change: (receipt: RawReceipt) => Partial<RawReceipt>): Receipts =>
    block.receipts.map((receipt, at) => (at === 1 ? { ...receipt, ...change(receipt) } : receipt));

  test('is another one without a log', () => {
    expect(block.receipts[1]?.logs).toHaveLength(1);
    expect(receiptsRoot(changed(() => ({ logs: [] })))).not.toBe(block.root);
  });

  test('is another one with another amount in a log', () => {
    const other = ({ logs }: RawReceipt) => ({
      logs: logs.map((log) => ({ ...log, data: `0x${'00'.repeat(31)}01` as const })),
    });
    expect(receiptsRoot(changed(other))).not.toBe(block.root);
  });

  test('is another one with a failure as a success, or without a receipt', () => {
    expect(receiptsRoot(changed(() => ({ status: '0x0' })))).not.toBe(block.root);
    expect(receiptsRoot(block.receipts.slice(1))).not.toBe(block.root);
  });
});
