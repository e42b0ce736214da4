import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { erc20Abi, getAddress, type Hex, parseAbi, parseEventLogs } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { StatementRow } from '../../../../src/books/statement';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { type Scene, startScene } from '../../../cli/receipt/scene';
import { reconciled } from '../../../support/books/reconciled';
import { sendOutside } from '../../../support/chain/outside';
import { blockchain, createWallets, eurc, settled, usdc } from '../../../support/sandbox';
import {
  type Authorization,
  authorizationOf,
  callOf,
  dataOf,
  signedBy,
  usdcDomain,
} from './authorization';

// Source: a support ticket of hamiha70/x402-escrow, and MoonWalk's live record of 29 July 2026.

const outside = privateKeyToAccount(generatePrivateKey());
const amount = '2.5';

let scene: Scene;
let eoa: Wallet;
let sca: Wallet;
let carrier: Wallet;
let payee: Wallet;
beforeAll(async () => {
  scene = await startScene();
  const { sandbox } = scene;
  [eoa, sca] = [await sandbox.usedWallet('EOA'), await sandbox.usedWallet('SCA')];
  carrier = await sandbox.usedWallet('EOA');
  [payee] = (await createWallets(sandbox.client)) as [Wallet];
  const drip = { address: outside.address, blockchain, usdc: true };
  await sandbox.client.requestDrip(drip);
});
afterAll(() => scene.stop());

const chain = () => scene.sandbox.chain.client;

/** Sends a call of a coin from an account with a key of its own. */
async function sendByOutside(to: string, data: Hex): Promise<Hex> {
  const { address } = outside;
  const raw = await outside.signTransaction({
    type: 'eip1559',
    chainId: usdcDomain.chainId,
    nonce: await chain().getTransactionCount({ address }),
    to: getAddress(to),
    gas: 200_000n,
    maxFeePerGas: 50_000_000_000n,
    maxPriorityFeePerGas: 1n,
    data,
  });
  return sendOutside(scene.sandbox, raw);
}

/** Has a wallet of the service carry out a signed payment. Returns the record. */
async function executeBy(wallet: Wallet, message: Authorization, signature: Hex) {
  const { id } = await scene.sandbox.client.executeContract({
    idempotencyKey: randomUUID(),
    walletId: wallet.id,
    contractAddress: usdc,
    ...callOf(message, signature),
    feeLevel: 'MEDIUM',
  });
  return settled(scene.sandbox.client, id);
}

/** Has an order of ours carry it out. Returns the hash. */
async function orderedBy(wallet: Wallet, message: Authorization, signature: Hex): Promise<Hex> {
  const { txHash } = await scene.orders.steadfast.execute(
    'executeContract',
    `execute:${randomUUID()}`,
    { walletId: wallet.id, contractAddress: eurc, ...callOf(message, signature) },
  );
  return txHash as Hex;
}

/** The rows of a statement about one transaction. */
async function statementOf(wallet: Wallet, txHash: Hex): Promise<StatementRow[]> {
  const path = scene.path(`${wallet.id}.jsonl`);
  const period = ['--from', '2020-01-01', '--out', path];
  const { code, told } = await scene.steadfast('statement', '--wallet', wallet.id, ...period);
  if (code !== 0) throw new Error(told);
  const rows: StatementRow[] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return rows.filter((row) => row.txHash === txHash);
}

type Way = {
  payer: () => Wallet;
  token: 'USDC' | 'EURC';
  /** Returns the hash of the transaction. */
  carryOut: (message: Authorization, signature: Hex) => Promise<Hex>;
  /** The row of the gas in a reconciliation, where a wallet of ours has paid it. */
  gas: string[];
};

const ways: [string, Way][] = [
  [
    'USDC of an EOA, by an account that is not of the service',
    {
      payer: () => eoa,
      token: 'USDC',
      carryOut: (message, signature) => sendByOutside(usdc, dataOf(message, signature)),
      gas: [],
    },
  ],
  [
    'USDC of an SCA, by another wallet of the service',
    {
      payer: () => sca,
      token: 'USDC',
      carryOut: async (message, signature) =>
        (await executeBy(carrier, message, signature)).txHash as Hex,
      gas: ['moved by somebody else'],
    },
  ],
  [
    'EURC of an EOA, by an order of ours for another wallet',
    {
      payer: () => eoa,
      token: 'EURC',
      carryOut: (message, signature) => orderedBy(carrier, message, signature),
      gas: ['matched'],
    },
  ],
];

