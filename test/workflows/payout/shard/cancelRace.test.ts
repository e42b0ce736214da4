import type { CustodyApi } from '../../../../src/custody/endpoints';
import type { Transaction } from '../../../../src/custody/objects/transaction';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { createServe } from '../../../support/orders';
import {
  linesOf,
  newLines,
  paidByResults,
  paidOnChain,
  payers,
  payoutOf,
} from '../../../support/payouts';
import { inSandbox } from '../../../support/sandbox';
import { inTemporal } from '../../../support/temporal';

const serve = createServe();
/** A server that has never heard of the payouts. */
const other = inTemporal();
const sandbox = inSandbox({ states: 'hosted' });

/** A service that lets something happen at a moment of a wallet's first batch, once. */
function interrupted(
  { id }: Wallet,
  { moment, happen }: { moment: Moment; happen: () => Promise<unknown> },
): CustodyApi {
  const { client } = sandbox;
  let isLeft = true;
  const once = async (isNow: boolean): Promise<void> => {
    if (!isNow || !isLeft) return;
    isLeft = false;
    await happen();
  };
  const isAt = ({ walletId, operation, state }: Transaction) =>
    walletId === id && operation === 'CONTRACT_EXECUTION' && state === moment;
  return {
    ...client,
    executeContract: async (...call) => {
      await once(moment === 'before it arrives');
      const answer = await client.executeContract(...call);
      await once(moment === 'before its answer');
      return answer;
    },
    listTransactions: async (...call) => {
      const page = await client.listTransactions(...call);
      await once(page.transactions.some(isAt));
      return page;
    },
  };
}

type Moment = 'before it arrives' | 'before its answer' | 'SENT' | 'COMPLETE';

const moments: Moment[] = ['before it arrives', 'before its answer', 'SENT', 'COMPLETE'];

describe.each(['EOA', 'SCA'] as const)('a payout from a wallet of type %s', (type) => {
  test.concurrent.each(moments)(
    'that is cancelled while its batch is under way (%s) tells what the chain tells, and loses no line when it is paid again',
    async (moment) => {
      const lines = newLines(8);
      const [wallet] = await payers(sandbox, type);
      if (wallet === undefined) throw new Error('No wallet was created.');
      const order = payoutOf([wallet], { batch: { linesMax: 4 }, openMax: 4 });
      const { baseUrl, rpcUrl: chainRpcUrl } = sandbox;
      const happen = () => own.steadfast.cancel(`payout:${order.payoutId}`, 'wrong month');
      const own = await serve(interrupted(wallet, { moment, happen }), { baseUrl, chainRpcUrl });
      const started = await own.steadfast.payout(order, lines);
      const receipt = await started.receipt().catch((error: { outcome?: string }) => error);
      const results = await linesOf(own, started.workflowId);
      const paid = await paidOnChain(sandbox, lines);
      expect(paid).toEqual(paidByResults(results));
      const count = (word: string) => results.filter(({ outcome }) => outcome === word).length;
      // "Cancelled" is said only where nothing was accepted.
      if (count('paid') === 0 && count('failed') === 0) {
        expect(receipt).toMatchObject({ outcome: 'cancelled' });
      } else expect(receipt).toMatchObject({ paid: count('paid'), unknown: 0 });
      expect(count('paid') + count('failed') + count('skipped')).toBe(8);
      const later = await serve(sandbox.client, { baseUrl, chainRpcUrl, address: other.address });
      const again = await later.steadfast.payout(order, lines);
      const after = await again.receipt();
      expect(after).toMatchObject({ lines: 8, unknown: 0 });
      // A batch that the service has cancelled had no effect. Its lines are paid when they are retried.
      if (after.failed > 0) await (await later.steadfast.retry(again.workflowId)).receipt();
      const all = await paidOnChain(sandbox, lines);
      expect(Object.values(all).map((hashes) => hashes.length)).toEqual(lines.map(() => 1));
      expect(all).toMatchObject(Object.fromEntries(Object.entries(paid).filter(([, of]) => of[0])));
      expect(all).toEqual(paidByResults(await linesOf(later, again.workflowId)));
    },
  );
});
