import { canonicalJson } from '../../../../src/custody/canonicalJson';
import type { CustodyApi } from '../../../../src/custody/endpoints';
import type { LineProof } from '../../../../src/orders/input/signed';
import { textOf } from '../../../../src/writer/signing/statement';
import { blockchain, usdc } from '../../../support/sandbox';
import { asOf, payee, stranger } from '../../writer';
import { lineOf, payoutOf, type SentLine, type SignedPayout, sendLine } from '../signedLines';
import type { Office, SignedAttack } from '../signedOrders';

/** The lines of a payout that needs no approval. */
export const three = [lineOf('a', '0.1'), lineOf('b', '0.2'), lineOf('c', '0.3')] as const;

type Change = Partial<SentLine & { proof: LineProof | undefined }>;

/** Sends the second line of a signed payout with a change. */
const sent =
  (change: (payout: SignedPayout) => Change): SignedAttack[2] =>
  async (office, api) => {
    const payout = payoutOf(office, three);
    const { proof, ...others } = { proof: payout.proofOf(1), ...change(payout) };
    const request = await office.keys.backend.sign(payout.text, 'request');
    const authority = { request, ...(proof && { proof }) };
    return sendLine(api, payout, { line: three[1], authority, ...others });
  };

/** Sends the second line with a text that the backend has signed. */
const signedAs =
  (textFor: (payout: SignedPayout) => string): SignedAttack[2] =>
  async (office, api) => {
    const payout = payoutOf(office, three);
    const request = await office.keys.backend.sign(textFor(payout), 'request');
    return sendLine(api, payout, {
      line: three[1],
      authority: { request, proof: payout.proofOf(1) },
    });
  };

/** A line with its proof under the id of another payout. */
async function elsewhere(office: Office, api: CustodyApi): Promise<unknown> {
  const [payout, other] = [payoutOf(office, three), payoutOf(office, three)];
  const request = await office.keys.backend.sign(payout.text, 'request');
  return sendLine(api, other, { line: three[1], authority: { request, proof: payout.proofOf(1) } });
}

/** A step that payouts do not make, with the signature and the proof of a line. */
async function invented(office: Office, api: CustodyApi): Promise<unknown> {
  const payout = payoutOf(office, three);
  const request = await office.keys.backend.sign(payout.text, 'request');
  const { workflowId } = payout;
  const { identity, how } = asOf({ workflowId, step: 'transfer', item: '1', generation: 0 });
  const own = { walletAddress: office.wallet().address, blockchain, tokenAddress: usdc };
  const input = { ...identity, ...own, destinationAddress: payee, amounts: ['0.2'] };
  const authority = { request, proof: payout.proofOf(1) };
  return api.createTransfer(input as never, { ...how, authority });
}

/** A proof of one line with other claims about it. */
export function named(proof: LineProof, claims: Partial<LineProof['lines'][number]>): LineProof {
  return { ...proof, lines: proof.lines.map((line) => ({ ...line, ...claims })) };
}

const foreign = 'none of those that were signed';

/** Lines that are none of those that were signed. Each is refused. */
export const lineAttacks: readonly SignedAttack[] = [
  ['without its proof', 'comes without its proof', sent(() => ({ proof: undefined }))],
  ['with another amount', foreign, sent(() => ({ line: lineOf('b', '0.3') }))],
  ['to somebody else', foreign, sent(() => ({ line: lineOf('b', '0.2', stranger) }))],
  [
    'under another line id',
    foreign,
    sent(({ proofOf }) => ({
      line: lineOf('x', '0.2'),
      proof: named(proofOf(1), { lineId: 'x' }),
    })),
  ],
  [
    'with the proof of another line',
    'Its proof is of the line a#0',
    sent(({ proofOf }) => ({ proof: proofOf(0) })),
  ],
  [
    'with the path of another line',
    foreign,
    sent(({ proofOf }) => ({ proof: { ...proofOf(1), others: proofOf(0).others } })),
  ],
  [
    'at an index that no line has',
    foreign,
    sent(({ proofOf }) => ({ proof: named(proofOf(1), { index: 3 }) })),
  ],
  [
    'with a node in place of its leaf',
    foreign,
    sent(({ tree, proofOf }) => ({
      proof: { ...named(proofOf(1), { index: 0 }), others: [tree.below?.[1].hash ?? ''] },
    })),
  ],
  [
    'in another token than it names',
    'pays EURC, not',
    sent(({ proofOf }) => ({ proof: { ...proofOf(1), token: 'EURC' } })),
  ],
  [
    'in another token than was signed',
    foreign,
    sent(({ proofOf }) => ({ proof: { ...proofOf(1), token: usdc } })),
  ],
  ['under the id of another payout', 'Its request is for the order', elsewhere],
  ['as a step that payouts do not make', 'makes no write transfer/1', invented],
  [
    'by a request that says nothing of lines',
    'lines: is missing. It must name all lines of a payout',
    signedAs(({ statement: { lines: _, ...bare } }) => canonicalJson(bare)),
  ],
  [
    'by a request that says its lines twice',
    'canonical form',
    signedAs(({ statement }) => textOf(statement).replace('"lines":{', '"lines":{"count":"9",')),
  ],
];
