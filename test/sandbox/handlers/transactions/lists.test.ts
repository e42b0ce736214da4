import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { finalState } from '../../../../src/custody/objects/state';
import type { Transaction } from '../../../../src/custody/objects/transaction';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import {
  blockchain,
  createWallets,
  eurc,
  inSandbox,
  transferOf,
  usdc,
} from '../../../support/sandbox';
import { seeded } from '../../../support/seeded';

const sandbox = inSandbox();

const none = '0x000000000000000000000000000000000000dEaD';

describe('a client that follows the links', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'sees every wallet once while others are being made (seed %i)',
    async (seed) => {
      const random = seeded(seed);
      const [first] = await createWallets(sandbox.client, { count: 1 + random(30) });
      const walletSetId = first?.walletSetId ?? '';
      const addWallets = () =>
        sandbox.client.createWallets({
          idempotencyKey: randomUUID(),
          walletSetId,
          blockchains: [blockchain],
          count: 1 + random(3),
        });
      const before = await idsOf(walletSetId);
      const order = random(2) === 0 ? 'ASC' : 'DESC';
      const seen: string[] = [];
      let url = `wallets?walletSetId=${walletSetId}&order=${order}&pageSize=${1 + random(7)}`;
      for (let page = 0; url !== ''; page += 1) {
        const answer = await get(url);
        seen.push(...answer.ids);
        if (page < 4) await addWallets();
        url = answer.links.next ?? '';
      }
      expect(new Set(seen).size).toBe(seen.length);
      // The newest first ends at what was there. The oldest first meets what has come since.
      const expected = order === 'DESC' ? before : (await idsOf(walletSetId)).toReversed();
      expect(seen).toEqual(expected);
    },
  );

  it('comes back over the same pages', async () => {
    const [wallet] = await createWallets(sandbox.client, { count: 7 });
    const pages = [await get(`wallets?walletSetId=${wallet?.walletSetId}&pageSize=3`)];
    for (let next = pages[0]?.links.next; next !== undefined; next = pages.at(-1)?.links.next) {
      pages.push(await get(next));
    }
    expect(pages.map(({ ids }) => ids.length)).toEqual([3, 3, 1]);
    const back = [await get(pages[2]?.links.prev ?? '')];
    back.push(await get(back[0]?.links.prev ?? ''));
    expect(back.map(({ ids }) => ids)).toEqual([pages[1]?.ids, pages[0]?.ids]);
    expect(back[1]?.links.prev).toBeUndefined();
    expect(back[1]?.links.next).toBe(pages[0]?.links.next);
  });

  it('finds self and first on the one page of a short list, and no other', async () => {
    const { baseUrl } = sandbox;
    const refId = randomUUID();
    const { links } = await get(`wallets?refId=${refId}&order=ASC`);
    expect(links).toEqual({
      self: `${baseUrl}/wallets?refId=${refId}&order=ASC`,
      first: `${baseUrl}/wallets?refId=${refId}&order=ASC&pageSize=10`,
    });
  });

  it('gets links at every list', async () => {
    const wallet = await sandbox.fundedWallet();
    const lists = ['walletSets', 'wallets', 'transactions', 'contracts'];
    for (const url of [...lists, `wallets/${wallet.id}/balances`]) {
      const { links } = await get(url);
      expect(links.self).toBe(`${sandbox.baseUrl}/${url}`);
    }
    const { ids, links } = await get(`wallets/${wallet.id}/balances?pageSize=2`);
    expect(ids).toHaveLength(2);
    expect((await get(links.next ?? '')).ids).toHaveLength(1);
  });
});

describe('a page is refused', () => {
  const unknown = randomUUID();
  it.each([
    ['of size 0', 'wallets?pageSize=0', 400, 2],
    ['of a negative size', 'wallets?pageSize=-1', 400, 2],
    ['of a size that is no number', 'wallets?pageSize=ten', 400, 2],
    ['before and after', `wallets?pageAfter=${unknown}&pageBefore=${unknown}`, 400, 2],
    ['from a date that is none', 'wallets?from=yesterday', 400, 2],
    ['to a date that is none', 'wallets?to=2026-13-01', 400, 2],
    ['in an order that is none', 'wallets?order=UP', 400, 2],
    ['after what is no UUID', 'wallets?pageAfter=last', 400, 156014],
    ['after what is not known', `wallets?pageAfter=${unknown}`, 404, 156012],
    ['before what is not known', `transactions?pageBefore=${unknown}`, 404, 156012],
    ['of contracts after what is not known', `contracts?pageAfter=${unknown}`, 404, 175408],
    ['of contracts after what is no UUID', 'contracts?pageAfter=last', 404, 175408],
    ['of a state that is none', 'transactions?state=LOST', 400, 2],
    ['of a type that is none', 'transactions?txType=BOTH', 400, 155227],
    ['of wallets that have no UUID', 'transactions?walletIds=one', 400, 2],
    ['of a chain that nobody knows', 'transactions?blockchain=MOON', 400, 2],
  ])('%s', async (_what, url, status, code) => {
    const answer = await sandbox.request('GET', url);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { code } });
  });

  it('never for being large: it is one of 50', async () => {
    const [wallet] = await createWallets(sandbox.client, { count: 60 });
    const { ids } = await get(`wallets?walletSetId=${wallet?.walletSetId}&pageSize=1000`);
    expect(ids).toHaveLength(50);
  });
});

