import { randomUUID } from 'node:crypto';
import { concat, encodeFunctionData, erc20Abi, getAddress, type Hex, isHex } from 'viem';
import { accountAbi, multicall3FromAbi } from '../../../../sandbox/chain/genesis/abi';
import { callFromAddresses } from '../../../../sandbox/chain/genesis/contracts';
import { readTransfers } from '../../../../sandbox/chain/transfers';
import type { Transaction } from '../../../../src/custody/objects/transaction';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { createWallets, inSandbox, usdc } from '../../../support/sandbox';
import { someone } from '../../../support/stages';

const { multicall3From } = callFromAddresses;
const lineCount = 100;
const walletCount = 5;
/** Base units of USDC. */
const amount = 1_000n;
/** Native units in one of them. */
const unitsEach = 10n ** 12n;

let blocked: string;
const sandbox = inSandbox();
beforeAll(async () => {
  blocked = someone();
  const url = `${sandbox.origin}/_sandbox/blocklist/${blocked}`;
  const { status } = await sandbox.request('PUT', url, { headers: {} });
  expect(status).toBe(200);
});

/** A transfer of USDC, with 16 bytes after its arguments. */
function transferTo(to: string): Hex {
  const args = [getAddress(to), amount] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
  return concat([data, `0x${randomUUID().replaceAll('-', '')}`]);
}

type Batch = (payer: Wallet, to: readonly string[], allowFailure?: boolean) => object;

/** Ways to pay several recipients in one call, with the kind of account that can do it. */
const ways: [string, 'EOA' | 'SCA', Batch][] = [
  [
    'aggregate3 and its parameters',
    'EOA',
    (_payer, to, allowFailure = false) => ({
      contractAddress: multicall3From,
      abiFunctionSignature: 'aggregate3((address,bool,bytes)[])',
      abiParameters: [to.map((one) => [usdc, allowFailure, transferTo(one)])],
    }),
  ],
  [
    'the call data of aggregate3',
    'EOA',
    (_payer, to, allowFailure = false) => ({
      contractAddress: multicall3From,
      callData: encodeFunctionData({
        abi: multicall3FromAbi,
        functionName: 'aggregate3',
        args: [
          to.map((one) => ({ target: usdc, allowFailure, callData: transferTo(one) }) as const),
        ],
      }),
    }),
  ],
  [
    'executeBatch and its parameters',
    'SCA',
    (payer, to) => ({
      contractAddress: payer.address,
      abiFunctionSignature: 'executeBatch((address,uint256,bytes)[])',
      abiParameters: [to.map((one) => [usdc, '0', transferTo(one)])],
    }),
  ],
  [
    'the call data of executeBatch',
    'SCA',
    (payer, to) => ({
      contractAddress: payer.address,
      callData: encodeFunctionData({
        abi: accountAbi,
        functionName: 'executeBatch',
        args: [to.map((one) => ({ to: usdc, value: 0n, data: transferTo(one) }) as const)],
      }),
    }),
  ],
];

const [byParameters, , byAccount] = ways.map(([, , batch]) => batch);

async function execute(payer: Wallet, call: object): Promise<Transaction> {
  const { status, body } = await sandbox.signed('developer/transactions/contractExecution', {
    idempotencyKey: randomUUID(),
    walletId: payer.id,
    feeLevel: 'MEDIUM',
    ...call,
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  const { data } = body as { data: { id: string } };
  return sandbox.settled(data.id);
}

async function receiptOf({ txHash }: Transaction) {
  if (!isHex(txHash)) throw new Error('The transaction has no hash.');
  return sandbox.chain.client.getTransactionReceipt({ hash: txHash });
}

async function transfersOf(record: Transaction) {
  return readTransfers((await receiptOf(record)).logs);
}

/** Native units that the transaction has cost its wallet. The fees of an SCA are sponsored. */
async function feeOf(record: Transaction, { accountType }: Wallet): Promise<bigint> {
  const { gasUsed, effectiveGasPrice } = await receiptOf(record);
  return accountType === 'EOA' ? gasUsed * effectiveGasPrice : 0n;
}

const nativeOf = (address: string): Promise<bigint> =>
  sandbox.chain.client.getBalance({ address: getAddress(address) });

async function balanceOf(address: string): Promise<bigint> {
  return sandbox.chain.client.readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [getAddress(address)],
  });
}

const estimate = (payer: Wallet, call: object) =>
  sandbox.request('POST', 'transactions/contractExecution/estimateFee', {
    body: { walletId: payer.id, ...call },
  });

