import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Decision } from '../../../src/orders/input/signed';
import { settled } from '../../support/sandbox';
import { lineOf, payoutOf, sendLine } from '../people/signedLines';
import { askedFor, decided, newLedger, send, signedOrders, tierOf } from '../people/signedOrders';
import { stranger } from '../writer';

const office = signedOrders();
const gambler = `0x${'1'.repeat(28)}999999997766`;

let folder: string;
let list: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steadfast-screen-'));
  list = join(folder, 'sanctioned.txt');
  writeFileSync(list, stranger);
});
afterEach(() => rmSync(folder, { recursive: true }));

const large = tierOf('large', '100');
const byList = () => ({ id: 'ofac', kind: 'screen', by: { list, hours: 24 } });
const byToken = { id: 'frozen', kind: 'screen', by: 'token' };
const byService = { id: 'risk', kind: 'screen', by: 'service', beyond: 'large' };

const writer = (...screens: object[]) =>
  office.writer(newLedger(), [large, ...screens], { to: 'anyone' });

async function order(amount: string, to?: string) {
  const ordered = office.ordered(amount, to);
  return { ordered, request: await office.keys.backend.sign(ordered.text, 'request') };
}

describe('a recipient', () => {
  it('that matches is not paid, and others are', async () => {
    const { api } = writer(byList());
    const bad = await order('1', stranger);
    await expect(send(api, bad.ordered, { request: bad.request })).rejects.toMatchObject({
      next: 'stop',
      message: expect.stringContaining(`The rule ofac about ${stranger}: it is in the list`),
    });
    const good = await order('1');
    await settled(api, (await send(api, good.ordered, { request: good.request })).id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('that a token of the policy has blocked is not paid, and costs no gas', async () => {
    const { api } = writer(byToken);
    await office.sandbox().request('PUT', `/_sandbox/blocklist/${stranger}`, { headers: {} });
    const bad = await order('1', stranger);
    await expect(send(api, bad.ordered, { request: bad.request })).rejects.toMatchObject({
      next: 'stop',
      message: expect.stringMatching(
        /The rule frozen about 0x6+: the token 0x36\w+ has blocked it/,
      ),
    });
    const good = await order('1');
    await settled(api, (await send(api, good.ordered, { request: good.request })).id);
    expect(await office.paid()).toEqual([1_000_000n]);
    // An answer counts for ten minutes, so another writer asks.
    await office.sandbox().request('DELETE', `/_sandbox/blocklist/${stranger}`, { headers: {} });
    const later = writer(byToken).api;
    await settled(later, (await send(later, bad.ordered, { request: bad.request })).id);
    expect(await office.paid()).toEqual([1_000_000n, 1_000_000n]);
  });

  it('is not paid while there is no answer, and is once there is one', async () => {
    rmSync(list);
    const { api } = writer(byList());
    const { ordered, request } = await order('1');
    await expect(send(api, ordered, { request })).rejects.toMatchObject({
      next: 'again',
      // A time would hold up all lines of its wallet.
      afterMs: undefined,
      message: expect.stringMatching(/the list .* cannot be read.* Nothing was sent/),
    });
    writeFileSync(list, stranger);
    await settled(api, (await send(api, ordered, { request })).id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('to be reviewed is shown to people with the evidence, and is paid once they approve', async () => {
    const { api } = writer(byList(), byService);
    const { ordered, request } = await order('1', gambler);
    const asks = await askedFor(send(api, ordered, { request }));
    expect(asks.message).toContain(
      `The rule risk about ${gambler}: the service answers APPROVED by its rule High Gambling Risk`,
    );
    expect(JSON.parse(asks.statement).write.effects).toEqual([
      expect.objectContaining({ kind: 'money', amount: '1', to: gambler }),
      { kind: 'screening', rule: 'risk', verdict: 'review', address: gambler },
    ]);
    expect(await office.paid()).toEqual([]);
    const decisions = await office.both(asks.statement);
    await settled(api, (await send(api, ordered, { request, decisions })).id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('to be reviewed needs the approval of its amount as well, whichever is the higher', async () => {
    const compliance = tierOf('compliance', '1000000', { need: 1, of: 'others' });
    const { api } = office.writer(
      newLedger(),
      [tierOf('large', '2'), compliance, { ...byService, beyond: 'compliance' }],
      { to: 'anyone', perTransfer: '8' },
    );
    const { ordered, request } = await order('4', gambler);
    const asks = await askedFor(send(api, ordered, { request }));
    expect(asks.message).toContain('The rule large wants the approval of 2 of @treasurers');
    const both = await office.both(asks.statement);
    const more = await askedFor(send(api, ordered, { request, decisions: both }));
    expect(more.message).toContain('The rule compliance wants the approval of 1 of @others');
    expect(await office.paid()).toEqual([]);
    const decisions = [...both, await decided(asks.statement, office.keys.cy)];
    await settled(api, (await send(api, ordered, { request, decisions })).id);
    expect(await office.paid()).toEqual([4_000_000n]);
  });

  it('to be reviewed is refused where no approval decides about it', async () => {
    const { api } = writer({ ...byService, beyond: undefined });
    const { ordered, request } = await order('1', gambler);
    await expect(send(api, ordered, { request })).rejects.toMatchObject({ next: 'stop' });
    expect(await office.paid()).toEqual([]);
  });

  it('is not screened again for a write that may have been sent', async () => {
    const { api } = writer(byList());
    const { ordered, request } = await order('1');
    const { id } = await send(api, ordered, { request });
    rmSync(list);
    expect((await send(api, ordered, { request })).id).toBe(id);
  });
});

describe('a line of a payout', () => {
  async function payoutTo(to: string) {
    const { api } = writer(byList(), byService);
    const lines = [lineOf('a', '0.2', to), lineOf('b', '0.3'), lineOf('c', '0.4', to)] as const;
    const payout = payoutOf(office, lines);
    const request = await office.keys.backend.sign(payout.text, 'request');
    const sendOne = (index: 0 | 1 | 2, decisions: readonly Decision[] = []) => {
      const authority = { request, proof: payout.proofOf(index), decisions: [...decisions] };
      return sendLine(api, payout, { line: lines[index], authority });
    };
    return { api, sendOne };
  }

  it('that matches fails alone', async () => {
    const { api, sendOne } = await payoutTo(stranger);
    await expect(sendOne(0)).rejects.toMatchObject({
      next: 'stop',
      message: expect.stringContaining('The rule ofac about'),
    });
    await settled(api, (await sendOne(1)).id);
    expect(await office.paid()).toEqual([300_000n]);
  });

  it('to be reviewed waits alone, and is paid once people approve this line', async () => {
    const { api, sendOne } = await payoutTo(gambler);
    const asks = await askedFor(sendOne(0));
    expect(JSON.parse(asks.statement).write).toMatchObject({
      target: 'line/a#0',
      effects: [
        { kind: 'money', amount: '0.2', to: gambler },
        { kind: 'screening', rule: 'risk', verdict: 'review', address: gambler },
      ],
    });
    await settled(api, (await sendOne(1)).id);
    const decisions = await office.both(asks.statement);
    await settled(api, (await sendOne(0, decisions)).id);
    // The approval of one line is none of another.
    await askedFor(sendOne(2, decisions));
    expect(await office.paid()).toEqual([300_000n, 200_000n]);
  });

  it('that people approve alone still waits for room in a window', async () => {
    const perWindow = { amount: '3', hours: 24, over: 'rule' };
    const { api } = office.writer(newLedger(), [large, byService], { to: 'anyone', perWindow });
    const lines = [lineOf('a', '2', gambler), lineOf('b', '2', gambler)] as const;
    const payout = payoutOf(office, lines);
    const request = await office.keys.backend.sign(payout.text, 'request');
    const sendOne = async (index: 0 | 1, decisions: Decision[] = []) => {
      const authority = { request, proof: payout.proofOf(index), decisions };
      return sendLine(api, payout, { line: lines[index], authority });
    };
    const asked = [await askedFor(sendOne(0)), await askedFor(sendOne(1))];
    const decisions = await Promise.all(asked.map(({ statement }) => office.both(statement)));
    const both = await Promise.allSettled([sendOne(0, decisions[0]), sendOne(1, decisions[1])]);
    const sent = both.flatMap((one) => (one.status === 'fulfilled' ? one.value.id : []));
    expect(sent).toHaveLength(1);
    await settled(api, sent[0] ?? '');
    expect(await office.paid()).toEqual([2_000_000n]);
  });

  it('that one person rejects is never paid, and others are', async () => {
    const { api, sendOne } = await payoutTo(gambler);
    const { statement } = await askedFor(sendOne(0));
    const no = await decided(statement, office.keys.ann, 'rejection');
    await expect(sendOne(0, [no])).rejects.toThrow('ann has rejected it.');
    await settled(api, (await sendOne(1, [no])).id);
    expect((await askedFor(sendOne(2, [no]))).message).toContain('The rule risk about');
    expect(await office.paid()).toEqual([300_000n]);
  });
});
