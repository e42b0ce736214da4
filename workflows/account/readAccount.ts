import { setCurrentDetails } from '@temporalio/workflow';
import type { AccountAsked } from '../../src/client/account/asked';
import type { PolicyTold, StatementTold, WalletsTold } from '../../src/client/account/told';
import type { HealthFinding } from '../../src/health/finding';
import { asksWriter, readsOnce, refusal, thrownBy } from '../order/activities';

/** One part of the account, as workers tell it. */
type Told = WalletsTold | StatementTold | PolicyTold | HealthFinding[];

/**
 * Reads a part of the account for people who look at a page, and moves nothing. The parts are its
 * wallets, a statement, the policy of a writer, and what workers reach.
 */
export async function readAccount(asked: AccountAsked): Promise<Told> {
  // A stranger may have started it with anything. The activities refuse that.
  const { about }: Partial<AccountAsked> = asked ?? {};
  setCurrentDetails(`Reads for somebody who looks at the console: ${about}. It moves nothing.`);
  try {
    switch (asked?.about) {
      case 'statement':
        return await readsOnce('read a statement').readStatement(asked);
      case 'policy':
        return await asksWriter('tell the policy').tellPolicy();
      case 'wallets':
        return await readsOnce('list the wallets').readWallets();
      default:
        return await readsOnce('look at service, node and archive').examineService();
    }
  } catch (error) {
    const cause = thrownBy(error);
    throw cause === undefined ? error : refusal(cause.message);
  }
}
