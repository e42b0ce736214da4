import {
  concat,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  erc20Abi,
  fromRlp,
  getAddress,
  type Hex,
  http,
  parseEther,
  parseGwei,
  parseTransaction,
  parseUnits,
  sliceHex,
  type TransactionSerializableEIP1559,
  toHex,
  toRlp,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { nativeMover } from '../../../../sandbox/chain/genesis/contracts';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, inSandbox, usdc } from '../../../support/sandbox';

const payer = privateKeyToAccount(generatePrivateKey());
const arcTestnet = defineChain({
  id: 5_042_002,
  name: 'Arc Testnet',
  nativeCurrency: { name: 'USDC', symbol: 'USDC', decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

const sandbox = inSandbox();
const to = setUp(() => sandbox.wallet());
beforeAll(async () => {
  await sandbox.client.requestDrip({ address: payer.address, blockchain, usdc: true });
});

const clientOptions = () => ({
  chain: arcTestnet,
  transport: http(sandbox.rpcUrl, { retryCount: 0 }),
  pollingInterval: 50,
});
const reader = () => createPublicClient(clientOptions());
const wallet = () => createWalletClient({ ...clientOptions(), account: payer });

/** A payment of one native unit that every block takes, unless the fields change that. */
async function signed(fields: Partial<TransactionSerializableEIP1559> = {}): Promise<Hex> {
  return payer.signTransaction({
    chainId: arcTestnet.id,
    nonce: await reader().getTransactionCount({ address: payer.address, blockTag: 'pending' }),
    gas: 100_000n,
    maxFeePerGas: parseGwei('30'),
    maxPriorityFeePerGas: 0n,
    to: getAddress(to.address),
    value: 1n,
    ...fields,
    type: 'eip1559',
  });
}

async function rpc(...transactions: Hex[]): Promise<unknown> {
  const calls = transactions.map((raw, id) => {
    return { jsonrpc: '2.0', id, method: 'eth_sendRawTransaction', params: [raw] };
  });
  const body = calls.length === 1 ? calls[0] : calls;
  return (await sandbox.request('POST', sandbox.rpcUrl, { headers: {}, body })).body;
}

/** The words in which the sandbox refuses a transaction. */
const refusal = (message: unknown) =>
  expect.objectContaining({ error: { code: -32_000, message } });

/** The records that the wallet has of a transaction, once they are there and final. */
async function arrivals(txHash: Hex) {
  let ids: string[] = [];
  // The chain shows a receipt a moment before the service has read it.
  for (let look = 0; look < 500 && ids.length === 0; look += 1) {
    const { transactions } = await sandbox.client.listTransactions({ walletIds: to.id });
    ids = transactions.filter((one) => one.txHash === txHash).map(({ id }) => id);
  }
  return Promise.all(ids.map((id) => sandbox.settled(id)));
}

describe('an account that is not of the service', () => {
  it.each([
    [
      'as an ERC-20 coin',
      () =>
        wallet().writeContract({
          address: usdc,
          abi: erc20Abi,
          functionName: 'transfer',
          args: [getAddress(to.address), parseUnits('1.5', 6)],
        }),
    ],
    [
      'as the native coin',
      () => wallet().sendTransaction({ to: getAddress(to.address), value: parseEther('1.5') }),
    ],
  ])('pays USDC to a wallet with viem, %s, and waits for confirmations', async (_face, pay) => {
    const before = await reader().getBalance({ address: payer.address });
    const hash = await pay();
    const receipt = await reader().waitForTransactionReceipt({ hash, confirmations: 3 });
    expect(receipt.status).toBe('success');
    const head = await reader().getBlockNumber({ cacheTime: 0 });
    expect(head - receipt.blockNumber).toBeGreaterThanOrEqual(2n);
    const cost = parseEther('1.5') + receipt.gasUsed * receipt.effectiveGasPrice;
    expect(await reader().getBalance({ address: payer.address })).toBe(before - cost);
    expect(await arrivals(hash)).toMatchObject([
      {
        transactionType: 'INBOUND',
        state: 'COMPLETE',
        amounts: ['1.5'],
        sourceAddress: payer.address.toLowerCase(),
        blockHeight: Number(receipt.blockNumber),
      },
    ]);
  });

  it('has what it sends at a time mined in its order', async () => {
    const first = await reader().getTransactionCount({ address: payer.address });
    const raws = await Promise.all([0, 1, 2].map((n) => signed({ nonce: first + n })));
    const answers = (await rpc(...raws)) as { result: Hex }[];
    for (const { result: hash } of answers) {
      expect(await reader().waitForTransactionReceipt({ hash })).toMatchObject({
        status: 'success',
      });
      expect(await arrivals(hash)).toHaveLength(1);
    }
  });

  it('has one of two with the same nonce accepted, and none twice', async () => {
    const nonce = await reader().getTransactionCount({ address: payer.address });
    const raws = await Promise.all([signed({ nonce }), signed({ nonce, value: 2n })]);
    const answers = await Promise.all(raws.map((raw) => rpc(raw)));
    expect(answers.filter((one) => 'result' in (one as object))).toHaveLength(1);
    const again = expect.stringMatching(/^(already known|nonce too low)/);
    expect(answers).toContainEqual(refusal(again));
    expect(await rpc(raws[0] ?? '0x')).toEqual(refusal(again));
  });
});

describe('a transaction that no block may take is refused in a sentence', () => {
  const deploys = { to: undefined, value: 0n } as const;

  it.each<[string, Partial<TransactionSerializableEIP1559>, RegExp]>([
    ['the id of another chain', { chainId: 1 }, /^chainId is 1, and this chain is 5042002$/],
    [
      'a fee under the floor',
      { maxFeePerGas: parseGwei('19') },
      /^max fee per gas 19000000000 is less than the base fee 20000000000$/,
    ],
    ['a nonce too high', { nonce: 1_000 }, /^nonce too high: next nonce \d+, tx nonce 1000$/],
    ['a nonce too low', { nonce: 0 }, /^nonce too low: next nonce \d+, tx nonce 0$/],
    ['too little money', { value: parseEther('20') }, /^insufficient funds for gas \* price/],
    [
      'too little money, as an ERC-20 coin',
      {
        to: usdc,
        value: 0n,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [nativeMover, parseUnits('20', 6)],
        }),
      },
      /^insufficient funds for gas \* price/,
    ],
    ['too much gas', { gas: 16_777_217n }, /^gas is 16777217, and may be 16777216 at most$/],
    [
      'less gas than any transaction needs',
      { gas: 20_999n },
      /^gas is 20999, and .* 21000 at least$/,
    ],
    [
      'less gas than its bytes need',
      { gas: 21_159n, data: `0x${'01'.repeat(4)}` },
      /^gas is 21159, and .* 21160 at least$/,
    ],
    [
      'less gas than a creation needs',
      { ...deploys, data: '0x00', gas: 53_000n },
      /^gas is 53000, and has to be 53006 at least$/,
    ],
    [
      'less gas than its access list needs',
      {
        gas: 25_299n,
        accessList: [{ address: nativeMover, storageKeys: [`0x${'00'.repeat(32)}`] }],
      },
      /^gas is 25299, and has to be 25300 at least$/,
    ],
    [
      'more code than a creation may have',
      { ...deploys, data: `0x${'00'.repeat(49_153)}`, gas: 5_000_000n },
      /^code is 49153 bytes, and may be 49152 at most$/,
    ],
    ['a call of 0xfd', { to: nativeMover }, /^only USDC may call 0xfd$/],
    [
      'code that calls 0xfd',
      { ...deploys, data: '0x5f5f5f5f5f60fd5af1' },
      /^the code calls 0xfd, which only USDC may call$/,
    ],
    [
      'code that calls 0xfd by its whole address',
      { ...deploys, data: `0x5f5f5f5f5f73${nativeMover.slice(2)}5af1` },
      /^the code calls 0xfd, which only USDC may call$/,
    ],
  ])('%s', async (_why, fields, words) => {
    expect(await rpc(await signed(fields))).toEqual(refusal(expect.stringMatching(words)));
  });

  it('a tip that is higher than the whole fee', async () => {
    // The third field is the tip, which no library signs so.
    const fields = fromRlp(sliceHex(await signed(), 1), 'hex') as Hex[];
    const raw = concat(['0x02', toRlp(fields.with(2, toHex(parseGwei('31'))))]);
    const words = 'max priority fee per gas is more than max fee per gas';
    expect(await rpc(raw)).toEqual(refusal(words));
  });

  it('blobs, and less gas than a list of delegations needs', async () => {
    const { type: _, ...fields } = parseTransaction(await signed());
    const common = { ...fields, chainId: arcTestnet.id } as const;
    const blobs = await payer.signTransaction({
      ...common,
      type: 'eip4844',
      maxFeePerBlobGas: 1n,
      blobVersionedHashes: [`0x01${'00'.repeat(31)}`],
    } as never);
    expect(await rpc(blobs)).toEqual(refusal('a transaction with blobs is not taken'));
    const address = getAddress(to.address);
    const authorization = await payer.signAuthorization({ address, chainId: 0, nonce: 99 });
    const delegating = await payer.signTransaction({
      ...common,
      type: 'eip7702',
      gas: 45_999n,
      authorizationList: [authorization],
    } as never);
    expect(await rpc(delegating)).toEqual(refusal('gas is 45999, and has to be 46000 at least'));
    const kind = { ...common, type: 'eip7702', gas: 60_000n } as const;
    const none = await payer.signTransaction({ ...kind, authorizationList: [] } as never);
    const words = 'a transaction with delegations has one at least, and creates no contract';
    expect(await rpc(none)).toEqual(refusal(words));
  });

  it('bytes that nobody has signed', async () => {
    for (const raw of ['0x', '0x1234', 'text' as Hex] as const) {
      expect(await rpc(raw)).toEqual(refusal('the bytes are no signed transaction'));
    }
  });

  it('a payment of the native coin by an account that USDC has blocked', async () => {
    const url = `${sandbox.origin}/_sandbox/blocklist/${payer.address}`;
    await sandbox.request('PUT', url, { headers: {} });
    expect(await rpc(await signed())).toEqual(refusal('Blocked address'));
    await sandbox.request('DELETE', url, { headers: {} });
  });

  it('a payment of the native coin to the zero address, which may be called with nothing', async () => {
    const raw = await signed({ to: zeroAddress });
    expect(await rpc(raw)).toEqual(refusal('Zero address not allowed'));
    expect(await rpc(await signed({ to: zeroAddress, value: 0n }))).toMatchObject({
      result: expect.stringMatching(/^0x/),
    });
  });
});

it('standard error tells what a block leaves out, and why', async () => {
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  // The code computes the address of 0xfd, so that only its trace shows the call.
  const raw = await signed({ to: undefined, value: 0n, data: '0x5f5f5f5f5f60fc6001015af1' });
  const { result: hash } = (await rpc(raw)) as { result: Hex };
  const what = `A block has left out the transaction ${hash} of ${payer.address}`;
  const line = `${what}: only USDC may call 0xfd\n`;
  const spoken = () => said.mock.calls.map(([text]) => String(text));
  for (let look = 0; look < 500 && !spoken().includes(line); look += 1) await rpc('0x');
  expect(spoken()).toContain(line);
  said.mockRestore();
});

it('nobody pays from outside where the setting is off', async () => {
  const url = `${sandbox.origin}/_sandbox/settings`;
  const set = (outsideTransactions: string) =>
    sandbox.request('PATCH', url, { headers: {}, body: { outsideTransactions } });
  const raw = await signed();
  expect((await set('off')).status).toBe(200);
  const message = 'The sandbox offers no eth_sendRawTransaction';
  expect(await rpc(raw)).toMatchObject({ error: { code: -32_601, message } });
  expect((await set('on')).status).toBe(200);
  expect(await rpc(raw)).toMatchObject({ result: expect.stringMatching(/^0x/) });
});

it('reads the next nonce and the chain in one batch', async () => {
  const methods = [
    ['eth_getTransactionCount', [payer.address, 'pending']],
    ['eth_chainId', []],
  ];
  const body = methods.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const answer = await sandbox.request('POST', sandbox.rpcUrl, { headers: {}, body });
  const results = [expect.stringMatching(/^0x\d+$/), '0x4cef52'];
  const told = results.map((result, id) => expect.objectContaining({ id, result }));
  expect(answer.body).toEqual(told);
});
