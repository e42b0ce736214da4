import { WithheldError } from '../../../src/custody/errors';
import type { Decision } from '../../../src/orders/input/signed';
import type { RequestStatement } from '../../../src/writer/signing/statement';
import { textOf } from '../../../src/writer/signing/statement';
import { settled } from '../../support/sandbox';
import { lineOf, payoutOf, sendLine } from './signedLines';
import { askedFor, decided, signedOrders } from './signedOrders';

const office = signedOrders();

const signed = (statement: RequestStatement) =>
  office.keys.backend.sign(textOf(statement), 'request');

async function refusal(sending: Promise<unknown>): Promise<string> {
  const error = await sending.then(
    () => new Error('It was sent.'),
    (thrown) => thrown,
  );
  return error instanceof WithheldError && error.next === 'stop' ? error.message : `! ${error}`;
}

const three = [lineOf('a', '0.1'), lineOf('b', '0.2'), lineOf('c', '0.3')] as const;

describe('a line of a signed payout', () => {
  it('is paid with its proof, in every attempt, and under its own key alone', async () => {
    const { api } = office.writer();
    const payout = payoutOf(office, three);
    const authority = { request: await signed(payout.statement), proof: payout.proofOf(1) };
    const { id } = await sendLine(api, payout, { line: three[1], authority });
    expect((await sendLine(api, payout, { line: three[1], authority })).id).toBe(id);
    await settled(api, id);
    const again = sendLine(api, payout, { line: three[1], authority, generation: 1 });
    await expect(again).rejects.toThrow('needs an end without effect of generation 0');
    expect(await office.paid()).toEqual([200_000n]);
  });

  it('that exceeds the sums that were signed is not paid, whatever the root says', async () => {
    const { api } = office.writer();
    const payout = payoutOf(office, three, { totals: { USDC: '0.35' } });
    const request = await signed(payout.statement);
    const send = (index: 0 | 1 | 2) =>
      sendLine(api, payout, {
        line: three[index],
        authority: { request, proof: payout.proofOf(index) },
      });
    await send(0);
    await send(1);
    await expect(send(2)).rejects.toThrow(
      'Its request was signed for 0.35, of which 0.3 are paid or under way.',
    );
    expect(await refusal(send(2))).toContain('Its request was signed for 0.35');
  });
});

it('a line of a payout whose lines come to more than its own maxTotal is not paid', async () => {
  const { api } = office.writer();
  const payout = payoutOf(office, three);
  const money = { ...payout.statement.money, maxTotal: { USDC: '0.5' } };
  const request = await signed({ ...payout.statement, money });
  const authority = { request, proof: payout.proofOf(0) };
  expect(await refusal(sendLine(api, payout, { line: three[0], authority }))).toContain(
    'Its lines come to more than its own maxTotal, as it was signed.',
  );
  expect(await office.paid()).toEqual([]);
});

it.each([
  ['has more fields than a payout', { lines: 20, paid: 20 }, 'lines: 20 must be'],
  ['has a field of no kind', { checks: { digest: 'a' } }, 'checks: {"digest":"a"} has no place'],
  ['names no wallets', { wallets: undefined }, 'wallets: is missing.'],
])('a line of a payout whose signed order %s is not paid', async (_, change, words) => {
  const { api } = office.writer();
  const payout = payoutOf(office, three);
  const money = JSON.parse(JSON.stringify({ ...payout.statement.money, ...change }));
  const request = await signed({ ...payout.statement, money });
  const authority = { request, proof: payout.proofOf(0) };
  expect(await refusal(sendLine(api, payout, { line: three[0], authority }))).toContain(words);
  expect(await office.paid()).toEqual([]);
});

it('a line of a payout of a schedule is paid, though the schedule names no payout', async () => {
  const { api } = office.writer();
  const payout = payoutOf(office, three);
  const { payoutId: _, ...money } = payout.statement.money;
  const request = await signed({ ...payout.statement, money });
  const authority = { request, proof: payout.proofOf(0) };
  await settled(api, (await sendLine(api, payout, { line: three[0], authority })).id);
  expect(await office.paid()).toEqual([100_000n]);
});

describe('a payout above a tier', () => {
  const lines = [lineOf('a', '1.5'), lineOf('b', '1.4'), lineOf('c', '0.1')] as const;

  const textOfAsked = async (sending: Promise<unknown>): Promise<string> =>
    (await askedFor(sending)).statement;

  it('asks people about the whole, though no line is, and two signatures pay each line', async () => {
    const { api } = office.writer();
    const payout = payoutOf(office, lines);
    const request = await signed(payout.statement);
    const send = (index: 0 | 1 | 2, decisions: Decision[]) =>
      sendLine(api, payout, {
        line: lines[index],
        authority: { request, decisions, proof: payout.proofOf(index) },
      });
    const text = await textOfAsked(send(2, []));
    expect(JSON.parse(text)).toMatchObject({
      lines: { count: '3', totals: { USDC: '3' } },
      write: { target: 'lines', effects: [{ amount: '3', money: 'USDC', to: '3 lines' }] },
    });
    expect(await textOfAsked(send(0, [await decided(text, office.keys.ann)]))).toContain(
      '"target":"lines"',
    );
    expect(await office.paid()).toEqual([]);
    const decisions = await office.both(text);
    for (const index of [0, 1, 2] as const) await settled(api, (await send(index, decisions)).id);
    expect((await office.paid()).sort()).toEqual([100_000n, 1_400_000n, 1_500_000n]);
  });

  it('is not helped by an approval of another payout with the same lines', async () => {
    const { api } = office.writer();
    const [payout, other] = [payoutOf(office, lines), payoutOf(office, lines)];
    const authority = { request: await signed(payout.statement), proof: payout.proofOf(0) };
    const text = await textOfAsked(sendLine(api, payout, { line: lines[0], authority }));
    const decisions = await office.both(text);
    const foreign = {
      request: await signed(other.statement),
      proof: other.proofOf(0),
      decisions,
    };
    const asked = await textOfAsked(sendLine(api, other, { line: lines[0], authority: foreign }));
    expect(JSON.parse(asked).order).toBe(other.workflowId);
    expect(await office.paid()).toEqual([]);
  });
});
