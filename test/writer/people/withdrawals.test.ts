import { setTimeout as sleep } from 'node:timers/promises';
import { periodAt } from '../../../src/orders/schedule/period';
import { textOf } from '../../../src/writer/signing/statement';
import { blockchain, settled } from '../../support/sandbox';
import type { TestKey } from '../signing/keys';
import { asOf } from '../writer';
import { paymentOf, sendBatch } from './attacks/signedBatches';
import { lineOf, payoutOf, sendLine } from './signedLines';
import {
  askedFor,
  newLedger,
  nextOf,
  type Ordered,
  refusal,
  send,
  signedOrders,
} from './signedOrders';

const office = signedOrders();
const { keys } = office;
const dayMs = 86_400_000;

/** A withdrawal of all that a key has signed for an order up to now, unless said otherwise. */
async function withdrawalOf(order: string, fields: object = {}, by: TestKey = keys.backend) {
  const place = { entity: office.entity(), namespace: 'default', blockchain };
  const statement = { ...place, order, signedUntil: new Date().toISOString(), ...fields };
  return by.sign(textOf(statement), 'rejection');
}

const requestOf = ({ text }: Ordered) => keys.backend.sign(text, 'request');

describe('an order whose signer has withdrawn its request', () => {
  it('is sent by no writer, in no generation, whoever approves it', async () => {
    const ledger = newLedger();
    const writer = office.writer(ledger);
    const order = office.ordered('3');
    const request = await requestOf(order);
    const { statement } = await askedFor(send(writer.api, order, { request }));
    const decisions = await office.both(statement);
    const { workflowId } = order.parts;
    const kept = await writer.withdraw(await withdrawalOf(workflowId));
    expect(kept).toMatchObject({ person: 'backend', order: workflowId });
    const { until } = kept;
    const words = `backend has withdrawn what it signed for ${workflowId} until ${until}.`;
    for (const { api } of [writer, office.writer(ledger)]) {
      expect(await refusal(send(api, order, { request }))).toContain(words);
      expect(await refusal(send(api, order, { request, decisions }))).toContain(words);
      expect(await refusal(send(api, nextOf(order), { request, decisions }))).toContain(words);
    }
    expect(await office.paid()).toEqual([]);
  });

  it('is not sent after its signer has got another name in the policy', async () => {
    const ledger = newLedger();
    const first = office.writer(ledger);
    const order = office.ordered('1');
    const request = await requestOf(order);
    await first.withdraw(await withdrawalOf(order.parts.workflowId));
    const { backend, ...others } = office.people;
    const people = { ...others, shop: backend };
    const renamed = office.writer(ledger, [], {
      version: 2,
      beyond: undefined,
      names: { people, groups: { ...office.groups, backends: ['shop'] } },
    });
    expect(await refusal(send(renamed.api, order, { request }))).toContain(
      `shop has withdrawn what it signed for ${order.parts.workflowId} until`,
    );
    expect(await office.paid()).toEqual([]);
  });

  it('is sent once it is signed again, and others are sent all along', async () => {
    const { api, withdraw } = office.writer();
    const [order, other] = [office.ordered('1'), office.ordered('0.5')];
    const late = await requestOf(other);
    const before = await requestOf(order);
    const kept = await withdraw(await withdrawalOf(order.parts.workflowId));
    expect(await refusal(send(api, order, { request: before }))).toContain('has withdrawn');
    const signedAt = new Date(Date.parse(kept.until) + 1).toISOString();
    const text = textOf({ ...order.statement, signedAt });
    const request = await keys.backend.sign(text, 'request');
    await settled(api, (await send(api, order, { request })).id);
    await settled(api, (await send(api, other, { request: late })).id);
    expect(await office.paid()).toEqual([1_000_000n, 500_000n]);
  });

  it('goes on where it was sent before', async () => {
    const { api, withdraw } = office.writer();
    const order = office.ordered('1');
    const request = await requestOf(order);
    const { id } = await send(api, order, { request });
    await withdraw(await withdrawalOf(order.parts.workflowId));
    expect((await send(api, order, { request })).id).toBe(id);
    await settled(api, id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('pays no more of its lines, alone or in a batch, if it is a payout', async () => {
    const { api, withdraw } = office.writer();
    const lines = [lineOf('a', '0.1'), lineOf('b', '0.2'), lineOf('c', '0.3')] as const;
    const payout = payoutOf(office, lines);
    const request = await keys.backend.sign(payout.text, 'request');
    const alone = (place: 0 | 1 | 2) => {
      const authority = { request, proof: payout.proofOf(place) };
      return sendLine(api, payout, { line: lines[place], authority });
    };
    await settled(api, (await alone(0)).id);
    await withdraw(await withdrawalOf(payout.workflowId));
    expect(await refusal(alone(1))).toContain('has withdrawn');
    const payments = [paymentOf(payout, lines[1]), paymentOf(payout, lines[2])];
    const authority = { request, proof: payout.proofOf(1, 2) };
    expect(await refusal(sendBatch(api, payout, { payments, authority }))).toContain(
      'has withdrawn',
    );
    expect(await office.paid()).toEqual([100_000n]);
  });
});

it('a line that was skipped with the key is sent no more, alone or in a batch, and all others are', async () => {
  const { api, withdraw } = office.writer();
  const lines = [lineOf('a', '0.1'), lineOf('b', '0.2'), lineOf('c', '0.3')] as const;
  const payout = payoutOf(office, lines);
  const request = await keys.backend.sign(payout.text, 'request');
  await withdraw(await withdrawalOf(payout.workflowId, { lines: ['b'] }));
  const alone = (place: 0 | 1 | 2) => {
    const authority = { request, proof: payout.proofOf(place) };
    return sendLine(api, payout, { line: lines[place], authority });
  };
  const words = `backend has withdrawn what it signed for ${payout.workflowId} line/b until`;
  expect(await refusal(alone(1))).toContain(words);
  const together = (...places: (0 | 1 | 2)[]) =>
    sendBatch(api, payout, {
      payments: places.map((place) => paymentOf(payout, lines[place])),
      authority: { request, proof: payout.proofOf(...places) },
    });
  await expect(together(0, 1, 2)).rejects.toMatchObject({
    apart: [1],
    message: expect.stringContaining(words),
  });
  await settled(api, (await together(0, 2)).id);
  expect((await office.paid()).sort()).toEqual([100_000n, 300_000n]);
});

it('a line that was skipped with the key stays so if the whole payout is signed again', async () => {
  const { api, withdraw } = office.writer();
  const lines = [lineOf('a', '0.1'), lineOf('b', '0.2')] as const;
  const payout = payoutOf(office, lines);
  const kept = await withdraw(await withdrawalOf(payout.workflowId, { lines: ['b'] }));
  const signedAt = new Date(Date.parse(kept.until) + 1).toISOString();
  const text = textOf({ ...JSON.parse(payout.text), signedAt });
  const request = await keys.backend.sign(text, 'request');
  const alone = (place: 0 | 1) => {
    const authority = { request, proof: payout.proofOf(place) };
    return sendLine(api, payout, { line: lines[place], authority });
  };
  const payments = [paymentOf(payout, lines[0]), paymentOf(payout, lines[1])];
  const authority = { request, proof: payout.proofOf(0, 1) };
  await expect(sendBatch(api, payout, { payments, authority })).rejects.toMatchObject({
    apart: [1],
  });
  expect(await refusal(alone(1))).toContain('This payout does not pay it any more.');
  await settled(api, (await alone(0)).id);
  expect(await office.paid()).toEqual([100_000n]);
});

it('a request that is dated after the time of the writer is refused, until it is signed at its time', async () => {
  const { api, withdraw } = office.writer();
  const order = office.ordered('1');
  const dated = async (ms: number) => {
    const signedAt = new Date(Date.now() + ms).toISOString();
    return keys.backend.sign(textOf({ ...order.statement, signedAt }), 'request');
  };
  for (const ms of [10_000, 86_400_000]) {
    const refused = await refusal(send(api, order, { request: await dated(ms) }));
    expect(refused).toContain('The request of backend is dated');
    expect(refused).toContain('Set the clock of the machine that signs, and sign it once more.');
  }
  // The clock of its signer is ahead of the one that withdraws it.
  const soon = await dated(3_000);
  await withdraw(await withdrawalOf(order.parts.workflowId));
  expect(await refusal(send(api, order, { request: soon }))).toContain('has withdrawn');
  const other = office.ordered('0.5');
  await settled(api, (await send(api, other, { request: await requestOf(other) })).id);
  expect(await office.paid()).toEqual([500_000n]);
});

describe('a schedule', () => {
  const template = 'yyyy-MM-dd';
  const timeOf = (daysFromNow: number): string =>
    new Date(Date.now() - 60_000 + daysFromNow * dayMs).toISOString();
  const times = [timeOf(-2), timeOf(-1), timeOf(0)];

  async function ofPeriod(daysFromNow: number) {
    const ordered = office.ordered('1');
    const rhythm = { every: '86400s' };
    const periods = { template, timeZone: 'UTC', rhythm, times };
    const text = textOf({ ...ordered.statement, order: 'transfer:rent', periods });
    const period = periodAt(template, Date.parse(timeOf(daysFromNow)), 'UTC');
    const parts = { ...ordered.parts, workflowId: `transfer:rent:${period}` };
    const { identity, how } = asOf(parts);
    const order = { ...ordered, parts, how, input: { ...ordered.input, ...identity } };
    return { order, request: await keys.backend.sign(text, 'request') };
  }

  it('pays none of its periods once its request was withdrawn', async () => {
    const { api, withdraw } = office.writer();
    const first = await ofPeriod(-2);
    const { request } = first;
    await settled(api, (await send(api, first.order, { request })).id);
    await withdraw(await withdrawalOf('transfer:rent'));
    for (const days of [-1, 0]) {
      const { order } = await ofPeriod(days);
      expect(await refusal(send(api, order, { request }))).toContain('for transfer:rent until');
    }
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('pays all others if that of one period was withdrawn', async () => {
    const { api, withdraw } = office.writer();
    const [yesterday, today] = [await ofPeriod(-1), await ofPeriod(0)];
    const { until } = await withdraw(await withdrawalOf(yesterday.order.parts.workflowId));
    const { statement } = today.request;
    const signedAt = new Date(Date.parse(until) + 1).toISOString();
    const later = textOf({ ...JSON.parse(statement), signedAt });
    for (const request of [today.request, await keys.backend.sign(later, 'request')]) {
      const refused = await refusal(send(api, yesterday.order, { request }));
      expect(refused).toContain('has withdrawn');
      expect(refused).toContain('Order this period by itself to pay it.');
    }
    await settled(api, (await send(api, today.order, { request: today.request })).id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });
});

describe('a withdrawal', () => {
  const order = () => office.ordered('1');

  it.each<[string, string, (id: string) => ReturnType<typeof withdrawalOf>]>([
    ['by a key of nobody', 'a key of nobody', (id) => withdrawalOf(id, {}, keys.mallory)],
    ['for another account', 'for the entity x', (id) => withdrawalOf(id, { entity: 'x' })],
    ['for another namespace', 'namespace x', (id) => withdrawalOf(id, { namespace: 'x' })],
    ['for another chain', 'blockchain x', (id) => withdrawalOf(id, { blockchain: 'x' })],
    [
      'that was changed after it was signed',
      'does not fit the statement',
      async (id) => {
        const { statement, signature } = await withdrawalOf('transfer:other');
        return { statement: statement.replace('transfer:other', id), signature };
      },
    ],
    [
      'that was signed as a request',
      'is for steadfast-request',
      async (id) => keys.backend.sign((await withdrawalOf(id)).statement, 'request'),
    ],
    [
      'that is the rejection of an approver',
      'ledger',
      async (id) => withdrawalOf(id, { ledger: 'l1' }),
    ],
  ])('%s is refused, and withdraws nothing', async (_, words, signed) => {
    const { api, withdraw } = office.writer();
    const one = order();
    await expect(withdraw(await signed(one.parts.workflowId))).rejects.toMatchObject({
      next: 'stop',
      message: expect.stringContaining(words),
    });
    await settled(api, (await send(api, one, { request: await requestOf(one) })).id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('of somebody else withdraws nothing of what its own signer has signed', async () => {
    const { api, withdraw } = office.writer();
    const one = order();
    await withdraw(await withdrawalOf(one.parts.workflowId, {}, keys.cy));
    await settled(api, (await send(api, one, { request: await requestOf(one) })).id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('that is handed over again withdraws nothing that was signed since', async () => {
    const ledger = newLedger();
    const { api, withdraw } = office.writer(ledger);
    const one = order();
    const { workflowId } = one.parts;
    const first = await withdrawalOf(workflowId);
    const { until } = await withdraw(first);
    const second = await withdrawalOf(workflowId, { lines: ['b'] });
    await withdraw(second);
    await sleep(Math.max(0, Date.parse(until) - Date.now() + 1));
    const signedAt = new Date().toISOString();
    const request = await keys.backend.sign(textOf({ ...one.statement, signedAt }), 'request');
    for (const { withdraw: again } of [office.writer(ledger), office.writer(ledger)]) {
      expect(await again(first)).toMatchObject({ person: 'backend', until });
    }
    await settled(api, (await send(api, one, { request })).id);
    // A new withdrawal of the same order counts.
    await withdraw(await withdrawalOf(workflowId));
    const next = await refusal(send(api, nextOf(one), { request }));
    expect(next).toContain('has withdrawn');
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('of one signer does not use up that of another one with the same words', async () => {
    const { api, withdraw } = office.writer();
    const one = order();
    const request = await requestOf(one);
    const fields = { signedUntil: new Date().toISOString() };
    await withdraw(await withdrawalOf(one.parts.workflowId, fields, keys.cy));
    await withdraw(await withdrawalOf(one.parts.workflowId, fields));
    expect(await refusal(send(api, one, { request }))).toContain('backend has withdrawn');
  });
});
