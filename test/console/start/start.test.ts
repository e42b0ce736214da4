import { makeBook } from '../../../src/checks/book';
import { assertionOf } from '../../../src/writer/signing/assertion';
import { readRequest } from '../../../src/writer/signing/statement';
import { consoleOffice, payee, wallet } from '../office';
import { requested, requestIn, type Steps, transfer } from './requests';

const supplier = `0x${'3'.repeat(40)}`;
const book = makeBook([
  { name: 'Supplies Ltd', address: supplier },
  { name: 'Twins', address: `0x${'1'.repeat(40)}` },
  { name: 'Twins', address: `0x${'2'.repeat(40)}` },
]);
const office = consoleOffice({ book });
const { ann, bo, vi } = office.people;

beforeEach(() => {
  office.script.started.length = 0;
  office.script.change = (order) => order;
  office.writePolicy(['ann', 'bo', 'vi']);
});

describe('a transfer from the page', () => {
  it('is started with the request of its person, over all that the page has shown', async () => {
    const own = await office.signIn(ann.signIn);
    const kept = await office.post('/start/transfer', transfer, own);
    const page = await office.ask(kept.json().path, { headers: own });
    expect(page.body).toContain(`<b>3 USDC</b> to <code>${payee}</code>`);
    expect(page.body).toContain('transfer:invoice-7');
    const answer = await requested(office, own);
    expect(answer.json()).toMatchObject({ path: '/orders/transfer%3Ainvoice-7' });
    const request = requestIn(office);
    expect(readRequest(request.statement)).toMatchObject({
      entity: 'account-1',
      order: 'transfer:invoice-7',
      kind: 'transferStablecoin',
      money: { to: payee, amount: '3', token: 'USDC' },
    });
    const [, key] = ann.approval.publicKey.split(' ');
    expect(assertionOf(request, 'request').publicKey).toBe(key);
  });

  it('is for a payee of the address book by the name', async () => {
    const own = await office.signIn(ann.signIn);
    const named = { ...transfer, to: 'supplies ltd' };
    const kept = await office.post('/start/transfer', named, own);
    const page = await office.ask(kept.json().path, { headers: own });
    expect(page.body).toContain('<b>Supplies Ltd</b>');
    await requested(office, own, { sent: named });
    const { money } = readRequest(requestIn(office).statement);
    expect(String(money.to).toLowerCase()).toBe(supplier);
  });

  const faults: [what: string, words: string, fields: object][] = [
    ['no id', 'id: give your own id', { id: '' }],
    ['an id without its own part', 'give your own id', { id: 'transfer:' }],
    ['no amount', 'amount: &quot;&quot;', { amount: '' }],
    ['a wrong address', 'to: ', { to: '0x12' }],
    ['a name of nobody', 'to: "Nobody" is no address', { to: 'Nobody' }],
    ['a name of two payees', 'has several addresses', { to: 'Twins' }],
    ['a wallet of no limit', 'no limit lets', { wallet: '11111111-1111-4222-8333-4444aaaa6666' }],
    ['an unusable id', 'id: ', { id: 'a b' }],
    ['an unknown field', 'Unrecognized key', { generations: { 'transfer/1': 1 } }],
  ];
  it.each(faults)('with %s is refused in a sentence', async (_, words, fields) => {
    const own = await office.signIn(ann.signIn);
    const answer = await office.post('/start/transfer', { ...transfer, ...fields }, own);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toContain(words.replaceAll('&quot;', '"'));
    expect(office.script.started).toEqual([]);
  });

  it('shows markup in its texts as text', async () => {
    const own = await office.signIn(ann.signIn);
    const reference = '<img src=x onerror=alert(1)>';
    const kept = await office.post('/start/transfer', { ...transfer, reference }, own);
    const page = await office.ask(kept.json().path, { headers: own });
    expect(page.body).not.toContain('<img');
    expect(page.body).toContain('&lt;img src=x');
  });
});

