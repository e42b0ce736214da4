import { createHash } from 'node:crypto';
import type { StatementRow } from '../statement';

/** Somebody who holds a token on a chain. */
type Holder = Pick<StatementRow, 'token' | 'contract'> & {
  /** Its address in lower case. */
  holder: string;
  blockchain: string;
};

const [addressShown, tokenShown, digestShown] = [8, 8, 16];

/**
 * The id of an account, in at most 34 characters, as banks' programs take it. It begins with what
 * people know: the address and the token. The digest at its end tells apart addresses that look
 * alike, which anybody can make.
 */
export function accountIdOf({ holder, token, contract, blockchain }: Holder): string {
  const name = contract === undefined ? token.replace(/[^A-Za-z0-9]/g, '') : contract.slice(2);
  const digest = digestOf(`${blockchain} ${holder} ${token}`).slice(0, digestShown);
  return `${holder.slice(2, 2 + addressShown)}-${name.slice(0, tokenShown)}-${digest}`;
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
