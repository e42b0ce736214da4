import type { Statements } from '../statements';

/** One item of an ERC-721 or ERC-1155 token, by the token's id and its own number. */
export type Item = { tokenId: string; itemId: string };

/** The items that wallets have ever received. The chain says which of them are left. */
export type WalletItems = {
  add(walletId: string, item: Item): void;
  /** In the order in which they came first. */
  of(walletId: string): Item[];
};

export function walletItems(run: Statements): WalletItems {
  return {
    add: (walletId, { tokenId, itemId }) => {
      const sql = 'INSERT OR IGNORE INTO walletItems (walletId, tokenId, itemId) VALUES (?, ?, ?)';
      run.write(sql, walletId, tokenId, itemId);
    },
    of: (walletId) =>
      run.docs(
        `SELECT json_object('tokenId', tokenId, 'itemId', itemId) AS doc
         FROM walletItems WHERE walletId = ? ORDER BY seq`,
        walletId,
      ),
  };
}
