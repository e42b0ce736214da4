import type { Authority, Decision } from '../../../src/orders/input/signed';
import type { Clock } from '../../../src/writer/clock';
import { settled } from '../../support/sandbox';
import { consoleOrigin, type Touch, testPasskey } from '../signing/passkeys';
import { payee } from '../writer';
import {
  asDecision,
  askedFor,
  decided,
  newLedger,
  send,
  signedOrders,
  tierOf,
} from './signedOrders';

const office = signedOrders();
const passkeys = { ann: testPasskey(), bo: testPasskey(), signIn: testPasskey() };

/** A writer whose people have passkeys as well. Passkeys decide above 2 USDC, unless changed. */
function writer({
  ledger = newLedger(),
  tiers = [tierOf('large', '2', { with: 'any' })],
  clock,
}: {
  ledger?: ReturnType<typeof newLedger>;
  tiers?: object[];
  clock?: Clock;
} = {}) {
  const { ann, bo } = office.people;
  const people = {
    ...office.people,
    ann: { keys: [...ann.keys, passkeys.ann.publicKey], signIn: [passkeys.signIn.publicKey] },
    bo: { keys: [...bo.keys, passkeys.bo.publicKey] },
  };
  return office.writer(ledger, tiers, { names: { people }, clock });
}

/** An order of 4 USDC that its backend has signed, and what a writer asks people about it. */
async function asking({ api }: Pick<ReturnType<typeof writer>, 'api'>) {
  const order = office.ordered('4', payee, 7_200_000);
  const request = await office.keys.backend.sign(order.text, 'request');
  const { statement } = await askedFor(send(api, order, { request }));
  const withDecisions = (...decisions: Decision[]): Authority => ({ request, decisions });
  return { order, statement, withDecisions };
}

/** The decision of Ann's passkey, as it is touched. */
const ofAnn = (statement: string, how: Touch = {}, by = passkeys.ann): Decision =>
  asDecision(by.touch(statement, 'approval', how));

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('passkeys', () => {
  it('of two people approve an order, and it is paid once', async () => {
    const { api } = writer();
    const { order, statement, withDecisions } = await asking({ api });
    const one = await decided(statement, passkeys.ann);
    const next = await askedFor(send(api, order, withDecisions(one)));
    expect(next.given).toEqual(['ann']);
    const both = withDecisions(one, await decided(statement, passkeys.bo));
    await settled(api, (await send(api, order, both)).id);
    expect(await office.paid()).toEqual([4_000_000n]);
  });

  it('count beside SSH keys, and a person with both counts once', async () => {
    const { api } = writer();
    const { order, statement, withDecisions } = await asking({ api });
    const one = ofAnn(statement);
    const twice = withDecisions(one, await decided(statement, office.keys.ann));
    const next = await askedFor(send(api, order, twice));
    expect(next).toMatchObject({
      given: ['ann'],
      message: expect.stringContaining('ann has approved it before, and counts once'),
    });
    const both = withDecisions(one, await decided(statement, office.keys.bo));
    await settled(api, (await send(api, order, both)).id);
    expect(await office.paid()).toEqual([4_000_000n]);
  });

  it('count for as long as the rule says, once a writer has seen them in time', async () => {
    const ledger = newLedger();
    const { order, statement, withDecisions } = await asking(writer({ ledger }));
    const early = withDecisions(ofAnn(statement));
    await askedFor(send(writer({ ledger }).api, order, early));
    const hourLater: Clock = {
      heard: () => undefined,
      read: () => ({ nowMs: Date.now() + 3_600_000 }),
    };
    const { api } = writer({ ledger, clock: hourLater });
    const next = await askedFor(send(api, order, early));
    expect(next.given).toEqual(['ann']);
    const [approval] = early.decisions ?? [];
    const both = withDecisions(
      ...[approval ?? []].flat(),
      await decided(statement, office.keys.bo),
    );
    await settled(api, (await send(api, order, both)).id);
    expect(await office.paid()).toEqual([4_000_000n]);
  });

  it('reject an order for good, however late that comes', async () => {
    const { api } = writer();
    const { order, statement, withDecisions } = await asking({ api });
    const how = { at: minutesAgo(60) };
    const no = asDecision(passkeys.ann.touch(statement, 'rejection', how), 'rejection');
    await expect(send(api, order, withDecisions(no))).rejects.toMatchObject({
      next: 'stop',
      message: expect.stringContaining('ann has rejected it'),
    });
    const approvals = withDecisions(...(await office.both(statement)));
    await expect(send(api, order, approvals)).rejects.toThrow('ann has rejected it');
    expect(await office.paid()).toEqual([]);
  });
});

