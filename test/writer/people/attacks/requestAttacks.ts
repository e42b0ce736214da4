import { canonicalJson } from '../../../../src/custody/canonicalJson';
import { textOf } from '../../../../src/writer/signing/statement';
import { createUsedWallet } from '../../../support/sandbox';
import { asOf, stranger, transferFrom } from '../../writer';
import { type Office, type Ordered, type SignedAttack, send } from '../signedOrders';

type Attack = SignedAttack[2];

/** Sends an order whose statement the backend has signed in another form. */
function signedAs(change: (text: string, order: Ordered) => string): Attack {
  return async (office, api) => {
    const order = office.ordered('1.5');
    const text = change(order.text, order);
    return send(api, order, { request: await office.keys.backend.sign(text, 'request') });
  };
}

/** Sends an order whose statement was signed with other fields. */
const signedWith = (fields: object): Attack =>
  signedAs((_, { statement }) => canonicalJson({ ...statement, ...fields }));

const signedWithMoney = (fields: object): Attack =>
  signedAs((_, { statement }) => {
    return textOf({ ...statement, money: { ...statement.money, ...fields } });
  });

/** Sends an order that somebody has signed, for some purpose. */
const signedBy =
  (person: keyof Office['keys'], purpose: 'request' | 'approval' = 'request'): Attack =>
  async (office, api) => {
    const order = office.ordered('1.5');
    return send(api, order, { request: await office.keys[person].sign(order.text, purpose) });
  };

/** Sends a signed order as a write whose parts have another value. */
const asParts =
  (fields: object): Attack =>
  async (office, api) => {
    const order = office.ordered('1.5');
    const request = await office.keys.backend.sign(order.text, 'request');
    const parts = { ...order.parts, ...fields };
    const { identity, how } = asOf(parts);
    const other = { ...order, how, input: { ...order.input, ...identity }, parts };
    return send(api, other, { request });
  };

/** Orders with requests that do not cover them. Each is refused. */
export const requestAttacks: readonly SignedAttack[] = [
  [
    'that nobody has signed',
    'wants a signature of @backends',
    (office, api) => send(api, office.ordered('1.5'), {}),
  ],
  [
    'that a key of nobody has signed',
    'signed with a key of nobody in the policy',
    signedBy('mallory'),
  ],
  [
    'that somebody outside the group has signed',
    'wants a signature of @backends, and the order has one of ann, who is not in that group',
    signedBy('ann'),
  ],
  [
    'that was signed as an approval',
    'It is for steadfast-approval',
    signedBy('backend', 'approval'),
  ],
  [
    'whose statement was changed after it was signed',
    'does not fit',
    async (office, api) => {
      const order = office.ordered('1.5');
      const { signature } = await office.keys.backend.sign(order.text, 'request');
      const statement = textOf({ ...order.statement, expires: '2999-01-01T00:00:00.000Z' });
      return send(api, order, { request: { statement, signature } });
    },
  ],
  [
    'whose request has expired',
    'The request of backend has expired at',
    signedWith({ expires: '2026-01-01T00:00:00.000Z' }),
  ],
  ['that was signed for another account', 'for the entity other', signedWith({ entity: 'other' })],
  [
    'that was signed for another namespace',
    'for the namespace prod',
    signedWith({ namespace: 'prod' }),
  ],
  [
    'that was signed for another chain',
    'for the blockchain ETH-SEPOLIA',
    signedWith({ blockchain: 'ETH-SEPOLIA' }),
  ],
  [
    'that was signed under another id',
    'for the order transfer:1',
    signedWith({ order: 'transfer:1' }),
  ],
  ['that was signed as another kind', 'wallet: is missing', signedWith({ kind: 'fundWallet' })],
  ['that was signed with another amount', 'pays 1.1, not 1.5', signedWithMoney({ amount: '1.1' })],
  [
    'that was signed with another recipient',
    `pays ${stranger}, not`,
    signedWithMoney({ to: stranger }),
  ],
  ['that was signed with another token', 'pays EURC, not', signedWithMoney({ token: 'EURC' })],
  [
    'that was signed for another wallet',
    'pays from',
    async (office, api) => {
      const order = office.ordered('1.5');
      const { id } = await createUsedWallet(office.sandbox().client, 'EOA');
      const money = { ...order.statement.money, from: { walletId: id } };
      const text = textOf({ ...order.statement, money });
      return send(api, order, { request: await office.keys.backend.sign(text, 'request') });
    },
  ],
  // Its approvers would read them in place of what it pays.
  [
    'that was signed with the lines of a payout',
    'must name all lines of a payout, and stand in no other statement',
    signedWith({ lines: { count: '1', root: '0'.repeat(64), totals: { USDC: '0.1' } } }),
  ],
  [
    'that was signed as a dry run',
    'money.dryRun: true has no place in what is signed',
    signedWithMoney({ dryRun: true }),
  ],
  [
    'that was signed with an end that nobody keeps',
    'money.validUntil: "2026-01-01T00:00:00Z" has no place in what is signed',
    signedWithMoney({ validUntil: '2026-01-01T00:00:00Z' }),
  ],
  [
    'that was signed with a reference that tells another story',
    'money.reference: "test, nothing is sent" has no place in what is signed',
    signedWithMoney({ reference: 'test, nothing is sent' }),
  ],
  [
    'with the request of another order',
    'Its request is for the order',
    async (office, api) => {
      const first = office.ordered('0.1');
      const request = await office.keys.backend.sign(first.text, 'request');
      return send(api, { ...first, ...transferFrom(office.wallet(), '0.1') }, { request });
    },
  ],
  [
    'with the request of a dry run',
    'Its request is for a dry run',
    signedAs((_, { statement }) => textOf({ ...statement, order: `dry:${statement.order}` })),
  ],
  [
    'as if its dry run were the order',
    'Its request is for a dry run, which pays nothing.',
    async (office, api) => {
      const { statement, ...order } = office.ordered('1.5');
      const workflowId = `dry:${statement.order}`;
      const parts = { ...order.parts, workflowId };
      const { identity, how } = asOf(parts);
      const text = textOf({ ...statement, order: workflowId });
      const dry = { ...order, statement, how, parts, input: { ...order.input, ...identity } };
      return send(api, dry, { request: await office.keys.backend.sign(text, 'request') });
    },
  ],
  ['as a second item', 'makes no write transfer/2', asParts({ item: '2' })],
  // Each would read as the signed write, under a key of its own.
  ['with a number for its item', 'item: 1 must be text', asParts({ item: 1 })],
  ['with a list for its item', 'item: ["1"] must be text', asParts({ item: ['1'] })],
  ['with a list for its step', 'step: ["transfer"] must be text', asParts({ step: ['transfer'] })],
  [
    'with text for its generation',
    'generation: "0" must be a number',
    asParts({ generation: '0' }),
  ],
  [
    'whose statement has a key twice',
    'not in its canonical form',
    signedAs((text) => text.replace('{', '{"kind":"payout",')),
  ],
  [
    'whose statement has a field more',
    'extra: "1" has no place',
    signedAs((text) => text.replace('{', '{"extra":"1",')),
  ],
  [
    'whose statement begins with a space',
    'not in its canonical form',
    signedAs((text) => ` ${text}`),
  ],
  [
    'whose statement is spread over lines',
    'not in its canonical form',
    signedAs((text) => JSON.stringify(JSON.parse(text), null, 1)),
  ],
];
