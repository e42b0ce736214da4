import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Archive } from '../../../src/books/archive/archive';
import { openArchive } from '../../../src/books/archive/openArchive';
import { receiptsOf } from '../../../src/books/settled';
import type { PayoutLine } from '../../../src/client/client';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { payAlone, payInBatch } from '../../support/books/payByHand';
import { reconciled } from '../../support/books/reconciled';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { newLine, newLines } from '../../support/payouts';
import { startTestSandbox, type TestSandbox, usdc } from '../../support/sandbox';
import { temporalAddress } from '../../support/temporal';
import { runCli } from '../runCli';

const hourMs = 3_600_000;
const workflowId = `payout:${randomUUID()}`;
const [alone, ...batched] = newLines(3) as [PayoutLine, ...PayoutLine[]];
const lately = newLine();

const folder = newFolder();
const store = `file:${join(folder, 'store.db')}`;

let sandbox: TestSandbox;
let archive: Archive;
let wallet: Wallet;
let env: Record<string, string> = {};

/** Service and chain live so many hours ago, until the next call. */
let clock: jest.SpyInstance | undefined;
function aged(hours = 0): void {
  clock?.mockRestore();
  const now = Date.now;
  clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - hours * hourMs);
}

beforeAll(async () => {
  archive = await openArchive(store);
  stopLater(() => archive.close());
  aged(30 * 24);
  sandbox = await startTestSandbox({ states: 'hosted', settleMs: 0 });
  stopLater(() => sandbox.stop());
  const { client } = sandbox;
  wallet = await sandbox.usedWallet('EOA');
  await keep(await payAlone(client, wallet, { workflowId, line: alone }), [alone]);
  await keep(await payInBatch(client, wallet, { workflowId, lines: batched }), batched);
  aged(20);
  await payAlone(client, wallet, { workflowId, line: lately });
  aged();
  stopLater(() => clock?.mockRestore());
});

async function steadfast(...args: string[]): Promise<{ code: number | null; told: string }> {
  const { code, stdout, stderr } = await runCli(args, {
    TEMPORAL_ADDRESS: temporalAddress(),
    CUSTODY_BASE_URL: sandbox.baseUrl,
    CUSTODY_API_KEY: sandbox.secrets.apiKey,
    CHAIN_RPC_URL: sandbox.rpcUrl,
    STEADFAST_STORE: store,
    ...env,
  });
  return { code, told: stdout + stderr };
}

/** Puts receipts of lines into the archive, as a payout does that has paid them. */
async function keep({ id, txHash = '' }: Transaction, lines: readonly PayoutLine[]) {
  const { chain, baseUrl } = sandbox;
  const { logs, blockNumber } = await chain.client.getTransactionReceipt({
    hash: `0x${txHash.slice(2)}`,
  });
  const time = new Date(Date.now()).toISOString();
  const settled = lines.map(({ lineId, to, amount }) => {
    const payee = to.slice(2).toLowerCase();
    // The system tells of the same movement before the coin does.
    const own = logs.filter(({ address }) => address === usdc);
    const { logIndex } = own.find(({ topics }) => topics[2]?.endsWith(payee)) ?? {};
    const token = { name: 'USDC', address: usdc, decimals: 6 };
    const baseUnits = toBaseUnits(amount, 6).toString();
    const onChain = { blockNumber: Number(blockNumber), blockTime: time, logIndex };
    return {
      step: 'line',
      item: lineId,
      generation: 0,
      transactionId: id,
      txHash,
      time,
      outcome: 'completed' as const,
      kind: 'transfer' as const,
      sender: wallet.address,
      money: { from: wallet.address, to, token, amount, baseUnits },
      onChain: { ...onChain, fee: { baseUnits: '1', lines: lines.length } },
      ...(lines.length > 1 ? { batch: { step: 'batch', item: 'first', generation: 0 } } : {}),
    };
  });
  const order = { id: workflowId, kind: 'payout' };
  const about = { order, service: baseUrl, blockchain: 'ARC-TESTNET' };
  await archive.append(receiptsOf({ ...about, settled }, () => false));
}

/** The classes of today's payments of these lines. */
async function classesOf(lines: readonly PayoutLine[]): Promise<string[]> {
  const today = new Date(Date.now() - hourMs).toISOString();
  const { findings } = await reconciled({ steadfast }, '--from', today);
  const payees = lines.map(({ to }) => to.toLowerCase());
  const own = findings.filter(({ counterparty = '' }) => payees.includes(counterparty));
  return own.map((row) => row.class);
}

describe('a line that is paid today', () => {
  it('is named, where the archive and the chain show that it was paid a month ago', async () => {
    const { client } = sandbox;
    await payAlone(client, wallet, { workflowId, line: alone, generation: 1 });
    await payInBatch(client, wallet, { workflowId, lines: batched, generation: 1 });
    expect(await classesOf([alone])).toEqual(['paid twice']);
    expect(await classesOf(batched)).toEqual(['paid twice', 'paid twice']);
  });

  it('is named without an archive, where it was paid on the day before', async () => {
    const { client } = sandbox;
    const lines = [lately, newLine()];
    await payInBatch(client, wallet, { workflowId, lines, generation: 2 });
    env = { STEADFAST_STORE: '' };
    expect(await classesOf([lately])).toEqual(['paid twice']);
    const { told } = await steadfast('reconcile', '--from', '2026-01-01');
    expect(told).toContain('STEADFAST_STORE is not set, so receipts and older payments were');
    env = {};
  });
});
