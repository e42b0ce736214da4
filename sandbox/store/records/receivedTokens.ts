import type { Statements } from '../statements';

/** One item of an ERC-721 or ERC-1155 token, by the token's id and its own number. */
export type ReceivedItem = { tokenId: string; itemId: string };

/** Tokens that wallets have received, other than built-in ones. The chain says what is left. */
export function receivedTokens(run: Statements) {
  return {
    /** Adds an item, or a token without items: its item id is empty. */
    add: (walletId: string, { tokenId, itemId }: ReceivedItem): void => {
      const sql =
        'INSERT OR IGNORE INTO receivedTokens (walletId, tokenId, itemId) VALUES (?, ?, ?)';
      run.write(sql, walletId, tokenId, itemId);
    },
    /** The ids of a wallet's tokens, in the order in which they came first. */
    idsOf: (walletId: string) =>
      run.texts(
        `SELECT tokenId AS text FROM receivedTokens WHERE walletId = ?
         GROUP BY tokenId ORDER BY MIN(seq)`,
        walletId,
      ),
    /** In the order in which they came first. */
    itemsOf: (walletId: string) =>
      run.docs<ReceivedItem>(
        `SELECT json_object('tokenId', tokenId, 'itemId', itemId) AS doc
         FROM receivedTokens WHERE walletId = ? AND itemId <> '' ORDER BY seq`,
        walletId,
      ),
  };
}
