import { makeBook } from '../../../src/checks/book';
import { consoleOffice, payee } from '../office';

const office = consoleOffice({
  temporalUi: 'https://temporal.example.org',
  book: makeBook([{ name: 'Mara Lind', address: payee }]),
});
const withoutUi = consoleOffice();

describe('the pages of orders', () => {
  it('list them, with a search by status', async () => {
    const own = await office.signIn(office.people.vi.signIn);
    const page = await office.ask('/orders?status=NeedsApproval', { headers: own });
    expect(page.body).toContain('href="/orders/transfer%3Ainvoice-1"');
    expect(page.body).toContain('<option value="NeedsApproval" selected>');
    const wrong = await office.ask('/orders?status=Never', { headers: own });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('status:');
  });

  it('lead to Temporal UI only where its address is set', async () => {
    const own = await withoutUi.signIn(withoutUi.people.vi.signIn);
    const page = await withoutUi.ask('/orders/transfer%3Ainvoice-1', { headers: own });
    expect(page.body).not.toContain('Temporal UI');
  });

  it('say that there are older ones, and lead to them with the same filter', async () => {
    const own = await office.signIn(office.people.vi.signIn);
    office.script.waiting = Array.from({ length: 101 }, (_, at) => `transfer:n-${at}`);
    const page = await office.ask('/orders?reference=June', { headers: own });
    expect(page.body).toContain('This page looks at 100 of them.');
    const to = '/orders?status=&amp;reference=June&amp;until=2026-11-28T12%3A00%3A00Z';
    expect(page.body).toContain(`href="${to}">Older ones</a>`);
    await office.ask(to.replaceAll('&amp;', '&'), { headers: own });
    expect(office.script.listed.at(-1)).toEqual({
      limit: 101,
      reference: 'June',
      scope: '',
      until: '2026-11-28T12:00:00Z',
    });
    const payouts = await office.ask('/payouts', { headers: own });
    expect(payouts.body).not.toContain('Older ones');
    office.script.waiting = [];
  });

  it.each(['orders', 'payouts', 'approvals'])('show no workflow of others: %s', async (pages) => {
    const own = await office.signIn(office.people.ann.signIn);
    for (const path of ['', '/live', '/results.csv'].map(
      (end) => `/${pages}/foreign%3Ajob${end}`,
    )) {
      const page = await office.ask(path, { headers: own });
      expect(page.statusCode).toBe(404);
      expect(page.body).not.toContain('NeedsApproval');
    }
    for (const change of ['pause', 'cancel', 'withdraw/challenge', 'retry', 'challenge']) {
      const sent = { reason: 'why', lineId: 'a' };
      const answer = await office.post(`/${pages}/foreign%3Ajob/${change}`, sent, own);
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    }
    expect(office.script.controls).toEqual([]);
  });

  it('show the state of one, and lead to its approval', async () => {
    const own = await office.signIn(office.people.vi.signIn);
    const page = await office.ask('/orders/transfer%3Ainvoice-1', { headers: own });
    expect(page.body).toContain('<b data-told="status">NeedsApproval</b>');
    expect(page.body).toContain('href="/approvals/transfer%3Ainvoice-1"');
    const history = '/namespaces/default/workflows/transfer%3Ainvoice-1/run-1';
    expect(page.body).toContain(`href="https://temporal.example.org${history}"`);
  });

  it('show the addresses of a receipt in full, with their names', async () => {
    const own = await office.signIn(office.people.vi.signIn);
    office.script.receipt = { to: payee.toLowerCase(), amount: '4' };
    const page = await office.ask('/orders/transfer%3Ainvoice-1', { headers: own });
    expect(page.body).toContain(`<dt>to</dt><dd><code>${payee}</code> <b>Mara Lind</b></dd>`);
    expect(page.body).toContain('<dt>amount</dt><dd><code>4</code></dd>');
    office.script.receipt = undefined;
  });
});