describe('a request', () => {
  const attacks: [what: string, words: string, steps: Steps][] = [
    ['by the passkey of another person', 'no passkey of ann', { by: bo.approval }],
    ['by the passkey of the sign-in', 'no passkey of ann', { by: ann.signIn }],
    ['by an answer to another challenge', 'does not fit', { how: { challenge: 'AAAA' } }],
    ['without a look at the user', 'has not verified its user', { how: { flags: 1 } }],
    ['on another page', 'is for', { how: { origin: 'https://console.example.com' } }],
    [
      'of an order that changes after its page',
      'another one than was signed',
      {
        between: () => {
          office.script.change = (order) => ({ ...order, amount: '4' });
        },
      },
    ],
    [
      'of somebody who requests no more',
      'ann is in no group that requests',
      { between: () => office.writePolicy(['ann', 'bo', 'vi'], { requesters: ['vi'] }) },
    ],
  ];
  it.each(attacks)('%s starts nothing', async (_, words, steps) => {
    const answer = await requested(office, await office.signIn(ann.signIn), steps);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.json().message).toContain(words);
    expect(office.script.started).toEqual([]);
  });

  it('by a sign-in starts nothing, also with the passkey that requests', async () => {
    const { challenge } = (await office.post('/sign-in/challenge', {})).json();
    const own = await office.signIn(ann.signIn);
    const answer = await requested(office, own, { how: { challenge } });
    expect(answer.json().message).toContain('does not fit the statement and the purpose');
    expect(office.script.started).toEqual([]);
  });

  it('by the answer to an approval starts nothing', async () => {
    const own = await office.signIn(ann.signIn);
    const path = '/approvals/transfer%3Ainvoice-1';
    const page = await office.ask(path, { headers: own });
    const [, digest = ''] = /data-digest="([0-9a-f]{64})"/.exec(page.body) ?? [];
    const shown = { target: 'transfer/1#0', digest, purpose: 'approval' };
    const { challenge } = (await office.post(`${path}/challenge`, shown, own)).json();
    const answer = await requested(office, own, { how: { challenge } });
    expect(answer.json().message).toContain('does not fit the statement and the purpose');
    expect(office.script.started).toEqual([]);
  });

  it('answers no challenge of another draft', async () => {
    const own = await office.signIn(ann.signIn);
    const other = await office.post('/start/transfer', { ...transfer, amount: '1' }, own);
    const { challenge } = (await office.post(`${other.json().path}/challenge`, {}, own)).json();
    const answer = await requested(office, own, { how: { challenge } });
    expect(answer.json().message).toContain('does not fit');
    expect(office.script.started).toEqual([]);
  });

  it('is answered once', async () => {
    const own = await office.signIn(ann.signIn);
    const kept = await office.post('/start/transfer', transfer, own);
    const { path } = kept.json();
    const { challenge } = (await office.post(`${path}/challenge`, {}, own)).json();
    const body = { made: ann.approval.answer(challenge) };
    expect((await office.post(path, body, own)).statusCode).toBe(200);
    expect((await office.post(path, body, own)).statusCode).toBe(404);
    expect(office.script.started).toHaveLength(1);
  });

  it('is made by no other session, also of the same person', async () => {
    const own = await office.signIn(ann.signIn);
    for (const passkey of [ann.signIn, vi.signIn]) {
      const answering = await office.signIn(passkey);
      const answer = await requested(office, own, { answering });
      expect(answer.statusCode).toBe(404);
      expect(answer.json().message).toContain('of another session');
    }
    expect(office.script.started).toEqual([]);
  });

  it('needs the token of its session', async () => {
    const own = await office.signIn(ann.signIn);
    const other = await office.signIn(vi.signIn);
    for (const token of ['', 'forged', other['x-csrf'] ?? '']) {
      const answer = await office.post('/start/transfer', transfer, { ...own, 'x-csrf': token });
      expect(answer.statusCode).toBe(403);
    }
  });

  it('is of nobody else than those who sign orders, and they alone see the page', async () => {
    const own = await office.signIn(bo.signIn);
    for (const path of ['/start', '/start/transfer', '/start/payout']) {
      expect((await office.ask(path, { headers: own })).statusCode).toBe(403);
    }
    expect((await office.post('/start/transfer', transfer, own)).statusCode).toBe(403);
    const pages = [own, await office.signIn(vi.signIn)].map((headers) =>
      office.ask('/orders', { headers }),
    );
    const [ofBo, ofVi] = await Promise.all(pages);
    expect(ofBo?.body).not.toContain('href="/start"');
    expect(ofVi?.body).toContain('href="/start"');
  });

  it.each([
    [48, 72],
    [120, 120],
  ])(
    'counts as long as a rule of %d hours lets people approve it: %d hours',
    async (within, hours) => {
      office.writePolicy(['ann', 'bo', 'vi'], { within });
      const own = await office.signIn(ann.signIn);
      await requested(office, own);
      const { expires } = readRequest(requestIn(office).statement);
      expect(Math.round((Date.parse(expires) - Date.now()) / 3_600_000)).toBe(hours);
      const kept = await office.post('/start/transfer', transfer, own);
      const page = await office.ask(kept.json().path, { headers: own });
      expect(page.body).toContain('They have time until <time');
      const asked = await office.ask('/approvals/transfer%3Ainvoice-1', { headers: own });
      expect(asked.body).toContain(
        '<dt>its request counts until</dt><dd><time datetime="2026-12-02T17:00:00Z">',
      );
    },
  );

  it('counts until the moment that its page has shown, whatever changes after that', async () => {
    const own = await office.signIn(ann.signIn);
    const { path } = (await office.post('/start/transfer', transfer, own)).json();
    const page = await office.ask(path, { headers: own });
    const [, shown = ''] = /counts until<\/dt><dd><time datetime="([^"]+)"/.exec(page.body) ?? [];
    office.writePolicy(['ann', 'bo', 'vi'], { within: 8_000 });
    const { challenge } = (await office.post(`${path}/challenge`, {}, own)).json();
    await office.post(path, { made: ann.approval.answer(challenge) }, own);
    expect(readRequest(requestIn(office).statement).expires).toBe(shown);
  });

  it('is approved by no requester, and the page says so', async () => {
    office.asks.people = ['bo'];
    const own = await office.signIn(ann.signIn);
    const page = await office.ask('/approvals/transfer%3Ainvoice-1', { headers: own });
    expect(page.body).not.toContain('data-action="decide"');
    expect(page.body).toContain('Nobody approves an order that they request.');
    office.asks.people = ['ann', 'bo'];
  });
});

