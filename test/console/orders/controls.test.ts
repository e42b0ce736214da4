import { assertionOf } from '../../../src/writer/signing/assertion';
import { readWithdrawal } from '../../../src/writer/signing/statement';
import { consoleOffice } from '../office';

const office = consoleOffice();
const { ann, bo, vi } = office.people;
const path = '/orders/transfer%3Ainvoice-1';
const { controls } = office.script;

beforeEach(() => {
  controls.length = 0;
  office.writePolicy(['ann', 'bo', 'vi']);
});

/** Withdraws as the script of the page does, with changes. */
async function withdraw({ by = ann.approval, of = path, how = {}, late = 0 } = {}) {
  const own = await office.signIn(ann.signIn);
  const { at, challenge } = (await office.post(`${path}/withdraw/challenge`, {}, own)).json();
  const moment = late === 0 ? at : new Date(Date.parse(at) - late).toISOString();
  const body = { reason: 'twice', at: moment, made: by.answer(challenge, how) };
  return office.post(`${of}/withdraw`, body, own);
}

describe('the controls of an order', () => {
  it('are those that its state allows, each with what it does', async () => {
    const own = await office.signIn(ann.signIn);
    const page = await office.ask(path, { headers: own });
    expect(page.body).toContain('Pause it now');
    expect(page.body).toContain('Cancel it now');
    expect(page.body).toContain('Withdraw with my passkey');
    expect(page.body).toContain('Nothing more is sent until somebody resumes it.');
    expect(page.body).not.toContain('Resume it now');
  });

  it('pause, resume and cancel it with a reason, in the name of whoever asks', async () => {
    const own = await office.signIn(bo.signIn);
    for (const [name, body] of [
      ['pause', { reason: 'unclear' }],
      ['resume', {}],
      ['cancel', { reason: 'twice' }],
    ] as const) {
      expect((await office.post(`${path}/${name}`, body, own)).statusCode).toBe(200);
    }
    const id = 'transfer:invoice-1';
    expect(controls).toEqual([
      { name: 'pause', id, reason: 'bo: unclear' },
      { name: 'resume', id, reason: undefined },
      { name: 'cancel', id, reason: 'bo: twice' },
    ]);
  });

  it('are of nobody who neither requests nor approves', async () => {
    const own = await office.signIn(vi.signIn);
    office.writePolicy(['ann', 'bo', 'vi'], { requesters: ['ann'] });
    expect((await office.ask(path, { headers: own })).body).not.toContain('Pause it now');
    const answer = await office.post(`${path}/pause`, { reason: 'unclear' }, own);
    expect(answer.statusCode).toBe(403);
    expect(controls).toEqual([]);
  });

  it('need the token of the session, and a reason', async () => {
    const own = await office.signIn(ann.signIn);
    const forged = { ...own, 'x-csrf': 'forged' };
    expect((await office.post(`${path}/cancel`, { reason: 'x' }, forged)).statusCode).toBe(403);
    expect((await office.post(`${path}/cancel`, { reason: ' ' }, own)).statusCode).toBe(400);
    expect(controls).toEqual([]);
  });
});

describe('a withdrawal from the page', () => {
  it('is signed by the passkey of its person, for that order', async () => {
    const answer = await withdraw();
    expect(answer.json().message).toContain('is withdrawn');
    const [{ order, signed }] = controls as [
      { order: string; signed: Parameters<typeof assertionOf>[0] },
    ];
    expect(order).toBe('transfer:invoice-1');
    expect(readWithdrawal(signed.statement)).toMatchObject({ order, entity: 'account-1' });
    const [, key] = ann.approval.publicKey.split(' ');
    expect(assertionOf(signed, 'rejection').publicKey).toBe(key);
  });

  const attacks: [what: string, words: string, how: Parameters<typeof withdraw>[0]][] = [
    ['by the passkey of another person', 'no passkey of ann', { by: bo.approval }],
    ['for another order', 'does not fit', { of: '/orders/transfer%3Aother' }],
    ['with another moment', 'does not fit', { late: 1 }],
    ['that took too long', 'took too long', { late: 300_000 }],
  ];
  it.each(attacks)('%s is not handed in', async (_, words, how) => {
    const answer = await withdraw(how);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.json().message).toContain(words);
    expect(controls).toEqual([]);
  });
});
