import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../../custody/endpoints';
import { RefusedError, UnexpectedAnswerError } from '../../custody/errors';
import type { Transaction } from '../../custody/objects/transaction';
import type { Period } from '../chain/period';

/** Half of what the service reads in a second (hosted-service facts, rate limits). */
export const readsPerSecond = 10;
const pageSize = 50;
const tooManyMs = 1_000;

/** Calls of the service's list, at no more than half of its limit. */
export type Lister = (
  input: Parameters<CustodyApi['listTransactions']>[0],
) => Promise<readonly Transaction[]>;

/** Paces the reads of one question. A refusal for too many calls is waited out. */
export function pacedLister(
  custody: Pick<CustodyApi, 'listTransactions'>,
  perSecond = readsPerSecond,
): Lister {
  let nextMs = 0;
  const turn = async (): Promise<void> => {
    const now = performance.now();
    const waitMs = Math.max(0, nextMs - now);
    nextMs = Math.max(now, nextMs) + 1_000 / perSecond;
    if (waitMs > 0) await sleep(waitMs);
  };
  return async (input) => {
    for (;;) {
      await turn();
      try {
        return (await custody.listTransactions(input)).transactions;
      } catch (error) {
        if (!(error instanceof RefusedError) || error.status !== 429) throw error;
        await sleep(error.retryAfterMs ?? tooManyMs);
      }
    }
  };
}

/** The service, with reads of its list that keep to the same pace. */
export function pacedReads(custody: CustodyApi): CustodyApi {
  const list = pacedLister(custody);
  return {
    ...custody,
    listTransactions: async (input) => ({ transactions: [...(await list(input))] }),
  };
}

/** The records to read: of some wallets, or of all, and with what came in or without it. */
type Wanted = { period: Period; walletIds?: readonly string[]; isOutbound?: boolean };

/** The service's list of a period, oldest first, by the page. */
export async function* readRecords(
  list: Lister,
  { period, walletIds, isOutbound = false }: Wanted,
): AsyncGenerator<readonly Transaction[]> {
  const asked = {
    includeAll: true,
    order: 'ASC' as const,
    pageSize,
    from: new Date(period.fromMs).toISOString(),
    to: new Date(period.untilMs).toISOString(),
    ...(isOutbound ? { txType: 'OUTBOUND' } : {}),
    ...(walletIds === undefined ? {} : { walletIds: walletIds.join(',') }),
  };
  for (let after: string | undefined; ; ) {
    const page = await list({ ...asked, ...(after === undefined ? {} : { pageAfter: after }) });
    const last = page.at(-1)?.id;
    if (last === undefined) return;
    if (last === after) {
      const message = `A list does not end: the page after ${after} ends with it again.`;
      throw new UnexpectedAnswerError(message, { status: 200 });
    }
    yield page;
    after = last;
  }
}
