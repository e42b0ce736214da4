import type { Signed } from '../../src/orders/input/signed';
import type { Clock } from '../../src/writer/clock';
import { textOf } from '../../src/writer/signing/statement';
import { blockchain, settled } from '../support/sandbox';
import {
  asDecision,
  askedFor,
  decided,
  newLedger,
  type Ordered,
  send,
  signedOrders,
  tierOf,
} from './people/signedOrders';
import { consoleOrigin, type Touch, testPasskey } from './signing/passkeys';
import { payee } from './writer';

const office = signedOrders();
const passkeys = { cy: testPasskey(), ann: testPasskey(), signIn: testPasskey() };

/** A writer whose people have passkeys. Cy requests orders, and is a treasurer as well. */
function writer(ledger = newLedger(), clock?: Clock) {
  const { ann, cy } = office.people;
  const people = {
    ...office.people,
    ann: { keys: [...ann.keys, passkeys.ann.publicKey] },
    cy: { keys: [...cy.keys, passkeys.cy.publicKey], signIn: [passkeys.signIn.publicKey] },
  };
  const tiers = [tierOf('large', '2', { with: 'any' })];
  return office.writer(ledger, tiers, { names: { people }, clock });
}

const ordered = (amount: string): Ordered => office.ordered(amount, payee, 7_200_000);

/** The request of Cy's passkey, as it is touched. */
const ofCy = ({ text }: Ordered, how: Touch = {}, by = passkeys.cy): Signed =>
  by.touch(text, 'request', how);

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const hourLater: Clock = {
  heard: () => undefined,
  read: () => ({ nowMs: Date.now() + 3_600_000 }),
};

