import type { CustodyApi } from '../custody/endpoints';
import type { Subscription } from '../custody/objects/subscription';
import { lastNoticeHeader } from '../notices/lastNoticeHeader';
import { tellsOfTransactions } from '../notices/subscriptions';
import { timeInWords } from '../orders/progress/status';
import { broken, fine, firstLine, type HealthFinding, skipped } from './finding';

const name = 'Notices';
const deadlineMs = 5_000;
const mend = 'Orders find their ends by polls meanwhile. See docs/how-to/receive-webhooks.md';

/** Checks that the service tells somebody of transactions, and that the receiver answers. */
export async function checkNotices(
  api: Pick<CustodyApi, 'listSubscriptions'>,
): Promise<HealthFinding> {
  try {
    const own = (await api.listSubscriptions({})).filter(tellsOfTransactions);
    const [first] = own.filter(({ enabled }) => enabled);
    if (first !== undefined) return await ask(first);
    if (own.length === 0) return skipped(name, 'not subscribed, so orders poll, which is fine');
    return broken(name, `the subscription ${own[0]?.id} is disabled`, mend);
  } catch (error) {
    return skipped(name, `not checked: ${firstLine(error)}`);
  }
}

/** Asks the receiver as the service does, with HEAD. It tells when the last notice came. */
async function ask({ endpoint }: Subscription): Promise<HealthFinding> {
  try {
    const signal = AbortSignal.timeout(deadlineMs);
    const answer = await fetch(endpoint, { method: 'HEAD', redirect: 'manual', signal });
    if (!answer.ok) return broken(name, `${endpoint} answers ${answer.status}`, mend);
    const last = answer.headers.get(lastNoticeHeader);
    const since = 'no notice has come since it started';
    const words = last === null ? since : `the last came ${timeInWords(last)}`;
    return fine(name, `${endpoint} answers, and ${words}`);
  } catch (error) {
    return broken(name, `${endpoint} gives no answer: ${firstLine(error)}`, mend);
  }
}
