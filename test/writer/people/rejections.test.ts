import { canonicalJson } from '../../../src/custody/canonicalJson';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Authority, Decision } from '../../../src/orders/input/signed';
import { settled } from '../../support/sandbox';
import { payee } from '../writer';
import { lineOf, payoutOf, sendLine } from './signedLines';
import {
  askedFor,
  decided,
  newLedger,
  nextOf,
  refusal,
  send,
  signedOrders,
  tierOf,
} from './signedOrders';

const office = signedOrders();
const ann = 'ann has rejected it.';

/** An order that its backend has signed, and what its writer asks people to sign. */
async function asking(api: CustodyApi, amount = '3') {
  const order = office.ordered(amount);
  const request = await office.keys.backend.sign(order.text, 'request');
  const { statement } = await askedFor(send(api, order, { request }));
  const no = await decided(statement, office.keys.ann, 'rejection');
  return { order, request, statement, no };
}

describe('an order that one person has rejected', () => {
  it('stays rejected where the rejection is left out, and where all others approve', async () => {
    const ledger = newLedger();
    const { api } = office.writer(ledger);
    const { order, request, statement, no } = await asking(api);
    const first = await refusal(send(api, order, { request, decisions: [no] }));
    expect(first).toContain(ann);
    const bo = await decided(statement, office.keys.bo);
    const cy = await decided(statement, office.keys.cy);
    const shown: Authority[] = [{ request }, { request, decisions: [bo, cy] }, {}];
    for (const authority of shown) {
      expect(await refusal(send(api, order, authority))).toBe(first);
      expect(await refusal(send(office.writer(ledger).api, order, authority))).toBe(first);
    }
    expect(await office.paid()).toEqual([]);
  });

  it('stays rejected under a policy that asks nobody any more', async () => {
    const ledger = newLedger();
    const { api } = office.writer(ledger);
    const { order, request, no } = await asking(api);
    await refusal(send(api, order, { request, decisions: [no] }));
    const asksNobody = { signedBy: undefined, beyond: undefined, version: 2 };
    const trusting = office.writer(ledger, [], asksNobody);
    expect(await refusal(send(trusting.api, order, {}))).toContain(ann);
    const other = office.ordered('3');
    await settled(trusting.api, (await send(trusting.api, other, {})).id);
    expect(await office.paid()).toEqual([3_000_000n]);
  });

  it('asks people again for a next generation, and is not paid without them', async () => {
    const ledger = newLedger();
    const { api } = office.writer(ledger);
    const { order, request, no } = await asking(api);
    await refusal(send(api, order, { request, decisions: [no] }));
    const next = nextOf(order);
    const asks = await askedFor(send(api, next, { request }));
    expect(JSON.parse(asks.statement).write.target).toBe('transfer/1#1');
    const trusting = office.writer(ledger, [], { beyond: undefined, version: 2 });
    expect(await refusal(send(trusting.api, next, { request }))).toContain(ann);
    const strict = office.writer(ledger, [tierOf('large', '2')], { version: 3 });
    const decisions = await office.both(asks.statement);
    await settled(strict.api, (await send(strict.api, next, { request, decisions })).id);
    expect(await office.paid()).toEqual([3_000_000n]);
  });
});

describe('a rejection that the writer cannot verify', () => {
  it.each<[string, (statement: string) => Promise<Decision>]>([
    [
      'of another text',
      async (statement) => decided(statement.replace('"3"', '"4"'), office.keys.ann, 'rejection'),
    ],
    ['of a stranger', (statement) => decided(statement, office.keys.mallory, 'rejection')],
  ])('%s refuses what carries it, and is not kept', async (_, signed) => {
    const { api } = office.writer();
    const { order, request, statement } = await asking(api);
    const decisions = [await signed(statement)];
    const refused = await refusal(send(api, order, { request, decisions }));
    expect(refused).toContain('It carries a rejection.');
    expect((await askedFor(send(api, order, { request }))).given).toEqual([]);
  });

  it('of somebody who has no say stands against nothing', async () => {
    const { api } = office.writer();
    const { order, request, statement } = await asking(api);
    const decisions = [await decided(statement, office.keys.backend, 'rejection')];
    const carried = await askedFor(send(api, order, { request, decisions }));
    expect(carried.message).toContain('wants the approval of 2');
  });
});

it('a line that was rejected alone asks people in its next generation, whatever they said of all', async () => {
  const ledger = newLedger();
  const { api } = office.writer(ledger);
  const lines = [lineOf('a', '2'), lineOf('b', '2')] as const;
  const payout = payoutOf(office, lines);
  const request = await office.keys.backend.sign(payout.text, 'request');
  const sendOne = (decisions: Decision[], generation = 0) => {
    const authority = { request, proof: payout.proofOf(0), decisions };
    return sendLine(api, payout, { line: lines[0], authority, generation });
  };
  const { statement } = await askedFor(sendOne([]));
  const ofAll = await office.both(statement);
  const effects = [{ kind: 'money', money: 'USDC', amount: '2', to: payee }];
  const write = { target: 'line/a#0', wallet: office.wallet().id, effects };
  const alone = canonicalJson({ ...JSON.parse(statement), write });
  const no = await decided(alone, office.keys.ann, 'rejection');
  expect(await refusal(sendOne([...ofAll, no]))).toContain(ann);
  const asks = await askedFor(sendOne(ofAll, 1));
  expect(JSON.parse(asks.statement).write.target).toBe('line/a#1');
  const decisions = [...ofAll, ...(await office.both(asks.statement))];
  await settled(api, (await sendOne(decisions, 1)).id);
  expect(await office.paid()).toEqual([2_000_000n]);
});

it('a payout that one person has rejected as a whole pays none of its lines, in no generation', async () => {
  const ledger = newLedger();
  const { api } = office.writer(ledger);
  const lines = [lineOf('a', '2'), lineOf('b', '2')] as const;
  const payout = payoutOf(office, lines);
  const request = await office.keys.backend.sign(payout.text, 'request');
  const sendOne = (index: 0 | 1, decisions: Decision[], generation = 0) => {
    const authority = { request, proof: payout.proofOf(index), decisions };
    return sendLine(api, payout, { line: lines[index], authority, generation });
  };
  const { statement } = await askedFor(sendOne(0, []));
  const no = await decided(statement, office.keys.ann, 'rejection');
  expect(await refusal(sendOne(0, [no]))).toContain(ann);
  const both = await office.both(statement);
  for (const decisions of [[], both]) {
    expect(await refusal(sendOne(1, decisions))).toContain(ann);
    expect(await refusal(sendOne(0, decisions, 1))).toContain(ann);
  }
  expect(await office.paid()).toEqual([]);
});