describe.each(ways)('%s', (_way, accountType, batch) => {
  it('pay a hundred recipients in one call, each of them once', async () => {
    const payer = await sandbox.usedWallet(accountType);
    const wallets = await createWallets(sandbox.client, { count: walletCount });
    const strangers = Array.from({ length: lineCount - walletCount }, () => someone());
    const to = [...wallets.map(({ address }) => address), ...strangers];
    const before = await nativeOf(payer.address);

    const record = await execute(payer, batch(payer, to));
    expect(record).toMatchObject({ state: 'COMPLETE', operation: 'CONTRACT_EXECUTION' });

    const own = (await transfersOf(record)).filter((one) => one.from === getAddress(payer.address));
    expect(own.map((one) => [one.token, one.to, one.counts])).toEqual(
      to.map((one) => [getAddress(usdc), getAddress(one), [amount]]),
    );
    expect(await Promise.all(to.map(balanceOf))).toEqual(to.map(() => amount));
    const paid = amount * BigInt(lineCount) * unitsEach;
    expect(await nativeOf(payer.address)).toBe(before - paid - (await feeOf(record, payer)));
    for (const { id: walletIds } of wallets) {
      const { transactions } = await sandbox.client.listTransactions({ walletIds });
      const { txHash } = record;
      expect(transactions).toMatchObject([
        { transactionType: 'INBOUND', amounts: ['0.001'], sourceAddress: payer.address, txHash },
      ]);
    }
  });

  it('are estimated, unless the call would revert', async () => {
    const payer = await sandbox.usedWallet(accountType);
    const to = Array.from({ length: lineCount }, () => someone());
    const { status, body } = await estimate(payer, batch(payer, to));
    const { data } = body as { data: { medium: { gasLimit: string }; callGasLimit?: string } };
    expect(status).toBe(200);
    expect('callGasLimit' in data).toBe(accountType === 'SCA');
    expect(Number(data.medium.gasLimit)).toBeGreaterThan(25_000 * lineCount);
    expect(Number(data.medium.gasLimit)).toBeLessThan(60_000 * lineCount);
    expect(await estimate(payer, batch(payer, [...to, blocked]))).toMatchObject({
      status: 400,
      body: { code: 155208, message: expect.stringContaining('Blocked address') },
    });
  });
});

describe('a recipient that the coin has blocked', () => {
  const recipients = () => Array.from({ length: lineCount - 1 }, () => someone());

  it('is left out of a batch that allows failures, and all others are paid', async () => {
    const payer = await sandbox.usedWallet('EOA');
    const to = recipients();
    const call = byParameters?.(payer, [...to.slice(0, 50), blocked, ...to.slice(50)], true) ?? {};
    expect((await estimate(payer, call)).status).toBe(200);
    const record = await execute(payer, call);
    expect(record.state).toBe('COMPLETE');
    expect((await transfersOf(record)).map((one) => one.to)).toEqual(
      to.map((one) => getAddress(one)),
    );
    expect(await balanceOf(blocked)).toBe(0n);
  });

  it.each([
    ['EOA', byParameters],
    ['SCA', byAccount],
  ] as const)('fails the whole batch of an %s that allows none', async (type, batch) => {
    const payer = await sandbox.usedWallet(type);
    const to = recipients();
    const before = await balanceOf(payer.address);
    const record = await execute(payer, batch?.(payer, [...to, blocked]) ?? {});
    expect(record).toMatchObject({
      state: 'FAILED',
      errorReason: 'ESTIMATION_ERROR',
      errorDetails: expect.stringContaining('Blocked address'),
    });
    expect(await balanceOf(payer.address)).toBe(before);
    expect(await Promise.all(to.map(balanceOf))).toEqual(to.map(() => 0n));
  });
});

it('Multicall3From is not called for a smart account, with failures allowed neither', async () => {
  const payer = await sandbox.usedWallet('SCA');
  const [before, to] = [await balanceOf(payer.address), [someone()]];
  for (const mayFail of [false, true]) {
    const record = await execute(payer, byParameters?.(payer, to, mayFail) ?? {});
    expect(record).toMatchObject({ state: 'FAILED', errorReason: 'ESTIMATION_ERROR' });
    expect(record.errorDetails).toContain('sender spoofing requires tx.origin as sender');
    expect(record.txHash ?? '').toBe('');
  }
  expect(await balanceOf(payer.address)).toBe(before);
});
