import type { RequestStatement } from '../../../src/authority/statement';
import { textOf } from '../../../src/authority/statement';
import { canonicalJson } from '../../../src/custody/canonicalJson';
import { WithheldError } from '../../../src/custody/errors';
import type { Decision, LineProof } from '../../../src/orders/input/signed';
import { blockchain, settled, usdc } from '../../support/sandbox';
import { asOf, payee, stranger } from '../writer';
import { lineOf, payoutOf, type SentLine, type SignedPayout, sendLine } from './signedLines';
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
    const authority = { request: await signed(payout.statement), line: payout.proofOf(1) };
    const { id } = await sendLine(api, payout, { line: three[1], authority });
    expect((await sendLine(api, payout, { line: three[1], authority })).id).toBe(id);
    await settled(api, id);
    const again = sendLine(api, payout, { line: three[1], authority, generation: 1 });
    await expect(again).rejects.toThrow('needs an end without effect of generation 0');
    expect(await office.paid()).toEqual([200_000n]);
  });

  const rows: readonly (readonly [
    string,
    (payout: SignedPayout) => Partial<SentLine & { proof: LineProof | undefined }>,
    string,
  ])[] = [
    ['without its proof', () => ({ proof: undefined }), 'comes without its proof'],
    ['with another amount', () => ({ line: lineOf('b', '0.3') }), 'none of those that were signed'],
    [
      'to somebody else',
      () => ({ line: lineOf('b', '0.2', stranger) }),
      'none of those that were signed',
    ],
    ['under another id', () => ({ line: lineOf('x', '0.2') }), 'none of those that were signed'],
    [
      'with the proof of another line',
      ({ proofOf }) => ({ proof: proofOf(0) }),
      'none of those that were signed',
    ],
    [
      'at an index that no line has',
      ({ proofOf }) => ({ proof: { ...proofOf(1), index: 3 } }),
      'none of those that were signed',
    ],
    [
      'with a node in place of its leaf',
      ({ tree }) => ({ proof: { index: 0, token: 'USDC', path: [tree.below?.[1].hash ?? ''] } }),
      'none of those that were signed',
    ],
    [
      'in another token than it names',
      ({ proofOf }) => ({ proof: { ...proofOf(1), token: 'EURC' } }),
      'pays EURC, not',
    ],
    [
      'in another token than was signed',
      ({ proofOf }) => ({ proof: { ...proofOf(1), token: usdc } }),
      'none of those that were signed',
    ],
  ];

  it.each(rows)('%s is not paid', async (_, change, words) => {
    const { api } = office.writer();
    const payout = payoutOf(office, three);
    const { proof, ...sent } = { proof: payout.proofOf(1), ...change(payout) };
    const request = await signed(payout.statement);
    const authority = { request, ...(proof && { line: proof }) };
    const sending = sendLine(api, payout, { line: three[1], authority, ...sent });
    expect(await refusal(sending)).toContain(words);
    expect(await office.paid()).toEqual([]);
  });

  it('is not paid under the id of another payout, nor as a write that payouts do not make', async () => {
    const { api } = office.writer();
    const [payout, other] = [payoutOf(office, three), payoutOf(office, three)];
    const authority = { request: await signed(payout.statement), line: payout.proofOf(1) };
    expect(await refusal(sendLine(api, other, { line: three[1], authority }))).toContain(
      'Its request is for the order',
    );
    const { workflowId } = payout;
    const { identity, how } = asOf({ workflowId, step: 'transfer', item: '1', generation: 0 });
    const own = { walletAddress: office.wallet().address, blockchain, tokenAddress: usdc };
    const input = { ...identity, ...own, destinationAddress: payee, amounts: ['0.2'] };
    const invented = api.createTransfer(input as never, { ...how, authority });
    expect(await refusal(invented)).toContain('makes no write transfer/1');
    expect(await office.paid()).toEqual([]);
  });

  it('that exceeds the sums that were signed is not paid, whatever the root says', async () => {
    const { api } = office.writer();
    const payout = payoutOf(office, three, { totals: { USDC: '0.35' } });
    const request = await signed(payout.statement);
    const send = (index: 0 | 1 | 2) =>
      sendLine(api, payout, {
        line: three[index],
        authority: { request, line: payout.proofOf(index) },
      });
    await send(0);
    await send(1);
    await expect(send(2)).rejects.toThrow(
      'Its request was signed for 0.35, of which 0.3 are paid or under way.',
    );
    expect(await refusal(send(2))).toContain('Its request was signed for 0.35');
  });

  it('is not paid by a request that says nothing of lines, or that says it twice', async () => {
    const { api } = office.writer();
    const payout = payoutOf(office, three);
    const { lines: _, ...bare } = payout.statement;
    const line = payout.proofOf(1);
    const sendWith = async (text: string) => {
      const request = await office.keys.backend.sign(text, 'request');
      return sendLine(api, payout, { line: three[1], authority: { request, line } });
    };
    expect(await refusal(sendWith(canonicalJson(bare)))).toContain('names no lines');
    const twice = textOf(payout.statement).replace('"lines":{', '"lines":{"count":"9",');
    expect(await refusal(sendWith(twice))).toContain('canonical form');
    expect(await office.paid()).toEqual([]);
  });
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
        authority: { request, decisions, line: payout.proofOf(index) },
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
    const authority = { request: await signed(payout.statement), line: payout.proofOf(0) };
    const text = await textOfAsked(sendLine(api, payout, { line: lines[0], authority }));
    const decisions = await office.both(text);
    const foreign = {
      request: await signed(other.statement),
      line: other.proofOf(0),
      decisions,
    };
    const asked = await textOfAsked(sendLine(api, other, { line: lines[0], authority: foreign }));
    expect(JSON.parse(asked).order).toBe(other.workflowId);
    expect(await office.paid()).toEqual([]);
  });
});
