import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type BookRow, readBooks } from '../../src/books/books';
import { openNode } from '../../src/books/chain/node';
import { moving, plainToken, startArchiveNode } from '../support/books/archiveNode';
import { eurc, usdc } from '../support/sandbox';

/** Contracts whose every function returns nothing, or the caller's coins in six decimals. */
const code = {
  nothing: '0x5f5f5260205ff3',
  coins: '0x64e8d4a5100060043531045f5260205ff3',
} as const;
const period = { fromMs: 0, untilMs: 4_000_000_000_000 };

let node: Awaited<ReturnType<typeof startArchiveNode>>;
beforeEach(async () => {
  node = await startArchiveNode();
});
afterEach(() => node.stop());

async function rowsOf(wallet: string, url = node.rpcUrl): Promise<BookRow[]> {
  const rows: BookRow[] = [];
  const wallets = [wallet.toLowerCase()];
  const asked = { node: openNode(url), blockchain: 'ARC-TESTNET', wallets, period };
  for await (const row of readBooks(asked)) rows.push(row);
  return rows;
}

function told(rows: readonly BookRow[]) {
  return rows.flatMap((row) =>
    row.row === 'movement' ? [[row.movement.kind, row.movement.change, row.movement.block]] : [],
  );
}

describe('books from a node that keeps old balances', () => {
  test('find coins without logs, and a failed transaction, among hundreds of blocks', async () => {
    const { client } = node;
    const account = privateKeyToAccount(generatePrivateKey());
    const [rich] = await client.getAddresses();
    if (rich === undefined) throw new Error('There is no account.');
    for (const address of [usdc, eurc] as const)
      await client.setCode({ address, bytecode: code.nothing });
    const reverting = '0x00000000000000000000000000000000000000f1';
    await client.setCode({ address: reverting, bytecode: '0x5f5ffd' });
    await client.mine({ blocks: 70 });
    await client.sendTransaction({ account: rich, to: account.address, value: parseEther('5') });
    await client.mine({ blocks: 150 });
    const spent = { account, gas: 60_000n, gasPrice: 2_000_000_000n };
    const hash = await client.sendTransaction({ ...spent, to: rich, value: parseEther('2') });
    await client.sendTransaction({ ...spent, to: reverting });
    await client.mine({ blocks: 90 });
    const { blockNumber, gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({
      hash,
    });
    const rows = await rowsOf(account.address);
    const movements = told(rows);
    expect(movements.slice(0, 3)).toEqual([
      ['transfer', parseEther('5'), 71],
      ['transfer', -parseEther('2'), Number(blockNumber)],
      ['fee', -gasUsed * effectiveGasPrice, Number(blockNumber)],
    ]);
    expect(movements.slice(3).map(([kind]) => kind)).toEqual(['fee']);
    const closing = rows.findLast(({ row }) => row === 'closing');
    expect(closing).toMatchObject({
      balance: await client.getBalance({ address: account.address }),
      block: Number(await client.getBlockNumber()),
    });
  });

  test('show a coin that is a token too once, with the decimals of the coin', async () => {
    const { client } = node;
    const [rich] = await client.getAddresses();
    if (rich === undefined) throw new Error('There is no account.');
    await client.setCode({ address: usdc, bytecode: code.coins });
    await client.setCode({ address: eurc, bytecode: code.nothing });
    const to = privateKeyToAccount(generatePrivateKey()).address;
    await client.sendTransaction({ account: rich, to, value: parseEther('3') });
    await client.mine({ blocks: 1 });
    const rows = await rowsOf(to);
    expect(told(rows)).toEqual([['transfer', parseEther('3'), 1]]);
    const closings = rows.flatMap((row) => (row.row === 'closing' ? [row.money.name] : []));
    expect(closings.sort()).toEqual(['EURC', 'USDC']);
  });

  test('show a token that no list has from its first movement on', async () => {
    const { client } = node;
    const [rich] = await client.getAddresses();
    if (rich === undefined) throw new Error('There is no account.');
    for (const address of [usdc, eurc] as const) {
      await client.setCode({ address, bytecode: code.nothing });
    }
    const token = '0x00000000000000000000000000000000000000c3';
    await client.setCode({ address: token, bytecode: plainToken });
    const wallet = '0x00000000000000000000000000000000000000a1';
    await client.sendTransaction({ account: rich, to: token, data: moving(rich, wallet, 9n) });
    await client.mine({ blocks: 3 });
    await client.sendTransaction({ account: rich, to: token, data: moving(wallet, rich, 2n) });
    await client.mine({ blocks: 1 });
    const rows = await rowsOf(wallet);
    const own = rows.flatMap((row) => {
      const { money } = row.row === 'movement' ? row.movement : row;
      return money.address === token ? [[row.row, row.balance]] : [];
    });
    expect(own).toEqual([
      ['opening', 0n],
      ['movement', 9n],
      ['movement', 7n],
      ['closing', 7n],
    ]);
  });

  test('are refused in a sentence by a node without receipts', async () => {
    const { client } = node;
    const [rich] = await client.getAddresses();
    if (rich === undefined) throw new Error('There is no account.');
    for (const address of [usdc, eurc] as const) {
      await client.setCode({ address, bytecode: code.nothing });
    }
    await client.sendTransaction({ account: rich, to: eurc, value: 1n });
    await client.mine({ blocks: 1 });
    const proxy = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', async () => {
        const body = Buffer.concat(chunks).toString().replaceAll('eth_getBlockReceipts', 'eth_no');
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(node.rpcUrl, { method: 'POST', headers, body });
        response.end(await answer.text());
      });
    }).listen(0);
    const { port } = proxy.address() as AddressInfo;
    const reading = rowsOf(rich, `http://127.0.0.1:${port}`);
    await expect(reading).rejects.toThrow(/does not tell block 1: .*Give a node that has it/);
    proxy.close();
  });
});