describe('the wallets of a form', () => {
  const named = consoleOffice({
    watch: {
      wallets: async () => ({
        wallets: [
          {
            id: wallet,
            name: 'Till <1>',
            address: payee,
            accountType: 'EOA',
            state: 'LIVE',
            held: [],
          },
        ],
        blockchain: 'ARC-TESTNET',
        left: 0,
      }),
    },
  });
  it('have their names, and are shown without one where no worker tells it', async () => {
    const own = await named.signIn(named.people.ann.signIn);
    const form = await named.ask('/start/transfer', { headers: own });
    expect(form.body).toContain(`<option value="${wallet}">Till &lt;1&gt; · ${wallet}</option>`);
    const payout = await named.ask('/start/payout', { headers: own });
    expect(payout.body).toContain(`<code>${wallet}</code> Till &lt;1&gt;`);
    const without = await office.ask('/start/transfer', {
      headers: await office.signIn(ann.signIn),
    });
    expect(without.body).toContain(`<option value="${wallet}">${wallet}</option>`);
  });
});

describe('a console without the id of its account', () => {
  const other = consoleOffice({ entity: '' });
  it('says so, and starts nothing', async () => {
    const own = await other.signIn(other.people.ann.signIn);
    const page = await other.ask('/start', { headers: own });
    expect(page.statusCode).toBe(503);
    expect(page.body).toContain('STEADFAST_ENTITY_ID is not set');
    expect((await other.post('/start/transfer', transfer, own)).statusCode).toBe(503);
  });
});