describe('the list of transactions', () => {
  let all: Transaction[];
  let senders: Wallet[];
  beforeAll(async () => {
    senders = await Promise.all((['SCA', 'EOA'] as const).map((type) => sandbox.usedWallet(type)));
    const made: string[] = [];
    for (const [index, sender] of [...senders, ...senders].entries()) {
      const to = index % 2 === 0 ? none : (senders[0]?.address ?? '');
      const amounts = index === 3 ? ['1000'] : ['0.5'];
      const order = transferOf(sender, to, { amounts });
      made.push((await sandbox.client.createTransfer(order)).id);
      // Until its first transaction is on its way, an SCA takes no other.
      if (index < senders.length) await sandbox.settled(made.at(-1) ?? '');
      const { id } = await sandbox.client.executeContract({
        idempotencyKey: randomUUID(),
        walletId: sender.id,
        contractAddress: usdc,
        abiFunctionSignature: 'approve(address,uint256)',
        abiParameters: [none, '1'],
        feeLevel: 'LOW',
      });
      made.push(id);
    }
    await Promise.all(made.map((id) => sandbox.settled(id)));
    do {
      all = (await sandbox.client.listTransactions({ pageSize: 50 })).transactions;
      await sleep(20);
    } while (!all.every(({ state }) => finalState(state)));
  });

  it('holds the records as they are told one by one, newest first', async () => {
    expect(all.length).toBeGreaterThanOrEqual(8);
    const one = all.map(({ id }) => sandbox.client.getTransaction({ id }));
    expect((await Promise.all(one)).map(({ transaction }) => transaction)).toEqual(all);
    expect(all.map(({ createDate }) => createDate)).toEqual(
      all
        .map(({ createDate }) => createDate)
        .toSorted()
        .toReversed(),
    );
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is filtered in every combination (seed %i)', async (seed) => {
    const random = seeded(seed);
    for (let round = 0; round < 25; round += 1) {
      const model = all[random(all.length)];
      const filters = Object.fromEntries(
        Object.entries({
          blockchain: model?.blockchain,
          custodyType: 'DEVELOPER',
          destinationAddress: model?.destinationAddress?.toUpperCase().replace('0X', '0x'),
          operation: model?.operation,
          state: model?.state,
          txHash: model?.txHash,
          txType: model?.transactionType,
          walletIds: random(2) === 0 ? model?.walletId : senders.map(({ id }) => id).join(','),
          from: model?.createDate,
          to: model?.createDate,
          includeAll: true,
        }).filter(([, value]) => value !== undefined && random(3) === 0),
      );
      const { transactions } = await sandbox.client.listTransactions({ ...filters, pageSize: 50 });
      const expected = all.filter((one) => passes(one, filters));
      expect({ filters, ids: transactions.map(({ id }) => id) }).toEqual({
        filters,
        ids: expected.map(({ id }) => id),
      });
    }
  });

  it.each(['COMPLETE', 'FAILED', 'SENT', 'PENDING', 'CONFIRMED'])(
    'takes the word %s for a state',
    async (state) => {
      const { transactions } = await sandbox.client.listTransactions({ state, pageSize: 50 });
      expect(transactions).toEqual(all.filter((one) => one.state === state));
    },
  );

  it.each([{ custodyType: 'ENDUSER' as const }, { blockchain: 'ETH-SEPOLIA' }])(
    'is empty for %j',
    async (filter) => {
      const { transactions } = await sandbox.client.listTransactions(filter);
      expect(transactions).toEqual([]);
    },
  );

  it('finds ids in upper case too', async () => {
    const [first, second] = all;
    const id = first?.id.toUpperCase() ?? '';
    const walletIds = senders.map(({ id }) => id.toUpperCase()).join(',');
    expect(await sandbox.client.getTransaction({ id })).toEqual({ transaction: first });
    const next = await sandbox.client.listTransactions({ pageAfter: id, pageSize: 1 });
    expect(next.transactions).toEqual([second]);
    const previous = { pageBefore: second?.id.toUpperCase() ?? '', pageSize: 1 };
    expect((await sandbox.client.listTransactions(previous)).transactions).toEqual([first]);
    const { transactions } = await sandbox.client.listTransactions({ walletIds, pageSize: 50 });
    const sent = all.filter(({ walletId }) => senders.some((sender) => sender.id === walletId));
    expect(transactions).toEqual(sent);
  });

  it('counts a date as its whole day', async () => {
    const day = all[0]?.createDate.slice(0, 10) ?? '';
    const { transactions } = await sandbox.client.listTransactions({ from: day, to: day });
    expect(transactions[0]).toEqual(all[0]);
  });

  it.each(['.000000+0000', '.000000'])(
    'is filtered by moments that end in %s, as the SDK for Python writes them',
    async (end) => {
      const second = `${all[0]?.createDate.slice(0, 19)}${end}`;
      const range = { from: second, to: second, pageSize: 50 };
      const { transactions } = await sandbox.client.listTransactions(range);
      expect(transactions).toEqual(
        all.filter(({ createDate }) => createDate === all[0]?.createDate),
      );
    },
  );

  it('shows a transaction of the other type to nobody who asks for its id', async () => {
    const own = all.find(({ transactionType }) => transactionType === 'OUTBOUND');
    await expect(
      sandbox.client.getTransaction({ id: own?.id ?? '', txType: 'INBOUND' }),
    ).rejects.toThrow('156003');
  });
});

