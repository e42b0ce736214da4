import { readFileSync, writeFileSync } from 'node:fs';
import { openArchive } from '../../../src/books/archive/openArchive';
import type { ArchivedReceipt } from '../../../src/books/receipt';
import { linesOf, newLines, openedPayout, payers, payoutOf } from '../../support/payouts';
import { usdc } from '../../support/sandbox';
import { type ServiceProxy, startProxy } from '../../support/service/proxy';
import { someone } from '../../support/stages';
import { forged, receiptsOf, type Scene, startScene } from './scene';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

let ids = 0;

async function transferred(
  type: 'EOA' | 'SCA',
  change: { token?: string; amount?: string } = {},
): Promise<ArchivedReceipt> {
  const { sandbox, orders } = scene;
  const wallet = await sandbox.fundedWallet(type);
  ids += 1;
  const id = `transfer:receipt-${ids}`;
  const order = { amount: '1.25', token: 'USDC', reference: `invoice-${ids}`, ...change };
  const from = { walletId: wallet.id };
  await orders.steadfast.execute('transferStablecoin', id, { from, to: someone(), ...order });
  const [receipt] = await scene.receipts(id);
  if (receipt === undefined) throw new Error(`${id} has no receipt.`);
  return receipt;
}

const types = ['EOA', 'SCA'] as const;

describe.each(types)('the receipt of a transfer of an %s', (type) => {
  it.each(['USDC', 'native'])('is proven from the chain alone: %s', async (token) => {
    const receipt = await transferred(type, { token });
    expect(await scene.verify(receipt)).toMatchObject({ code: 0 });
    expect(receipt).toMatchObject({
      order: { kind: 'transferStablecoin', reference: `invoice-${ids}` },
      outcome: 'completed',
      money: { amount: '1.25', token: { name: token } },
      chain: { chainId: 5042002 },
      place: 1,
    });
    expect(receipt.chain.logIndex).toEqual(token === 'USDC' ? expect.any(Number) : undefined);
  });
});

describe('the receipts of a payout', () => {
  it.each([{ linesMax: 4 }, false as const])(
    'are one for each line, chained, and proven: batch %j',
    async (batch) => {
      const { sandbox, orders } = scene;
      const lines = newLines(7);
      const order = payoutOf(await payers(sandbox, 'EOA', 'SCA'), { lines, batch });
      const { workflowId, handle } = await openedPayout(orders, order);
      await handle.result();
      const receipts = await scene.receipts(workflowId);
      expect(receipts.map(({ item }) => item).sort()).toEqual(
        lines.map((one) => one.lineId).sort(),
      );
      const byPlace = receipts.toSorted((one, other) => one.place - other.place);
      expect(byPlace.map(({ previous }) => previous)).toEqual([
        '',
        ...byPlace.slice(0, -1).map(({ hash }) => hash),
      ]);
      const results = await linesOf(orders, workflowId);
      expect(Object.fromEntries(receipts.map((one) => [one.item, one.chain.txHash]))).toEqual(
        Object.fromEntries(results.map(({ lineId, txHash }) => [lineId, txHash])),
      );
      expect(new Set(receipts.map(({ chain }) => `${chain.txHash} ${chain.logIndex}`)).size).toBe(
        7,
      );
      expect(receipts.some((one) => one.batch !== undefined)).toBe(batch !== false);
      expect(await scene.verify(receipts)).toMatchObject({ code: 0 });
    },
  );
});

