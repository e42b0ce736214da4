import { consoleOffice } from '../office';

const office = consoleOffice();

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

  it('show the state of one, and lead to its approval', async () => {
    const own = await office.signIn(office.people.vi.signIn);
    const page = await office.ask('/orders/transfer%3Ainvoice-1', { headers: own });
    expect(page.body).toContain('<b data-told="status">NeedsApproval</b>');
    expect(page.body).toContain('href="/approvals/transfer%3Ainvoice-1"');
  });
});