describe('other lists', () => {
  it('give wallet sets, newest first and in the other order', async () => {
    const made = await Promise.all(
      [1, 2].map(() => sandbox.client.createWalletSet({ idempotencyKey: randomUUID() })),
    );
    const { walletSets } = await sandbox.client.listWalletSets({ pageSize: 2 });
    expect(walletSets.map(({ id }) => id).toSorted()).toEqual(
      made.map(({ walletSet }) => walletSet.id).toSorted(),
    );
    const oldest = await sandbox.client.listWalletSets({ order: 'ASC', pageSize: 1 });
    expect(oldest.walletSets[0]?.id).not.toBe(walletSets[0]?.id);
  });

  it('give the smart accounts of a core, and none of a core that nobody has', async () => {
    const wallet = await sandbox.wallet('SCA');
    const scaCore = 'circle_6900_singleowner_v3';
    const { wallets } = await sandbox.client.listWallets({ scaCore, pageSize: 50 });
    expect(wallets[0]).toEqual(wallet);
    expect(wallets.every(({ accountType }) => accountType === 'SCA')).toBe(true);
    const others = await sandbox.client.listWallets({ scaCore: 'circle_4337_v1' });
    expect(others.wallets).toEqual([]);
  });

  it('give balances by address, name and standard', async () => {
    const { id } = await sandbox.fundedWallet();
    const symbols = async (filter: object) => {
      const { tokenBalances } = await sandbox.client.listBalances({ id, ...filter });
      return tokenBalances.map(({ token }) => (token.isNative ? 'native' : token.symbol));
    };
    expect(await symbols({ tokenAddress: '' })).toEqual(['native']);
    expect(await symbols({ tokenAddress: `,${eurc}` })).toEqual(['native', 'EURC']);
    expect(await symbols({ name: 'EURC' })).toEqual(['EURC']);
    expect(await symbols({ standard: 'ERC20', includeAll: true })).toEqual(['USDC', 'EURC']);
    await expect(symbols({ standard: 'ERC1' })).rejects.toThrow('155240');
    await expect(symbols({ tokenAddress: '0x1' })).rejects.toThrow('155239');
  });
});

describe('an address', () => {
  it.each([
    ['in lower case', usdc, true],
    ['with its checksum', eurc, true],
    ['in upper case', `0x${eurc.slice(2).toUpperCase()}`, true],
    ['with a checksum of another', eurc.replace('B5', 'b5'), false],
    ['that is too short', '0x1234', false],
  ])('%s is told valid or not', async (_what, address, isValid) => {
    const answer = await sandbox.client.validateAddress({ address, blockchain });
    expect(answer).toEqual({ isValid });
  });
});

function passes(one: Transaction, filters: Record<string, unknown>): boolean {
  const { destinationAddress, walletIds, from, to } = filters;
  return (
    ['operation', 'state', 'txHash'].every(
      (name) => filters[name] === undefined || filters[name] === one[name as keyof Transaction],
    ) &&
    (filters.txType === undefined || filters.txType === one.transactionType) &&
    (destinationAddress === undefined ||
      String(destinationAddress).toLowerCase() === one.destinationAddress) &&
    (walletIds === undefined || String(walletIds).split(',').includes(String(one.walletId))) &&
    (from === undefined || one.createDate >= String(from)) &&
    (to === undefined || one.createDate <= String(to))
  );
}

async function idsOf(walletSetId: string): Promise<string[]> {
  const { wallets } = await sandbox.client.listWallets({ walletSetId, pageSize: 50 });
  return wallets.map(({ id }) => id);
}

/** A page as HTTP gives it: the ids in its body, and its links by their relation. */
async function get(url: string): Promise<{ ids: string[]; links: Record<string, string> }> {
  const { status, body, headers } = await sandbox.request('GET', url);
  expect(status).toBe(200);
  type Item = { id?: string; token?: { id: string } };
  const [items = []] = Object.values((body as { data: Record<string, Item[]> }).data);
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g);
  return {
    ids: items.map(({ id, token }) => id ?? token?.id ?? ''),
    links: Object.fromEntries([...links].map(([, target, rel]) => [rel, target])),
  };
}