describe.each(ways)('a payment that a wallet has signed (field B 3): %s', (_name, way) => {
  let txHash: Hex;
  let payer: Wallet;
  beforeAll(async () => {
    payer = way.payer();
    const own = { ...usdcDomain, name: 'EURC', verifyingContract: eurc };
    const domain = way.token === 'USDC' ? usdcDomain : own;
    const message = authorizationOf(payer, payee);
    const signature = await signedBy(scene.sandbox.client, payer, { message, domain });
    txHash = await way.carryOut(message, signature);
  });

  const sides = () => ({ from: getAddress(payer.address), to: getAddress(payee.address) });

  it('is one movement of its coin on the chain', async () => {
    const { logs, status } = await chain().getTransactionReceipt({ hash: txHash });
    const token = way.token === 'USDC' ? usdc : eurc;
    const own = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).filter(
      ({ address }) => getAddress(address) === getAddress(token),
    );
    expect(status).toBe('success');
    expect(own).toMatchObject([{ args: { ...sides(), value: 2_500_000n } }]);
  });

  it('has one record in the list of the service: what the payee has received', async () => {
    const { transactions } = await scene.sandbox.client.listTransactions({ txHash });
    const received = transactions.filter((one) => one.transactionType === 'INBOUND');
    expect(received).toMatchObject([
      {
        walletId: payee.id,
        sourceAddress: payer.address,
        destinationAddress: payee.address,
        amounts: [amount],
      },
    ]);
    expect(transactions.filter((one) => one.walletId === payer.id)).toEqual([]);
  });

  it('is one row in the statements of payer and payee, and costs the payer no gas', async () => {
    const { token } = way;
    expect(await statementOf(payer, txHash)).toMatchObject([
      { row: 'out', amount, token, counterparty: payee.address, txHash },
    ]);
    expect(await statementOf(payee, txHash)).toMatchObject([
      { row: 'in', amount, token, counterparty: payer.address, txHash },
    ]);
    const gas = way.gas.map(() => ({ row: 'fee', token: 'USDC' }));
    expect(await statementOf(carrier, txHash)).toMatchObject(gas);
  });

  it('is one row of a reconciliation, moved by somebody else, since no order has sent it', async () => {
    const { code, findings } = await reconciled(scene);
    const own = findings.filter((one) => one.txHash === txHash);
    const isPayment = (one: (typeof own)[number]) => one.counterparty === payee.address;
    expect(code).toBe(3);
    expect(own.filter(isPayment)).toMatchObject([
      {
        class: 'moved by somebody else',
        wallet: payer.address,
        amount,
        token: way.token,
        why: expect.stringContaining('a movement of which the service has no record'),
      },
    ]);
    expect(own.filter((one) => !isPayment(one)).map((one) => one.class)).toEqual(way.gas);
  });
});

describe('a payment that a wallet has signed is refused, and moves nothing (field B 3)', () => {
  /** The coins of payer and payee. */
  const held = async () =>
    Promise.all([eoa, payee].map(({ address }) => chain().getBalance({ address: address as Hex })));

  const another = { ...usdcDomain, chainId: 1 };
  const earlier = { ...usdcDomain, version: '1' };
  const ofEurc = { ...usdcDomain, verifyingContract: eurc };
  const spent = 'FiatTokenV2: authorization is used or canceled';
  const unsigned = 'FiatTokenV2: invalid signature';

  it.each<[string, Partial<Authorization>, object, string]>([
    ['expired', { validBefore: '1' }, usdcDomain, 'FiatTokenV2: authorization is expired'],
    [
      'not yet valid',
      { validAfter: '4102444799' },
      usdcDomain,
      'FiatTokenV2: authorization is not yet valid',
    ],
    ['signed for another chain', {}, another, unsigned],
    ['signed for another version of the coin', {}, earlier, unsigned],
    ['signed for another coin', {}, ofEurc, unsigned],
  ])('%s', async (_why, change, domain, words) => {
    const message = authorizationOf(eoa, payee, change);
    const signature = await signedBy(scene.sandbox.client, eoa, { message, domain });
    await expectRefused(message, signature, words);
  });

  it('used twice', async () => {
    const message = authorizationOf(eoa, payee);
    const signature = await signedBy(scene.sandbox.client, eoa, { message });
    expect(await executeBy(carrier, message, signature)).toMatchObject({ state: 'COMPLETE' });
    await expectRefused(message, signature, spent);
  });

  it('of more than the payer has', async () => {
    const message = authorizationOf(eoa, payee, { value: '900000000' });
    const signature = await signedBy(scene.sandbox.client, eoa, { message });
    const before = await held();
    expect(await executeBy(carrier, message, signature)).toMatchObject({
      state: 'FAILED',
      errorReason: 'ESTIMATION_ERROR',
      errorDetails: 'ERC20: transfer amount exceeds balance',
    });
    expect(await held()).toEqual(before);
  });

  it('used twice at once: one of two is carried out', async () => {
    const message = authorizationOf(eoa, payee);
    const signature = await signedBy(scene.sandbox.client, eoa, { message });
    const [from = 0n, to = 0n] = await held();
    const records = await Promise.all(
      [carrier, sca].map((by) => executeBy(by, message, signature)),
    );
    expect(records.map(({ state }) => state).sort()).toEqual(['COMPLETE', 'FAILED']);
    expect(await held()).toEqual([from - 25n * 10n ** 17n, to + 25n * 10n ** 17n]);
  });

  async function expectRefused(message: Authorization, signature: Hex, words: string) {
    const before = await held();
    const call = callOf(message, signature);
    const asked = { walletId: carrier.id, contractAddress: usdc, ...call };
    const reason = expect.stringContaining(words);
    expect(
      await scene.sandbox.request('POST', 'transactions/contractExecution/estimateFee', {
        body: asked,
      }),
    ).toMatchObject({ status: 400, body: { message: reason } });
    const record = await executeBy(carrier, message, signature);
    const failed = { state: 'FAILED', errorReason: 'ESTIMATION_ERROR', errorDetails: reason };
    expect(record).toMatchObject(failed);
    const hash = await sendByOutside(usdc, dataOf(message, signature));
    const receipt = await chain().getTransactionReceipt({ hash });
    expect(receipt).toMatchObject({ status: 'reverted', logs: [] });
    expect((await scene.sandbox.client.listTransactions({ txHash: hash })).transactions).toEqual(
      [],
    );
    expect(await held()).toEqual(before);
    const isUsed = await chain().readContract({
      address: usdc,
      abi: parseAbi(['function authorizationState(address, bytes32) view returns (bool)']),
      functionName: 'authorizationState',
      args: [getAddress(message.from), message.nonce],
    });
    expect(isUsed).toBe(words === spent);
  }
});
