import { batchCall } from '../../../src/custody/batch';
import { WithheldError } from '../../../src/custody/errors';
import type { Decision } from '../../../src/orders/input/signed';
import type { ReadLine } from '../../../src/orders/payout';
import { unpaidOn } from '../../../src/worker/shownOn';
import { settled, usdc } from '../../support/sandbox';
import { asOf, partsOf, payee, stranger } from '../writer';
import { paymentOf, sendBatch } from './attacks/signedBatches';
import { lineOf, payoutOf, sendLine } from './signedLines';
import { askedFor, decided, newLedger, signedOrders, tierOf } from './signedOrders';

const office = signedOrders();
const smart = signedOrders({ accountType: 'SCA', isShared: true });
const large = tierOf('large', '2');
/** The sandbox's screening has somebody look at this address. */
const gambler = '0x1111111111111111111111111111999999997766';

type How = { decisions?: Decision[]; generation?: number; fields?: object };

/** A signed payout whose lines are sent by their places, alone or in batches. */
async function payoutWith(
  lines: readonly ReadLine[],
  { ledger = newLedger(), tiers = [large] as object[], fields = {}, totals = {}, of = office } = {},
) {
  const { api } = of.writer(ledger, tiers, { to: [payee, stranger, gambler], ...fields });
  const payout = payoutOf(of, lines, totals);
  const request = await of.keys.backend.sign(payout.text, 'request');
  const at = (place: number): ReadLine => lines[place] ?? lineOf('none', '1');
  const together = (places: readonly number[], how: How = {}) => {
    const { decisions = [], generation = 0, fields = {} } = how;
    const proof = payout.proofOf(...places);
    const own = { ...proof, lines: proof.lines.map((line) => ({ ...line, generation })) };
    const payments = places.map((place) => paymentOf(payout, at(place), generation));
    return sendBatch(api, payout, {
      payments,
      authority: { request, decisions, proof: own },
      fields,
    });
  };
  const alone = (place: number, decisions: Decision[] = [], generation?: number) => {
    const authority = { request, decisions, proof: payout.proofOf(place) };
    const later = generation === undefined ? {} : { generation };
    return sendLine(api, payout, { line: at(place), authority, ...later });
  };
  return { api, ledger, payout, together, alone };
}

/** The places of the lines that hold up the others of a batch, and the words of the writer. */
async function apart(sending: Promise<unknown>) {
  const error = await sending.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof WithheldError) || error.next !== 'stop') throw error ?? new Error('Sent.');
  return { places: error.apart, message: error.message };
}

const small = [lineOf('a', '0.1'), lineOf('b', '0.2'), lineOf('c', '0.3'), lineOf('d', '0.4')];

describe('a batch of a signed payout', () => {
  it('is paid with one proof of its lines, and in every attempt under one key', async () => {
    const { api, together } = await payoutWith(small);
    const { id } = await together([0, 2]);
    expect((await together([0, 2])).id).toBe(id);
    // A run that starts again estimates the gas again.
    expect((await together([0, 2], { fields: { gasLimit: '900000' } })).id).toBe(id);
    await settled(api, id);
    expect(await office.paid()).toEqual([100_000n, 300_000n]);
  });

  it('pays no line that was let out alone, and names it', async () => {
    const { api, together, alone } = await payoutWith(small);
    await settled(api, (await alone(1)).id);
    const { places, message } = await apart(together([0, 1, 2]));
    expect(places).toEqual([1]);
    expect(message).toContain('Of its lines, b: It was let out before, by itself or in a batch.');
    await settled(api, (await together([0, 2])).id);
    expect(await office.paid()).toEqual([200_000n, 100_000n, 300_000n]);
  });

  it('keeps its lines from being paid alone or in another batch, in any generation', async () => {
    const { api, together, alone } = await payoutWith(small);
    const { id } = await together([0, 1]);
    const refused = { next: 'lookUp', message: expect.stringContaining('It was let out before') };
    await expect(alone(0)).rejects.toMatchObject(refused);
    expect(await apart(together([1, 2]))).toMatchObject({ places: [0] });
    await settled(api, id);
    await expect(alone(0)).rejects.toMatchObject(refused);
    const message = expect.stringContaining('needs an end without effect of generation 0');
    await expect(alone(0, [], 1)).rejects.toMatchObject({ next: 'lookUp', message });
    expect(await apart(together([0, 2], { generation: 1 }))).toMatchObject({
      places: [0, 1],
      message,
    });
    expect(await office.paid()).toEqual([100_000n, 200_000n]);
  });

  it('that exceeds the sums that were signed is not paid', async () => {
    const { api, together } = await payoutWith(small, { totals: { totals: { USDC: '0.5' } } });
    await settled(api, (await together([0, 1])).id);
    expect(await apart(together([2, 3]))).toEqual({
      places: [],
      message: expect.stringContaining('signed for 0.5, of which 0.3 are paid or under way.'),
    });
    expect(await office.paid()).toEqual([100_000n, 200_000n]);
  });

  it('that fits into no window is refused, and its halves are paid as there is room', async () => {
    const perWindow = { amount: '0.6', hours: 24, over: 'wallet' };
    const { api, together } = await payoutWith(small, { fields: { perWindow, beyond: undefined } });
    const { message } = await apart(together([0, 1, 2, 3]));
    expect(message).toMatch(
      /The batch has 1\.\d+ with its fee, and the window of the rule out has 0\.6/,
    );
    await settled(api, (await together([0, 1])).id);
    await expect(together([2, 3])).rejects.toMatchObject({ next: 'stop' });
    expect(await office.paid()).toEqual([100_000n, 200_000n]);
  });

  it('is not paid because of a line that no rule names, and its others are', async () => {
    const nobody = `0x${'7'.repeat(40)}`;
    const { api, together } = await payoutWith([...small.slice(0, 3), lineOf('x', '0.4', nobody)]);
    expect(await apart(together([0, 3, 2]))).toMatchObject({ places: [1] });
    await settled(api, (await together([0, 2])).id);
    expect(await office.paid()).toEqual([100_000n, 300_000n]);
  });
});

