import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { countDeployments, countTransfers, startTestStack, type TestStack } from '../support/stack';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.stop());

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

describe('fifty simultaneous starts of one order', () => {
  test('make one transfer', async () => {
    stack.proxy.onAnswer = async () => true;
    const wallet = await stack.fundedWallet('EOA');
    const to = newAddress();
    const transfer = { from: wallet.address, to, amount: '2.5' };
    const order = { ...transfer, from: { walletId: wallet.id }, token: 'USDC' };
    const receipts = await Promise.all(
      Array.from({ length: 50 }, () =>
        stack.steadfast.execute('transferStablecoin', 'transfer:fifty', order),
      ),
    );
    expect(new Set(receipts.map(({ txHash }) => txHash)).size).toBe(1);
    expect(await countTransfers(stack.chain, transfer)).toBe(1);
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

function hash(text: string): `0x${string}` {
  return `0x${text.slice(2)}`;
}