describe('a receipt that is not true', () => {
  let receipt: ArchivedReceipt;
  beforeAll(async () => {
    receipt = await transferred('EOA');
  });

  it('is refused with one byte changed, by its hash and by the chain', async () => {
    const { money } = receipt;
    if (money === undefined) throw new Error('It moved nothing.');
    const changed = { ...receipt, money: { ...money, amount: '9.25' } };
    const { code, told } = await scene.verify(changed);
    expect(code).toBe(1);
    expect(told).toContain('hash: the receipt was changed');
    expect(told).toContain('amount: 9.25 is not 1250000 base units');
  });

  type Chain = ArchivedReceipt['chain'];
  type Money = NonNullable<ArchivedReceipt['money']>;
  const forgeries: readonly (readonly [string, (chain: Chain, money: Money) => object, RegExp])[] =
    [
      [
        'the amount',
        (_, money) => ({ money: { ...money, amount: '2', baseUnits: '2000000' } }),
        /moved 1250000/,
      ],
      ['the recipient', (_, money) => ({ money: { ...money, to: someone() } }), /money: it moved/],
      [
        'the token',
        (_, money) => ({
          money: { ...money, token: { ...money.token, decimals: 7 }, baseUnits: '12500000' },
        }),
        /decimals: the token has 6/,
      ],
      ['the sender', () => ({ sender: someone() }), /was not sent by|sender: it was done by/],
      ['the log', (chain) => ({ chain: { ...chain, logIndex: 77 } }), /logIndex: the log 77/],
      [
        'the block',
        (chain) => ({ chain: { ...chain, blockNumber: 1 } }),
        /blockNumber: it is in block/,
      ],
      ['the time', () => ({ time: '2020-01-01T00:00:00.000Z' }), /time: the block is of/],
      ['the fee', () => ({ fee: { baseUnits: '1', lines: 1 } }), /fee: it was/],
      [
        'the hash',
        (chain) => ({ chain: { ...chain, txHash: `0x${'1'.repeat(64)}` } }),
        /is in no block/,
      ],
    ];

  it.each(forgeries)('names %s, though its own hash fits', async (_, change, fault) => {
    const { chain, money } = receipt;
    if (money === undefined) throw new Error('It moved nothing.');
    const { code, told } = await scene.verify(forged(receipt, change(chain, money)));
    expect(told).toMatch(fault);
    expect(code).toBe(1);
  });

  it('tells its token and contract, and names the one log of two receipts', async () => {
    const other = forged(receipt, { item: '2' });
    const { code, told } = await scene.verify([receipt, other]);
    expect(told).toContain(`: 1.25 USDC (contract ${receipt.money?.token.address}) to 0x`);
    const first = `${receipt.order.id} transfer/1`;
    expect(told).toContain(`the same log as the receipt of ${first}: that is one payment.`);
    expect(code).toBe(0);
  });

  it('cannot be told where it is of a failure that was never sent', async () => {
    const { chainId, blockchain } = receipt.chain;
    const denied = forged(receipt, { outcome: 'failed', chain: { chainId, blockchain } });
    const { code, told } = await scene.verify(denied);
    expect(told).toContain('txHash: there is none, so that no block has it');
    expect(code).toBe(3);
  });

  it('is proven on the node of the environment without a flag', async () => {
    const file = scene.path('one.json');
    writeFileSync(file, JSON.stringify(receipt));
    const verified = () => scene.steadfast('receipt', 'verify', file);
    expect(await verified()).toMatchObject({ code: 0 });
    for (const [value, words] of [
      ['', '--rpc: is missing, and CHAIN_RPC_URL is not set'],
      ['nowhere', 'CHAIN_RPC_URL: must be a URL'],
    ] as const) {
      scene.env.CHAIN_RPC_URL = value;
      expect(await verified()).toEqual({ code: 2, told: expect.stringContaining(words) });
    }
    delete scene.env.CHAIN_RPC_URL;
  });

  it('is bad input when it is not JSON, with the line where there are several', async () => {
    const path = scene.path('broken.json');
    const text = JSON.stringify(receipt);
    for (const [broken, where] of [
      [JSON.stringify(receipt, null, 2).slice(0, -40), `${path}: is not JSON.`],
      [`${text}\n${text.slice(0, -9)}\n`, 'line 2: is not JSON.'],
    ] as const) {
      writeFileSync(path, broken);
      const { code, told } = await scene.steadfast('receipt', 'verify', path);
      expect({ code, told }).toEqual({ code: 2, told: expect.stringContaining(where) });
    }
  });

  it('is bad input when it is no receipt', async () => {
    const { code, told } = await scene.verify({ ...receipt, key: '', sender: 'somebody' });
    expect(code).toBe(2);
    expect(told).toContain('is no receipt: sender: must be an address');
    expect((await scene.steadfast('receipt', 'verify', '/nowhere.json', '--rpc', 'x')).code).toBe(
      2,
    );
  });
});

/** A transfer that was reverted, which its receipt tells. */
async function reverted(): Promise<ArchivedReceipt> {
  const { sandbox, orders } = scene;
  const wallet = await sandbox.fundedWallet('EOA');
  await sandbox.plan('failOnChain');
  ids += 1;
  const id = `transfer:reverted-${ids}`;
  const order = { from: { walletId: wallet.id }, to: someone(), amount: '1', token: usdc };
  await expect(orders.steadfast.execute('transferStablecoin', id, order)).rejects.toThrow();
  const [receipt] = await scene.receipts(id);
  if (receipt === undefined) throw new Error(`${id} has no receipt.`);
  return receipt;
}

type Answer = { result?: { status?: string; logs?: object[] } | object[] | null };