test('a batch of a smart account is paid as a whole, and once', async () => {
  const { api, together, alone } = await payoutWith(small, { of: smart });
  const gasLimit = undefined;
  const { id } = await together([0, 1, 3], { fields: { gasLimit } });
  await expect(alone(3)).rejects.toMatchObject({ next: 'lookUp' });
  await settled(api, id);
  expect(await apart(together([2, 3], { fields: { gasLimit } }))).toMatchObject({ places: [1] });
  expect(await smart.paid()).toEqual([100_000n, 200_000n, 400_000n]);
});

test('a batch in the form of an account with a key is not paid from a smart account', async () => {
  const { payout, together } = await payoutWith(small, { of: smart });
  const before = await smart.paid();
  const payments = small.slice(0, 2).map((line) => paymentOf(payout, line));
  const account = { ...payout.wallet, accountType: 'EOA' };
  const call = batchCall(account, { tokenAddress: usdc, payments }, { mayFail: true });
  const { places, message } = await apart(together([0, 1], { fields: call }));
  expect(places).toEqual([]);
  expect(message).toContain('It calls Multicall3From, which moves money of an EOA alone');
  expect(await smart.paid()).toEqual(before);
});

describe('lines that need a person', () => {
  const byService = { id: 'risk', kind: 'screen', by: 'service', beyond: 'large' };

  it('are set apart by screening, and wait alone while the others are paid', async () => {
    const lines = [lineOf('a', '0.1', gambler), lineOf('b', '0.2'), lineOf('c', '0.3')];
    const { api, together, alone } = await payoutWith(lines, { tiers: [large, byService] });
    const { places, message } = await apart(together([2, 0, 1]));
    expect(places).toEqual([1]);
    expect(message).toContain(`The rule risk about ${gambler}`);
    await settled(api, (await together([2, 1])).id);
    expect(JSON.parse((await askedFor(alone(0))).statement).write.target).toBe('line/a#0');
    expect(await office.paid()).toEqual([300_000n, 200_000n]);
  });

  it('are set apart once one person has rejected them', async () => {
    const lines = [lineOf('a', '0.1', gambler), lineOf('b', '0.2'), lineOf('c', '0.3')];
    const { together, alone, ledger, payout } = await payoutWith(lines, {
      tiers: [large, byService],
    });
    const { statement } = await askedFor(alone(0));
    const no = await decided(statement, office.keys.ann, 'rejection');
    await expect(alone(0, [no])).rejects.toThrow('ann has rejected it.');
    const { api } = office.writer(ledger, [large], { version: 2, to: [payee, gambler] });
    const request = await office.keys.backend.sign(payout.text, 'request');
    const payments = lines.map((line) => paymentOf(payout, line));
    const authority = { request, proof: payout.proofOf(0, 1, 2) };
    expect(await apart(sendBatch(api, payout, { payments, authority }))).toEqual({
      places: [0],
      message: expect.stringContaining('Of its lines, a: ann has rejected it.'),
    });
    await expect(together([1, 2])).rejects.toMatchObject({ next: 'again' });
    expect(await office.paid()).toEqual([]);
  });

  it('are approved with the whole payout, whichever batch asks first', async () => {
    const lines = [lineOf('a', '1.5'), lineOf('b', '1.4'), lineOf('c', '0.1')];
    const { api, together } = await payoutWith(lines);
    const { statement } = await askedFor(together([1, 2]));
    expect(JSON.parse(statement).write).toMatchObject({
      target: 'lines',
      effects: [{ amount: '3', money: 'USDC', to: '3 lines' }],
    });
    const decisions = await office.both(statement);
    await settled(api, (await together([1, 2], { decisions })).id);
    expect(await office.paid()).toEqual([1_400_000n, 100_000n]);
  });
});

