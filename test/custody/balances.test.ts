import { balancesOf, type Page } from '../../src/custody/list';
import type { Balance } from '../../src/custody/objects/token';

const date = '2026-01-01T00:00:00Z';

function held(count: number): Balance[] {
  return Array.from({ length: count }, (_, at) => {
    const token = { id: `token-${at}`, blockchain: 'ARC-TESTNET', isNative: false };
    return {
      amount: '1',
      token: { ...token, createDate: date, updateDate: date },
      updateDate: date,
    };
  });
}

/** A service that has these balances, and its calls. */
function service(balances: readonly Balance[], { most = 50, hasLinks = true } = {}) {
  const asked: Page[] = [];
  const read: Parameters<typeof balancesOf>[0] = async (page, { paged }) => {
    asked.push(page);
    const first = balances.findIndex(({ token }) => token.id === page.pageAfter) + 1;
    const end = first + Math.min(page.pageSize, most);
    if (hasLinks) paged?.({ next: end < balances.length ? 'next' : undefined });
    return balances.slice(first, end);
  };
  return { read, asked };
}

describe('the balances of a wallet', () => {
  it('are one call where it holds few tokens', async () => {
    const { read, asked } = service(held(12), { hasLinks: false });
    expect(await balancesOf(read)).toHaveLength(12);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['that tells of more pages', {}],
    ['that tells of more pages, and chooses small ones', { most: 10 }],
    ['that tells nothing', { hasLinks: false }],
  ])('are all of them from a service %s', async (_, how) => {
    const { read } = service(held(120), how);
    expect(new Set((await balancesOf(read)).map(({ token }) => token.id)).size).toBe(120);
  });
});
