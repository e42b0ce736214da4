import type { Decision } from '../../../../src/orders/input/signed';
import { withKeyOf } from '../../signing/keys';
import {
  asDecision,
  askedFor,
  decided,
  type Office,
  type SignedAttack,
  send,
} from '../signedOrders';

/** The decisions that are given, once the writer has asked for the approval of a text. */
type Deciding = (office: Office, asks: string) => Promise<Decision[]>;

/** Orders 4 USDC, which two have to approve, and sends it with decisions. */
const with4 =
  (decisionsOn: Deciding, requester: keyof Office['keys'] = 'backend'): SignedAttack[2] =>
  async (office, api) => {
    const order = office.ordered('4');
    const request = await office.keys[requester].sign(order.text, 'request');
    const { statement } = await askedFor(send(api, order, { request }));
    return send(api, order, { request, decisions: await decisionsOn(office, statement) });
  };

/** The approval of Ann, and one of somebody else, or of another text. */
const annAnd =
  (other: keyof Office['keys'], change = (asks: string) => asks): Deciding =>
  async ({ keys }, asks) => [
    await decided(asks, keys.ann),
    await decided(change(asks), keys[other]),
  ];

const expiring =
  (at: string) =>
  (asks: string): string =>
    asks.replace(/"expires":"[^"]+"/, `"expires":"${at}"`);

/** Orders above a tier, with approvals that are too few. Each still waits for people. */
export const approvalAttacks: readonly SignedAttack[] = [
  ['when one person approves with two keys', 'ann approved so far', with4(annAnd('annToo'))],
  ['when one person approves twice', 'ann approved so far', with4(annAnd('ann'))],
  [
    'when somebody outside the group approves',
    'backend may not decide on it',
    with4(annAnd('backend')),
  ],
  [
    'when a stranger approves',
    'signed with a key of nobody in the policy',
    with4(annAnd('mallory')),
  ],
  ['when its requester approves', 'cy may not decide on it', with4(annAnd('cy'), 'cy')],
  [
    'when a request stands for an approval',
    'It is for steadfast-request',
    with4(async ({ keys }, asks) => [
      await decided(asks, keys.ann),
      asDecision(await keys.bo.sign(asks, 'request')),
    ]),
  ],
  [
    'with an approval whose key is a byte too short',
    'Its key has 31 bytes',
    with4(async ({ keys }, asks) => {
      const { statement, signature } = await keys.bo.sign(asks, 'approval');
      const short = asDecision({ statement, signature: withKeyOf(31, signature) });
      return [await decided(asks, keys.ann), short];
    }),
  ],
  [
    'with an approval of another amount',
    'It does not fit the statement',
    with4(annAnd('bo', (asks) => asks.replace('"amount":"4"', '"amount":"3"'))),
  ],
  [
    'with an approval for another ledger',
    'It does not fit the statement',
    with4(annAnd('bo', (asks) => asks.replace(/"ledger":"[^"]+"/, '"ledger":"other"'))),
  ],
  [
    'with an approval for another namespace',
    'It does not fit the statement',
    with4(annAnd('bo', (asks) => asks.replace('"namespace":"default"', '"namespace":"prod"'))),
  ],
  [
    'with an approval that has expired',
    'the approval of bo has expired',
    with4(annAnd('bo', expiring('2020-01-01T00:00:00.000Z'))),
  ],
  [
    'with an approval that lasts too long',
    'the approval of bo counts for longer than the rule allows',
    with4(annAnd('bo', expiring('2999-01-01T00:00:00.000Z'))),
  ],
  [
    'with the approvals of another order',
    'It does not fit the statement',
    async (office, api) => {
      const [own, other] = [office.ordered('4'), office.ordered('4')];
      const sign = (text: string) => office.keys.backend.sign(text, 'request');
      const { statement } = await askedFor(send(api, own, { request: await sign(own.text) }));
      const decisions = await office.both(statement);
      return send(api, other, { request: await sign(other.text), decisions });
    },
  ],
];