describe('a request by a passkey', () => {
  it('is paid once', async () => {
    const { api } = writer();
    const order = ordered('1');
    const request = ofCy(order);
    const { id } = await send(api, order, { request });
    expect((await send(api, order, { request })).id).toBe(id);
    await settled(api, id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('waits for others than its person, whatever key that one has', async () => {
    const { api } = writer();
    const order = ordered('4');
    const request = ofCy(order);
    const asked = await askedFor(send(api, order, { request }));
    const { statement } = asked;
    const own = [await decided(statement, passkeys.cy), await decided(statement, office.keys.cy)];
    const next = await askedFor(send(api, order, { request, decisions: own }));
    expect(next).toMatchObject({
      given: [],
      message: expect.stringContaining('cy may not decide on it'),
    });
    const decisions = [...own, ...(await office.both(statement))];
    await settled(api, (await send(api, order, { request, decisions })).id);
    expect(await office.paid()).toEqual([4_000_000n]);
  });

  it('counts until it expires, once a writer has seen it in time, and after a restart', async () => {
    const ledger = newLedger();
    const order = ordered('4');
    const request = ofCy(order);
    await askedFor(send(writer(ledger).api, order, { request }));
    const { api } = writer(ledger, hourLater);
    const { statement } = await askedFor(send(api, order, { request }));
    const decisions = await office.both(statement);
    await settled(api, (await send(api, order, { request, decisions })).id);
    expect(await office.paid()).toEqual([4_000_000n]);
  });

  it('is not remembered by another ledger', async () => {
    const order = ordered('1');
    const { api } = writer(newLedger(), hourLater);
    await expect(send(api, order, { request: ofCy(order) })).rejects.toThrow(
      'came later than five minutes after that',
    );
    expect(await office.paid()).toEqual([]);
  });

  it('is withdrawn by the passkey of its person, and by their SSH key', async () => {
    for (const by of [passkeys.cy, office.keys.cy]) {
      const { api, withdraw } = writer();
      const order = ordered('1');
      const request = ofCy(order);
      const kept = await withdraw(await by.sign(withdrawalOf(order), 'rejection'));
      expect(kept.person).toBe('cy');
      await expect(send(api, order, { request })).rejects.toThrow(
        'cy has withdrawn what it signed',
      );
    }
    expect(await office.paid()).toEqual([]);
  });

  it('is not withdrawn by the passkey of another person, nor by itself', async () => {
    const { api, withdraw } = writer();
    const order = ordered('1');
    const request = ofCy(order);
    await withdraw(await passkeys.ann.sign(withdrawalOf(order), 'rejection'));
    await expect(withdraw(request)).rejects.toMatchObject({ next: 'stop' });
    const wrong = passkeys.cy.touch(withdrawalOf(order), 'request');
    await expect(withdraw(wrong)).rejects.toThrow('does not fit the statement and the purpose');
    await settled(api, (await send(api, order, { request })).id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });
});

describe('a passkey does not request', () => {
  const { cy, ann, signIn } = passkeys;
  const changed = ({ text }: Ordered): string => text.replace('"amount":"1"', '"amount":"0.9"');
  const attacks: [what: string, words: string, attack: (order: Ordered) => Signed][] = [
    ['of a stranger', 'of nobody in the policy', (order) => ofCy(order, {}, testPasskey())],
    ['that signs in', 'of nobody in the policy', (order) => ofCy(order, {}, signIn)],
    [
      'of a person who may not request',
      'The rule out wants a signature of @backends',
      (order) => ofCy(order, {}, ann),
    ],
    [
      'by a sign-in',
      'does not fit the statement and the purpose',
      ({ text }) => cy.touch(text, 'signIn'),
    ],
    [
      'by an approval',
      'does not fit the statement and the purpose',
      ({ text }) => cy.touch(text, 'approval'),
    ],
    [
      'by a rejection',
      'does not fit the statement and the purpose',
      ({ text }) => cy.touch(text, 'rejection'),
    ],
    [
      'by a statement that was changed since',
      'does not fit the statement',
      (order) => ({ ...ofCy({ ...order, text: changed(order) }), statement: order.text }),
    ],
    [
      'by a statement of another amount',
      'The order that was signed',
      (order) => ofCy({ ...order, text: changed(order) }),
    ],
    [
      'by an assertion for another order',
      'does not fit the statement',
      (order) => ({ ...ofCy(ordered('1')), statement: order.text }),
    ],
    ['by the request of another order', 'Its request is for the order', () => ofCy(ordered('1'))],
    [
      'by an assertion of more than five minutes ago',
      'came later than five minutes after that',
      (order) => ofCy(order, { at: minutesAgo(6) }),
    ],
    [
      'by an assertion that is dated ahead',
      'is dated ahead',
      (order) => ofCy(order, { at: minutesAgo(-2) }),
    ],
    [
      'on another page',
      `is for ${consoleOrigin}, not for https://console.example.com`,
      (order) => ofCy(order, { origin: 'https://console.example.com' }),
    ],
    [
      'for another relying party',
      'It is for another relying party',
      (order) => ofCy(order, { rpId: 'example.org' }),
    ],
    [
      'in a page inside another one',
      'in a page inside another one',
      (order) => ofCy(order, { crossOrigin: true }),
    ],
    [
      'without a look at its user',
      'Its device has not verified its user',
      (order) => ofCy(order, { flags: 1 }),
    ],
  ];
  it.each(attacks)('%s', async (_, words, attack) => {
    const { api } = writer();
    const order = ordered('1');
    await expect(send(api, order, { request: attack(order) })).rejects.toMatchObject({
      next: 'stop',
      message: expect.stringContaining(words),
    });
    expect(await office.paid()).toEqual([]);
  });

  it('and its request approves nothing', async () => {
    const { api } = writer();
    const order = ordered('4');
    const request = ofCy(order);
    const { statement } = await askedFor(send(api, order, { request }));
    const decisions = [asDecision(ann.touch(statement, 'request'))];
    expect(await askedFor(send(api, order, { request, decisions }))).toMatchObject({
      given: [],
      message: expect.stringContaining('does not fit the statement and the purpose'),
    });
    expect(await office.paid()).toEqual([]);
  });
});

/** The statement with which Cy withdraws all that was signed for an order. */
function withdrawalOf({ parts }: Ordered): string {
  const place = { entity: office.entity(), namespace: 'default', blockchain };
  const signedUntil = new Date().toISOString();
  return textOf({ ...place, order: parts.workflowId, signedUntil });
}