describe('a passkey does not approve', () => {
  const { ann, bo, signIn } = passkeys;
  const changed = (statement: string) => statement.replace('"amount":"4"', '"amount":"3"');
  const attacks: [what: string, words: string, attack: (statement: string) => Decision][] = [
    ['of a stranger', 'of nobody in the policy', (asks) => ofAnn(asks, {}, testPasskey())],
    ['that signs in', 'of nobody in the policy', (asks) => ofAnn(asks, {}, signIn)],
    [
      'by a sign-in',
      'does not fit the statement and the purpose',
      (asks) => asDecision(ann.touch(asks, 'signIn')),
    ],
    [
      'by a rejection',
      'does not fit the statement and the purpose',
      (asks) => asDecision(ann.touch(asks, 'rejection')),
    ],
    [
      'by a statement that was changed since',
      'does not fit the statement',
      (asks) => ofAnn(changed(asks)),
    ],
    [
      'by an assertion of more than five minutes ago',
      'came later than five minutes after that',
      (asks) => ofAnn(asks, { at: minutesAgo(6) }),
    ],
    [
      'by an assertion that is dated ahead',
      'is dated ahead',
      (asks) => ofAnn(asks, { at: minutesAgo(-2) }),
    ],
    [
      'on another page',
      `is for ${consoleOrigin}, not for https://console.example.com`,
      (asks) => ofAnn(asks, { origin: 'https://console.example.com' }),
    ],
    [
      'on another page of the same relying party',
      `is for ${consoleOrigin}, not for ${consoleOrigin}:8443`,
      (asks) => ofAnn(asks, { origin: `${consoleOrigin}:8443` }),
    ],
    [
      'for another relying party',
      'It is for another relying party',
      (asks) => ofAnn(asks, { rpId: 'example.org' }),
    ],
    [
      'without a look at its user',
      'Its device has not verified its user',
      (asks) => ofAnn(asks, { flags: 1 }),
    ],
    [
      'with the key of somebody else in it',
      'It does not fit its key',
      (asks) => {
        const of = (by: typeof ann) => JSON.parse(by.touch(asks, 'approval').signature);
        const signature = JSON.stringify({ ...of(ann), publicKey: of(bo).publicKey });
        return asDecision({ statement: asks, signature });
      },
    ],
  ];
  it.each(attacks)('%s', async (_, words, attack) => {
    const { api } = writer();
    const { order, statement, withDecisions } = await asking({ api });
    const asks = await askedFor(send(api, order, withDecisions(attack(statement))));
    expect(asks).toMatchObject({ given: [], message: expect.stringContaining(words) });
    expect(await office.paid()).toEqual([]);
  });

  it('twice, by its assertion for another order', async () => {
    const { api } = writer();
    const first = await asking({ api });
    const second = await asking({ api });
    const used = ofAnn(first.statement);
    expect(await askedFor(send(api, first.order, first.withDecisions(used)))).toMatchObject({
      given: ['ann'],
    });
    const replayed = await askedFor(send(api, second.order, second.withDecisions(used)));
    expect(replayed).toMatchObject({
      given: [],
      message: expect.stringContaining('does not fit the statement'),
    });
  });

  it('twice, by the same assertion for the same order', async () => {
    const { api } = writer();
    const { order, statement, withDecisions } = await asking({ api });
    const used = ofAnn(statement);
    const asks = await askedFor(send(api, order, withDecisions(used, used)));
    expect(asks).toMatchObject({
      given: ['ann'],
      message: expect.stringContaining('ann has approved it before, and counts once'),
    });
  });

  it('where the rule wants SSH keys, and an SSH key not where it wants passkeys', async () => {
    for (const [kind, by, words] of [
      ['ssh', ann, 'the rule large wants an SSH key, and ann has used a passkey'],
      ['passkey', office.keys.ann, 'the rule large wants a passkey, and ann has used an SSH key'],
    ] as const) {
      const { api } = writer({ tiers: [tierOf('large', '2', { with: kind })] });
      const { order, statement, withDecisions } = await asking({ api });
      const given = withDecisions(await decided(statement, by));
      const asks = await askedFor(send(api, order, given));
      expect(asks).toMatchObject({ given: [], message: expect.stringContaining(words) });
    }
  });
});