describe('a writer whose ledger was lost', () => {
  it('sends no line of a batch that the list shows, alone or in another batch', async () => {
    const first = await payoutWith(small);
    await settled(first.api, (await first.together([0, 1])).id);
    const { api } = office.writer(newLedger());
    const { payout } = first;
    const request = await office.keys.backend.sign(payout.text, 'request');
    const sent = (places: number[]) =>
      sendBatch(api, payout, {
        payments: places.map((place) => paymentOf(payout, small[place] ?? lineOf('none', '1'))),
        authority: { request, proof: payout.proofOf(...places) },
      });
    await expect(sent([0, 1])).rejects.toMatchObject({ next: 'lookUp' });
    expect(await apart(sent([1, 2]))).toEqual({
      places: [0],
      message: expect.stringContaining('The service has a record of it'),
    });
    const authority = { request, proof: payout.proofOf(0) };
    const alone = sendLine(api, payout, { line: small[0] ?? lineOf('none', '1'), authority });
    await expect(alone).rejects.toMatchObject({ next: 'lookUp' });
    await settled(api, (await sent([2, 3])).id);
    expect(await office.paid()).toEqual([100_000n, 200_000n, 300_000n, 400_000n]);
  });
});

describe('a line that failed alone in its batch', () => {
  async function block(method: 'PUT' | 'DELETE'): Promise<void> {
    const url = `${office.sandbox().origin}/_sandbox/blocklist/${stranger}`;
    await office.sandbox().request(method, url, { headers: {} });
  }

  /** Pays a batch whose second line fails, and then lets that line be paid. */
  async function failed(fields: object) {
    const lines = [lineOf('a', '0.1'), lineOf('b', '0.2', stranger), lineOf('c', '0.3')];
    const sent = await payoutWith(lines, { fields });
    await block('PUT');
    await settled(sent.api, (await sent.together([0, 1, 2])).id);
    await block('DELETE');
    expect(await office.paid()).toEqual([100_000n, 300_000n]);
    return sent;
  }

  it('is paid as its next generation, once the chain has proven that, within the signed sums', async () => {
    const { api, alone, together } = await failed({ unpaidIn: unpaidOn(office.sandbox().rpcUrl) });
    await expect(alone(0, [], 1)).rejects.toMatchObject({ next: 'lookUp' });
    expect(await apart(together([1, 2], { generation: 1 }))).toMatchObject({ places: [1] });
    await settled(api, (await alone(1, [], 1)).id);
    await expect(alone(1, [], 2)).rejects.toMatchObject({ next: 'lookUp' });
    expect(await office.paid()).toEqual([100_000n, 300_000n, 200_000n]);
  });

  it('is not paid by a writer without a node of the chain', async () => {
    const { alone } = await failed({});
    await expect(alone(1, [], 1)).rejects.toMatchObject({ next: 'lookUp' });
    expect(await office.paid()).toEqual([100_000n, 300_000n]);
  });
});

test('a batch can be cancelled and accelerated as a write of this writer', async () => {
  const { api, together } = await payoutWith(small);
  const { id } = await together([0, 1]);
  for (const [step, ask] of [
    ['accelerate', api.accelerateTransaction],
    ['cancel', api.cancelTransaction],
  ] as const) {
    const request = asOf(partsOf(step, { generation: 1 }));
    const { idempotencyKey } = request.identity;
    // The service may answer that it is too late. The writer lets the request out.
    const answer = await ask({ id, idempotencyKey }, request.how).then(
      () => 'let out',
      (error) => (error instanceof WithheldError ? error.message : 'let out'),
    );
    expect(answer).toBe('let out');
  }
  await settled(api, id);
});
