import { batchCall, itemOfBatch } from '../../../../src/custody/batch';
import type { LineProof } from '../../../../src/orders/input/signed';
import { eurc, usdc } from '../../../support/sandbox';
import { stranger } from '../../writer';
import { lineOf, payoutOf, type SignedPayout } from '../signedLines';
import type { SignedAttack } from '../signedOrders';
import { named, three } from './lineAttacks';
import { paymentOf, type SentBatch, sendBatch } from './signedBatches';

type Sent = Partial<SentBatch & { proof: LineProof | undefined }>;
type Given = { payout: SignedPayout; other: SignedPayout; proof: LineProof };

/** Sends all lines of a signed payout in one batch, with a change. */
const sent =
  (change: (given: Given) => Sent): SignedAttack[2] =>
  async (office, api) => {
    const [payout, other] = [payoutOf(office, three), payoutOf(office, three)];
    const given = { payout, other, proof: payout.proofOf(0, 1, 2) };
    const payments = three.map((line) => paymentOf(payout, line));
    const { proof, ...others } = { payments, proof: given.proof, ...change(given) };
    const request = await office.keys.backend.sign(payout.text, 'request');
    return sendBatch(api, payout, { authority: { request, ...(proof && { proof }) }, ...others });
  };

const [a, b, c] = three;
/** The batch with another payment in place of its second one. */
const second = (of: (given: Given) => ReturnType<typeof paymentOf>) =>
  sent((given) => ({
    payments: [paymentOf(given.payout, a), of(given), paymentOf(given.payout, c)],
  }));

const foreign = 'at least one is none of those that were signed';
const unmarked = 'Payment 1 of its batch is not marked for b#0';

/** Batches that pay something else than lines that were signed. Each is refused as a whole. */
export const batchAttacks: readonly SignedAttack[] = [
  ['without any proof', 'payment 0 of the batch', sent(() => ({ proof: undefined }))],
  [
    'with no proof of one of its lines',
    'payment 2 of the batch',
    sent(({ proof }) => ({ proof: { ...proof, lines: proof.lines.slice(0, 2) } })),
  ],
  [
    'with a payment more than its proof has',
    'payment 3 of the batch',
    sent(({ payout }) => ({
      payments: [...three, lineOf('x', '0.1')].map((line) => paymentOf(payout, line)),
    })),
  ],
  [
    'with more lines in its proof than it pays',
    foreign,
    sent(({ payout }) => ({ payments: [a, b].map((line) => paymentOf(payout, line)) })),
  ],
  [
    'with a wrong amount in one payment',
    foreign,
    second(({ payout }) => paymentOf(payout, lineOf('b', '0.3'))),
  ],
  [
    'with a payment to somebody else',
    foreign,
    second(({ payout }) => paymentOf(payout, lineOf('b', '0.2', stranger))),
  ],
  ['with a line of another payout', unmarked, second(({ other }) => paymentOf(other, b))],
  [
    'with the mark of another line',
    unmarked,
    second(({ payout }) => ({ ...paymentOf(payout, b), mark: paymentOf(payout, c).mark })),
  ],
  [
    'with the mark of another generation',
    unmarked,
    second(({ payout }) => paymentOf(payout, b, 1)),
  ],
  [
    'in a generation that no batch has',
    'not marked for a#25',
    sent(({ payout, proof }) => ({
      payments: three.map((line) => paymentOf(payout, line, 25)),
      proof: named(proof, { generation: 25 }),
    })),
  ],
  [
    'that pays one line twice',
    foreign,
    sent(({ payout, proof }) => ({
      payments: [a, a, b].map((line) => paymentOf(payout, line)),
      proof: { ...proof, lines: [0, 0, 1].flatMap((at) => proof.lines[at] ?? []) },
    })),
  ],
  [
    'with a proof that lacks a hash',
    foreign,
    sent(({ payout }) => ({
      payments: [a, b].map((line) => paymentOf(payout, line)),
      proof: { ...payout.proofOf(0, 1), others: [] },
    })),
  ],
  [
    'under the name of another batch',
    'It is not the batch 1',
    sent(() => ({ parts: { item: '1' } })),
  ],
  [
    'with a call that is no payment',
    'It is not the batch',
    sent(({ payout }) => {
      const payments = three.map((line) => paymentOf(payout, line));
      const call = batchCall(payout.wallet, { tokenAddress: usdc, payments }, { mayFail: true });
      const [calls = []] = call.abiParameters;
      const burnt = [usdc, true, `0x42966c68${'0'.repeat(63)}1`];
      return { fields: { ...call, abiParameters: [[...calls, burnt]] } };
    }),
  ],
  [
    'in the form of a smart account, from an account with a key',
    'It calls executeBatch, which moves money of an SCA alone, and its wallet is an EOA.',
    sent(({ payout }) => ({
      fields: batchCall(
        { ...payout.wallet, accountType: 'SCA' },
        { tokenAddress: usdc, payments: three.map((line) => paymentOf(payout, line)) },
        { mayFail: true },
      ),
    })),
  ],
  [
    'with the native coin along',
    'It does more than the payments of its batch',
    sent(() => ({ fields: { amount: '0.5' } })),
  ],
  [
    'in another token than it names',
    'The line a pays EURC, not',
    sent(({ proof }) => ({ proof: { ...proof, token: 'EURC' } })),
  ],
  [
    'in another token than was signed',
    'Payment 0 of its batch does something else',
    sent(({ payout }) => {
      const payments = three.map((line) => paymentOf(payout, line));
      const { id: walletId } = payout.wallet;
      const batch = { walletId, tokenAddress: eurc, payments };
      return {
        fields: batchCall(payout.wallet, batch, { mayFail: true }),
        parts: { item: itemOfBatch(batch) },
      };
    }),
  ],
];
