import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestClient, http, parseEther, publicActions, walletActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { binaryPath } from '../../sandbox/chain/node/anvil';
import { startChild } from '../../src/childProcess';
import { type BookRow, readBooks } from '../../src/statement/books';
import { openNode } from '../../src/statement/chain/node';
import { eurc, usdc } from '../support/sandbox';

/** A node that keeps old balances, with the id of Arc's test network. */
const chain = { id: 5042002, name: 'arc', nativeCurrency: { name: '', symbol: '', decimals: 18 } };
/** Contracts whose every function returns nothing, or the caller's coins in six decimals. */
const code = {
  nothing: '0x5f5f5260205ff3',
  coins: '0x64e8d4a5100060043531045f5260205ff3',
} as const;
const period = { fromMs: 0, untilMs: 4_000_000_000_000 };

let rpcUrl: string;
let stop: () => Promise<unknown>;
beforeEach(async () => {
  const args = [
    '--port',
    '0',
    '--chain-id',
    '5042002',
    '--slots-in-an-epoch',
    '0',
    '--accounts',
    '1',
  ];
  const { PATH = '' } = process.env;
  const child = startChild({ command: [binaryPath(), ...args], env: { PATH } });
  const [, address] = await child.waitForLine(/Listening on (\S+)/, 15_000);
  rpcUrl = `http://${address}`;
  stop = () => child.kill();
});
afterEach(() => stop());

function anvil() {
  return createTestClient({
    mode: 'anvil',
    chain: { ...chain, rpcUrls: { default: { http: [rpcUrl] } } },
    transport: http(rpcUrl),
  })
    .extend(publicActions)
    .extend(walletActions);
}

async function rowsOf(wallet: string, url = rpcUrl): Promise<BookRow[]> {
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
    const node = anvil();
    const account = privateKeyToAccount(generatePrivateKey());
    const [rich] = await node.getAddresses();
    if (rich === undefined) throw new Error('There is no account.');
    for (const address of [usdc, eurc] as const)
      await node.setCode({ address, bytecode: code.nothing });
    const reverting = '0x00000000000000000000000000000000000000f1';
    await node.setCode({ address: reverting, bytecode: '0x5f5ffd' });
    await node.mine({ blocks: 70 });
    await node.sendTransaction({ account: rich, to: account.address, value: parseEther('5') });
    await node.mine({ blocks: 150 });
    const spent = { account, gas: 60_000n, gasPrice: 2_000_000_000n };
    const hash = await node.sendTransaction({ ...spent, to: rich, value: parseEther('2') });
    await node.sendTransaction({ ...spent, to: reverting });
    await node.mine({ blocks: 90 });
    const { blockNumber, gasUsed, effectiveGasPrice } = await node.getTransactionReceipt({ hash });
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
      balance: await node.getBalance({ address: account.address }),
      block: Number(await node.getBlockNumber()),
    });
  });

  test('show a coin that is a token too once, with the decimals of the coin', async () => {
    const node = anvil();
    const [rich] = await node.getAddresses();
    if (rich === undefined) throw new Error('There is no account.');
    await node.setCode({ address: usdc, bytecode: code.coins });
    await node.setCode({ address: eurc, bytecode: code.nothing });
    const to = privateKeyToAccount(generatePrivateKey()).address;
    await node.sendTransaction({ account: rich, to, value: parseEther('3') });
    await node.mine({ blocks: 1 });
    const rows = await rowsOf(to);
    expect(told(rows)).toEqual([['transfer', parseEther('3'), 1]]);
    const closings = rows.flatMap((row) => (row.row === 'closing' ? [row.money.symbol] : []));
    expect(closings.sort()).toEqual(['EURC', 'USDC']);
  });

  test('are refused in a sentence by a node without receipts', async () => {
    const node = anvil();
    const [rich] = await node.getAddresses();
    if (rich === undefined) throw new Error('There is no account.');
    for (const address of [usdc, eurc] as const) {
      await node.setCode({ address, bytecode: code.nothing });
    }
    await node.sendTransaction({ account: rich, to: eurc, value: 1n });
    await node.mine({ blocks: 1 });
    const proxy = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', async () => {
        const body = Buffer.concat(chunks).toString().replaceAll('eth_getBlockReceipts', 'eth_no');
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(rpcUrl, { method: 'POST', headers, body });
        response.end(await answer.text());
      });
    }).listen(0);
    const { port } = proxy.address() as AddressInfo;
    const reading = rowsOf(rich, `http://127.0.0.1:${port}`);
    await expect(reading).rejects.toThrow(/does not tell block 1: .*Give a node that has it/);
    proxy.close();
  });
});
