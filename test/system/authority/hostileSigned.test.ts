import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Child } from '../../../src/local/childProcess';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { settled } from '../../support/sandbox';
import { three } from '../../writer/people/attacks/lineAttacks';
import { testSignedAttacks } from '../../writer/people/attacks/signedAttacks';
import { paymentOf, sendBatch } from '../../writer/people/attacks/signedBatches';
import { lineOf, payoutOf, sendLine } from '../../writer/people/signedLines';
import { askedFor, decided, send, signedOrders } from '../../writer/people/signedOrders';
import { asOf } from '../../writer/writer';
import { type HostileCaller, hostileCaller } from './hostileCaller';
import { startPolicedWorker } from './policedWorker';

const taskQueue = `hostile-signed-${process.pid}-${Date.now()}`;
const folder = newFolder();
const office = signedOrders({ isShared: true });
let worker: Child;
let caller: HostileCaller;

beforeAll(async () => {
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(office.policy()));
  worker = await startPolicedWorker(office.sandbox(), { folder, taskQueue });
  stopLater(() => worker.stop());
  caller = await hostileCaller(taskQueue, office.sandbox().baseUrl);
  stopLater(() => caller.close());
});

testSignedAttacks(office, () => caller.api);

const signed = (text: string) => office.keys.backend.sign(text, 'request');
/** Waits until what was accepted is on the chain. */
const end = (id: string) => settled(office.sandbox().client, id);

test('an order that two people have approved is paid once, however often it is sent', async () => {
  const { api } = caller;
  const before = await office.paid();
  const order = office.ordered('2.5');
  const request = await signed(order.text);
  const { statement } = await askedFor(send(api, order, { request }));
  const authority = { request, decisions: await office.both(statement) };
  const { id } = await send(api, order, authority);
  expect((await send(api, order, authority)).id).toBe(id);
  await end(id);
  const others: object[] = [{ item: 1 }, { item: ['1'] }, { generation: 1 }, { workflowId: 'x' }];
  for (const fields of others) {
    const { identity, how } = asOf({ ...order.parts, ...fields });
    const other = { ...order, how, input: { ...order.input, ...identity } };
    await expect(send(api, other, authority)).rejects.toThrow();
  }
  expect(await office.paid()).toEqual([...before, 2_500_000n]);
});

test('a generation that was refused vouches for no next one', async () => {
  const { api } = caller;
  const before = await office.paid();
  const order = office.ordered('1.5');
  const authority = { request: await signed(order.text) };
  await end((await send(api, order, authority)).id);
  const at = (generation: number, fields: object = {}) => {
    const parts = { ...order.parts, generation };
    const { identity, how } = asOf(parts);
    return { ...order, parts, how, input: { ...order.input, ...identity, ...fields } };
  };
  const refused = send(api, at(1, { destinationAddress: `0x${'6'.repeat(40)}` }), authority);
  await expect(refused).rejects.toThrow('The policy does not allow');
  await expect(send(api, at(2), authority)).rejects.toThrow('needs an end without effect');
  expect(await office.paid()).toEqual([...before, 1_500_000n]);
});

test('an approved line is paid once, alone, and helps no other payout', async () => {
  const { api } = caller;
  const before = await office.paid();
  const lines = [lineOf('a', '1.5'), lineOf('b', '1.4'), lineOf('c', '0.1')] as const;
  const sendThird = async (payout: ReturnType<typeof payoutOf>, given: object, generation = 0) => {
    const authority = { request: await signed(payout.text), proof: payout.proofOf(2), ...given };
    return sendLine(api, payout, { line: lines[2], authority, generation });
  };
  const [payout, other] = [payoutOf(office, lines), payoutOf(office, lines)];
  const { statement } = await askedFor(sendThird(payout, {}));
  const given = { decisions: await office.both(statement) };
  const { id } = await sendThird(payout, given);
  expect((await sendThird(payout, given)).id).toBe(id);
  await end(id);
  await expect(sendThird(payout, given, 1)).rejects.toMatchObject({ next: 'lookUp' });
  expect((await askedFor(sendThird(other, given))).given).toEqual([]);
  expect(await office.paid()).toEqual([...before, 100_000n]);
});

test('lines that exceed the totals which were signed are not paid', async () => {
  const before = await office.paid();
  const payout = payoutOf(office, three, { totals: { USDC: '0.35' } });
  const request = await signed(payout.text);
  const sendAt = (index: 0 | 1 | 2) => {
    const authority = { request, proof: payout.proofOf(index) };
    return sendLine(caller.api, payout, { line: three[index], authority });
  };
  for (const index of [0, 1] as const) await end((await sendAt(index)).id);
  await expect(sendAt(2)).rejects.toMatchObject({
    next: 'stop',
    message: expect.stringContaining('Its request was signed for 0.35, of which 0.3 are paid'),
  });
  expect(await office.paid()).toEqual([...before, 100_000n, 200_000n]);
});

test('a line of a payout is let out once, alone or in one batch', async () => {
  const { api } = caller;
  const before = await office.paid();
  const payout = payoutOf(office, three);
  const request = await signed(payout.text);
  const together = (...places: (0 | 1 | 2)[]) =>
    sendBatch(api, payout, {
      payments: places.map((place) => paymentOf(payout, three[place])),
      authority: { request, proof: payout.proofOf(...places) },
    });
  const alone = (place: 0 | 1 | 2) =>
    sendLine(api, payout, {
      line: three[place],
      authority: { request, proof: payout.proofOf(place) },
    });
  const { id } = await together(0, 1);
  expect((await together(0, 1)).id).toBe(id);
  const message = expect.stringContaining('It was let out before');
  await expect(alone(1)).rejects.toMatchObject({ next: 'lookUp', message });
  await expect(together(2, 1)).rejects.toMatchObject({ next: 'stop', message });
  await end(id);
  await end((await alone(2)).id);
  await expect(together(1, 2)).rejects.toMatchObject({ next: 'stop', message });
  expect(await office.paid()).toEqual([...before, 100_000n, 200_000n, 300_000n]);
});

test('batches that exceed the totals which were signed are not paid', async () => {
  const before = await office.paid();
  const payout = payoutOf(office, three, { totals: { USDC: '0.3' } });
  const request = await signed(payout.text);
  const together = (...places: (0 | 1 | 2)[]) =>
    sendBatch(caller.api, payout, {
      payments: places.map((place) => paymentOf(payout, three[place])),
      authority: { request, proof: payout.proofOf(...places) },
    });
  const message = expect.stringContaining('Its request was signed for 0.3');
  await expect(together(0, 1, 2)).rejects.toMatchObject({ next: 'stop', message });
  await end((await together(0, 1)).id);
  await expect(together(2)).rejects.toMatchObject({ next: 'stop', message });
  expect(await office.paid()).toEqual([...before, 100_000n, 200_000n]);
});

test('an order that one person has rejected is not paid, whoever approves it', async () => {
  const before = await office.paid();
  const order = office.ordered('2.2');
  const request = await signed(order.text);
  const { statement } = await askedFor(send(caller.api, order, { request }));
  const rejection = await decided(statement, office.keys.cy, 'rejection');
  const decisions = [...(await office.both(statement)), rejection];
  await expect(send(caller.api, order, { request, decisions })).rejects.toMatchObject({
    next: 'stop',
    message: expect.stringContaining('cy has rejected it'),
  });
  expect(await office.paid()).toEqual(before);
});
