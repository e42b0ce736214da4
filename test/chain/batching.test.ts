import { createPublicClient, http, type PublicClient } from 'viem';
import { type Anvil, startAnvil } from '../../sandbox/chain/node/anvil';
import { senderKept } from '../../src/chain/batching';
import { checkBatches } from '../../src/cli/doctor/chain/checkBatches';
import { multicallFrom } from '../../src/custody/batch';
import { deployToken } from '../support/chain/deployments';
import { eurc, inSandbox, usdc } from '../support/sandbox';

const neither = { inBatches: false, withMemo: false };

const clientOf = (rpcUrl: string): PublicClient =>
  createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) });

describe('the chain of the sandbox', () => {
  let chain: PublicClient;
  const sandbox = inSandbox();
  beforeAll(async () => {
    chain = clientOf(sandbox.rpcUrl);
  });

  it.each([usdc, eurc, eurc.toLowerCase()])(
    'lets an account pay in batches of %s, and with memos',
    async (token) => {
      const before = await chain.getBlockNumber();
      expect(await senderKept(chain, token)).toEqual({ inBatches: true, withMemo: true });
      expect(await chain.getBlockNumber()).toBe(before);
    },
  );

  it('does not for a token that sees another sender', async () => {
    const wallet = await sandbox.usedWallet();
    const { address } = await deployToken(sandbox.client, wallet, { symbol: 'OWN' });
    expect(await senderKept(chain, address)).toEqual(neither);
  });

  it.each(['', multicallFrom, '0x00000000000000000000000000000000000057a2', 'me'])(
    'does not for what is no token (%j)',
    async (address) => {
      expect(await senderKept(chain, address)).toEqual(neither);
    },
  );

  it('is told so by the doctor', async () => {
    expect(await checkBatches(sandbox.rpcUrl, 'ARC-TESTNET')).toEqual({
      name: 'Batches',
      state: 'fine',
      words: 'payouts from EOAs go in batches of USDC and EURC, and memos work for USDC and EURC',
    });
  });
});

describe('a chain without the contract', () => {
  let node: Anvil;
  beforeAll(async () => {
    node = await startAnvil({
      chainId: 5_042_002,
      genesisTimestampS: 1,
      baseFeePerGas: 1n,
      blockGasLimit: 30_000_000n,
    });
  });
  afterAll(() => node.stop());

  const place = (code: string) =>
    fetch(node.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'anvil_setCode',
        params: [multicallFrom, code],
      }),
    });

  it('lets nobody pay in batches, and the doctor says so', async () => {
    expect(await senderKept(clientOf(node.rpcUrl), usdc)).toEqual(neither);
    expect(await checkBatches(node.rpcUrl, 'ARC-TESTNET')).toMatchObject({
      state: 'skipped',
      words: 'no Multicall3From that works here, so payouts from EOAs go line by line',
    });
  });

  // In turn: code that reverts, code that answers nothing, and code that answers one word.
  it.each(['0x5f5ffd', '0x00', '0x60205ff3'])(
    'lets nobody do so either with other code at its address (%s)',
    async (code) => {
      await place(code);
      expect(await senderKept(clientOf(node.rpcUrl), usdc)).toEqual(neither);
    },
  );
});

it('a node that does not answer is an error, and no answer', async () => {
  const url = 'http://127.0.0.1:1/hidden';
  await expect(senderKept(clientOf(url), usdc)).rejects.toThrow('HTTP request failed');
  const finding = await checkBatches(url, 'ARC-TESTNET');
  expect(finding).toMatchObject({ state: 'fault', belongsTo: 'operator' });
  expect(JSON.stringify(finding)).not.toContain('hidden');
});
