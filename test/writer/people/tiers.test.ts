import type { CustodyApi } from '../../../src/custody/endpoints';
import { openLedger } from '../../../src/writer/ledger/openLedger';
import { settled } from '../../support/sandbox';
import { lineOf, payoutOf, sendLine } from './signedLines';
import { askedFor, decided, newLedger, send, signedOrders, tierOf } from './signedOrders';

const office = signedOrders();

/** People decide once more than this has left within a day. */
const daily = (above: string) => tierOf('daily', above, { hours: 24 });
const without = { beyond: undefined };

/** Orders a transfer, with the signature of the backend. */
async function order(api: CustodyApi, amount: string, decisions: 'none' | 'both' = 'none') {
  const ordered = office.ordered(amount);
  const request = await office.keys.backend.sign(ordered.text, 'request');
  const sending = send(api, ordered, { request });
  if (decisions === 'none') return sending;
  const { statement } = await askedFor(sending);
  return send(api, ordered, { request, decisions: await office.both(statement) });
}

const sumPaid = async () => (await office.paid()).reduce((sum, one) => sum + one, 0n);

describe('an approval over hours', () => {
  it('lets orders out until their sum passes its amount, and then asks about each', async () => {
    const { api } = office.writer(newLedger(), [daily('3')], without);
    for (const amount of ['1', '1.5', '0.5']) await settled(api, (await order(api, amount)).id);
    const { message } = await askedFor(order(api, '0.1'));
    expect(message).toMatch(/window of the rule daily is full: 3 of 3 in 24 hours/);
    expect(message).toContain('The rule daily wants the approval of 2 of @treasurers');
    await settled(api, (await order(api, '0.1', 'both')).id);
    await askedFor(order(api, '0.1'));
    expect(await sumPaid()).toBe(3_100_000n);
  });

  it('is never passed by orders that are sent at the same time', async () => {
    const { api } = office.writer(newLedger(), [daily('3')], without);
    const sent = await Promise.allSettled(Array.from({ length: 8 }, () => order(api, '1')));
    const passed = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(passed).toHaveLength(3);
    for (const { id } of passed) await settled(api, id);
    expect(await sumPaid()).toBe(3_000_000n);
  });

  it('counts a payout as a whole before its first line', async () => {
    const { api } = office.writer(newLedger(), [daily('0.5')], without);
    const lines = [lineOf('a', '0.2'), lineOf('b', '0.2'), lineOf('c', '0.2')] as const;
    const payout = payoutOf(office, lines);
    const request = await office.keys.backend.sign(payout.text, 'request');
    const asked = async (index: 0 | 1 | 2, decisions = {}) => {
      const authority = { request, proof: payout.proofOf(index), ...decisions };
      return sendLine(api, payout, { line: lines[index], authority });
    };
    const { statement } = await askedFor(asked(0));
    expect(await office.paid()).toEqual([]);
    const decisions = { decisions: await office.both(statement) };
    for (const index of [0, 1, 2] as const) {
      await settled(api, (await asked(index, decisions)).id);
    }
    expect(await sumPaid()).toBe(600_000n);
  });

  it('counts no line of a payout twice, and all of it for whatever comes next', async () => {
    const { api } = office.writer(newLedger(), [daily('0.5')], without);
    const lines = [lineOf('a', '0.2'), lineOf('b', '0.2')] as const;
    const payout = payoutOf(office, lines);
    const request = await office.keys.backend.sign(payout.text, 'request');
    for (const index of [0, 1] as const) {
      const authority = { request, proof: payout.proofOf(index) };
      await settled(api, (await sendLine(api, payout, { line: lines[index], authority })).id);
    }
    await askedFor(order(api, '0.2'));
    await settled(api, (await order(api, '0.1')).id);
    expect(await sumPaid()).toBe(500_000n);
  });
});

describe('a rejection', () => {
  it('ends an order also when its window has room again', async () => {
    const nowMs = { at: Date.now() };
    const ledger = openLedger(':memory:', { keyLifetimeMs: 3_600_000, clock: () => nowMs.at });
    const { api } = office.writer(ledger, [daily('3')], without);
    await settled(api, (await order(api, '3')).id);
    const ordered = office.ordered('1');
    const request = await office.keys.backend.sign(ordered.text, 'request');
    const { statement } = await askedFor(send(api, ordered, { request }));
    const decisions = [await decided(statement, office.keys.ann, 'rejection')];
    nowMs.at += 25 * 3_600_000;
    await expect(send(api, ordered, { request, decisions })).rejects.toMatchObject({
      next: 'stop',
      message: expect.stringContaining('ann has rejected it'),
    });
    expect(await sumPaid()).toBe(3_000_000n);
  });

  it('of another text than that of now ends it as well', async () => {
    const { api } = office.writer(newLedger(), [daily('3')], without);
    const ordered = office.ordered('1');
    const request = await office.keys.backend.sign(ordered.text, 'request');
    const older = { purpose: 'rejection', target: 'transfer/1#0' } as const;
    const { signature } = await office.keys.ann.sign('an older text', 'rejection');
    const expires = new Date(Date.now() + 60_000).toISOString();
    const decisions = [{ ...older, expires, signature }];
    await expect(send(api, ordered, { request, decisions })).rejects.toThrow(
      'It carries a rejection.',
    );
    expect(await office.paid()).toEqual([]);
  });
});

describe('two approvals of one amount', () => {
  it('ask the larger number of people, and neither lifts the other', async () => {
    const tiers = [tierOf('each', '2', { need: 1 }), daily('2')];
    const { api } = office.writer(newLedger(), tiers, without);
    const { message } = await askedFor(order(api, '3'));
    expect(message).toContain('rule daily wants the approval of 2');
    await settled(api, (await order(api, '3', 'both')).id);
    expect(await sumPaid()).toBe(3_000_000n);
  });
});

describe('the highest approval that applies', () => {
  it('is the one that counts, whether it is over hours or of one order', async () => {
    const tiers = [tierOf('large', '2', { need: 1 }), daily('3')];
    const { api } = office.writer(newLedger(), tiers, without);
    expect((await askedFor(order(api, '2.5'))).message).toContain(
      'rule large wants the approval of 1',
    );
    expect((await askedFor(order(api, '4'))).message).toContain(
      'rule daily wants the approval of 2',
    );
    await settled(api, (await order(api, '4', 'both')).id);
    expect(await office.paid()).toEqual([4_000_000n]);
  });

  it('counts also where a limit names a lower one', async () => {
    const tiers = [tierOf('small', '1', { need: 1 }), tierOf('large', '2')];
    const { api } = office.writer(newLedger(), tiers, { beyond: 'small' });
    const { message } = await askedFor(order(api, '5.5'));
    expect(message).toContain('rule large wants the approval of 2');
    await settled(api, (await order(api, '5.5', 'both')).id);
    expect(await office.paid()).toEqual([5_500_000n]);
  });
});