describe('a node that lies', () => {
  let node: ServiceProxy;
  let url: string;
  let receipt: ArchivedReceipt;
  beforeAll(async () => {
    receipt = await reverted();
    node = await startProxy();
    node.forwardTo(scene.sandbox.rpcUrl);
    url = new URL(new URL(scene.sandbox.rpcUrl).pathname, node.baseUrl).href;
  });
  afterAll(() => node.close());

  /** Says that every transaction of the chain has succeeded. */
  const flatter = (text: string): string => text.replaceAll('"status":"0x0"', '"status":"0x1"');
  const claim = () => {
    const { money: _, ...rest } = forged(receipt, { outcome: 'completed' });
    return forged(rest, {});
  };

  it('is not needed to see that a transaction was reverted', async () => {
    expect(receipt.outcome).toBe('failed');
    expect(await scene.verify(receipt)).toMatchObject({ code: 0 });
    const { code, told } = await scene.verify(claim());
    expect(code).toBe(1);
    expect(told).toContain('outcome: it was reverted on the chain, the receipt says completed');
  });

  it('contradicts the root in the header of its block', async () => {
    node.lie = (_, text) => ({ text: flatter(text) });
    const { code, told } = await scene.verify(claim(), url);
    expect(code).toBe(3);
    expect(told).toContain('The node contradicts itself: the receipts of block');
  });

  it('is found out by a second node if it hides the rest of the block', async () => {
    const hiding = (one: Answer): Answer =>
      Array.isArray(one.result) ? { ...one, result: null } : one;
    node.lie = (_, text) => {
      const told: Answer | Answer[] = JSON.parse(text);
      const hidden = Array.isArray(told) ? told.map(hiding) : hiding(told);
      return { text: flatter(JSON.stringify(hidden)) };
    };
    const alone = await scene.verify(claim(), url);
    expect(alone).toMatchObject({ code: 0 });
    expect(alone.told).toContain('The node does not show the receipts of whole blocks');
    const { code, told } = await scene.verify(claim(), url, scene.sandbox.rpcUrl);
    expect(code).toBe(3);
    expect(told).toContain('The nodes disagree');
  });

  it('is not believed about a transaction whose fields do not have its hash', async () => {
    node.lie = (_, text) => ({ text: text.replace(/"nonce":"0x\w+"/, '"nonce":"0x77"') });
    const { code, told } = await scene.verify(receipt, url);
    expect(code).toBe(3);
    expect(told).toContain('that do not have this hash');
  });

  it('tells nothing while it is away', async () => {
    expect(await scene.verify(receipt, 'http://127.0.0.1:1')).toMatchObject({ code: 3 });
  });
});

describe('the command receipt', () => {
  it('prints a receipt that receipt verify takes, and a page for the payee', async () => {
    const { order } = await transferred('EOA');
    const { code, told } = await scene.steadfast('receipt', order.id);
    expect(code).toBe(0);
    expect(await scene.verify(JSON.parse(told))).toMatchObject({ code: 0 });
    const page = scene.path('receipt.html');
    expect(await scene.steadfast('receipt', order.id, '--html', page)).toMatchObject({ code: 0 });
    expect(readFileSync(page, 'utf8')).toContain('<h2>1.25 USDC</h2>');
  });

  it('says where an order without a receipt may be found', async () => {
    const { code, told } = await scene.steadfast('receipt', 'transfer:unheard-of');
    expect(code).toBe(2);
    expect(told).toContain('The archive has no receipt of transfer:unheard-of');
  });

  it('checks the whole archive, up to its head', async () => {
    const { code, told } = await scene.steadfast('archive', 'verify');
    expect(code).toBe(0);
    const [, head = ''] = /head is (\S+)/.exec(told) ?? [];
    expect((await scene.steadfast('archive', 'verify', '--head', head)).code).toBe(0);
    const later = head.replace(/^\d+/, (row) => `${Number(row) + 1}`);
    expect((await scene.steadfast('archive', 'verify', '--head', later)).told).toContain(
      'It ends at',
    );
  });
});

describe('an archive that was off', () => {
  /** All that is the same whoever writes the receipt. */
  function essence({ order, money, chain, fee, ...one }: ArchivedReceipt) {
    const { key, refId, step, item, generation, transactionId, outcome, kind, batch, time } = one;
    // Nobody but the run itself has told these.
    const { reference: _, linesDigest: __, ...own } = order;
    const moved = money && { ...money, token: { ...money.token, name: '' } };
    const same = {
      ...own,
      key,
      refId,
      step,
      item,
      generation,
      transactionId,
      outcome,
      kind,
      batch,
    };
    return JSON.parse(JSON.stringify({ ...same, time, moved, chain, fee }).toLowerCase());
  }
  const byWrite = (one: { key: string; item: string }, other: { key: string; item: string }) =>
    `${one.key}${one.item}` < `${other.key}${other.item}` ? -1 : 1;

  it('gets the same receipts from the service, the chain and Temporal, once', async () => {
    const store = `file:${scene.path('rebuilt.db')}`;
    scene.env = { STEADFAST_STORE: store };
    const { code, told } = await scene.steadfast('archive', 'rebuild');
    expect(told).toMatch(/Added: \d+ receipts/);
    expect(code).toBe(0);
    const again = await scene.steadfast('archive', 'rebuild', '--from', '2020-01-01', '--json');
    expect(JSON.parse(again.told)).toMatchObject({ added: 0, unnamed: [] });
    const archive = await openArchive(store);
    const rebuilt = (await receiptsOf(archive, {})).map(essence).sort(byWrite);
    const before = (await receiptsOf(scene.archive, {})).map(essence).sort(byWrite);
    expect(rebuilt).toEqual(before);
    expect(await scene.verify(await receiptsOf(archive, {}))).toMatchObject({ code: 0 });
    await archive.close();
    scene.env = {};
  });
});
