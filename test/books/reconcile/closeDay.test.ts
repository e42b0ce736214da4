import { encodeAbiParameters, pad, parseAbiParameters, toEventSelector, toHex } from 'viem';
import type { ChainNode, WholeBlock } from '../../../src/books/chain/node';
import { withEarlier } from '../../../src/books/chain/period';
import { closeDay } from '../../../src/books/reconcile/closeDay';
import { periodOfDay } from '../../../src/orders/schedule/dailyClose';
import {
  blockWith,
  closing,
  none,
  opening,
  period,
  quietCustody,
  quietNode,
  wallet,
} from '../../support/books/quietDay';

/** A quiet day on a long chain. The wallet has lost a token, and no log tells so. */
function nodeThat(keepsStateOf: ChainNode['keepsStateOf']): ChainNode {
  const balance: ChainNode['balance'] = async ({ name }, _, block) =>
    name === 'EURC' && block <= opening ? 7n : 0n;
  return { ...quietNode, balance, keepsStateOf };
}

function closed(node: ChainNode) {
  const custody = quietCustody();
  const asked = { custody, node, blockchain: 'ARC-TESTNET', period, orders: none() };
  return closeDay({ ...asked, day: '2026-01-31', timeZone: 'UTC', closing });
}

describe('a close whose wallets hold less than their movements make', () => {
  it('names the difference where the node keeps both states', async () => {
    expect(await closed(nodeThat(async () => true))).toMatchObject({
      isBalanced: false,
      summary: expect.stringContaining('EURC that no movement explains'),
    });
  });

  it.each([
    ['closing', closing],
    ['opening', opening],
  ])('says that nothing was compared where it lacks the %s state', async (_, lacking) => {
    const { isBalanced, summary } = await closed(nodeThat(async (block) => block !== lacking));
    expect(isBalanced).toBe(false);
    expect(summary).toBe(
      '2026-01-31 is closed at block 600000, and a person has to look: no payments. Not looked ' +
        'at: balances, since the node of CHAIN_RPC_URL keeps no old states (give an archive node).',
    );
  });

  it('is not made while the node does not tell if it has a state', async () => {
    const silent = nodeThat(async (block) => {
      if (block === closing) throw new Error('Too many requests.');
      return true;
    });
    await expect(closed(silent)).rejects.toThrow('Too many requests.');
  });
});

/** A transaction of a stranger, whose contract logs that a wallet has lost many items. */
function manyItems(count: number): WholeBlock {
  const [contract, stranger] = [`0x${'c'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const;
  const ids = Array.from({ length: count }, (_, id) => BigInt(id));
  const lists = parseAbiParameters('uint256[], uint256[]');
  const topic = toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])');
  const topics = [topic, pad(stranger), pad(wallet), pad(stranger)];
  const data = encodeAbiParameters(lists, [ids, ids.map(() => 1n)]);
  const log = { address: contract, topics, data };
  const sent = { hash: toHex(1n), from: stranger, to: contract, log };
  return blockWith(sent, { number: closing, timeMs: period.fromMs });
}

test('a close of a day on which a stranger logs very many items is small enough to keep', async () => {
  const own = manyItems(11_000);
  const blocks: ChainNode['blocks'] = async (numbers) => (numbers.includes(closing) ? [own] : []);
  const result = await closed({ ...quietNode, blocksWith: async () => [closing], blocks });
  expect(JSON.stringify(result).length).toBeLessThan(500_000);
  expect(result.balances).toHaveLength(500);
  expect(result).toMatchObject({ isBalanced: true, counts: { 'false log': 11_000 }, sums: {} });
  expect(result.notLookedAt).toContain(
    'balances of 10500 more tokens and items that are not listed',
  );
});

test.each([
  ['Europe/Berlin', 25],
  ['Antarctica/Troll', 26],
])(
  'a close after the day on which clocks go back in %s looks at all of its %d hours',
  (timeZone, hours) => {
    const [before, closing] = ['2026-10-25', '2026-10-26'].map((day) =>
      periodOfDay({ day, timeZone }),
    );
    if (before === undefined || closing === undefined) throw new Error('There is no such day.');
    expect(before.untilMs - before.fromMs).toBe(hours * 3_600_000);
    expect(withEarlier(closing).fromMs).toBeLessThanOrEqual(before.fromMs);
  },
);
