import type { Statements } from '../statements';

/** One item of an ERC-721 or ERC-1155 token, by the token's id and its own number. */
export type Item = { tokenId: string; itemId: string };

/** The items that wallets have ever received. The chain says which of them are left. */
export function walletItems(run: Statements) {
  return {
    add: (walletId: string, { tokenId, itemId }: Item): void => {
      const sql = 'INSERT OR IGNORE INTO walletItems (walletId, tokenId, itemId) VALUES (?, ?, ?)';
      run.write(sql, walletId, tokenId, itemId);
    },
    /** In the order in which they came first. */
    of: (walletId: string) =>
      run.docs<Item>(
        `SELECT json_object('tokenId', tokenId, 'itemId', itemId) AS doc
         FROM walletItems WHERE walletId = ? ORDER BY seq`,
        walletId,
      ),
  };
}
