import { consoleOffice, payee, statementOf } from './office';

const office = consoleOffice();
const { ann } = office.people;
const path = '/approvals/transfer%3Ainvoice-1';

beforeEach(() => {
  office.asks.statement = statementOf('4');
  office.script.waiting = [];
  office.script.told = (status) => status;
});

async function page(of: string) {
  return office.ask(of, { headers: await office.signIn(ann.signIn) });
}

describe('an order that no worker tells of', () => {
  beforeEach(() => {
    office.script.told = (status) => ({ ...status, progress: undefined });
  });

  it('may wait for its reader, and the list says so', async () => {
    const { body } = await page('/approvals');
    expect(body).toContain('Nothing on this page, as far as it can be read, waits for you.');
    expect(body).toContain('<h2>Not known</h2>');
    expect(body).toContain('No worker tells now what it asks. Ask again.');
  });

  it('is not called one that asks for nothing, and nobody decides on it', async () => {
    const { body } = await page(path);
    expect(body).toContain('No worker tells now what it asks. Ask again.');
    expect(body).not.toContain('asks for no approval');
    const shown = { target: 'transfer/1#0', digest: '0'.repeat(64), purpose: 'approval' };
    const own = await office.signIn(ann.signIn);
    const answer = await office.post(`${path}/challenge`, shown, own);
    expect([answer.statusCode, answer.json().message]).toEqual([
      503,
      'No worker tells now what it asks. Ask again. Nothing was signed.',
    ]);
  });

  it('can be withdrawn by those who request', async () => {
    expect((await page('/orders/transfer%3Ainvoice-1')).body).toContain('data-action="withdraw"');
  });
});

const unreadable = () => {
  throw new TypeError('given of undefined');
};

it.each([
  ['asks in a form that nobody reads', () => ({ progress: { approvals: 5 } })],
  ['cannot be read', unreadable],
])('an order that %s holds up no other one', async (_, forged) => {
  office.script.waiting = ['transfer:n-1'];
  office.script.told = (status) =>
    'workflowId' in status && status.workflowId === 'transfer:n-1'
      ? { ...status, ...forged() }
      : status;
  const { statusCode, body } = await page('/approvals');
  expect(statusCode).toBe(200);
  expect(body).toContain('<h2>For you</h2><div');
  expect(body).toContain('>transfer:invoice-1</a>');
  expect(body).toContain('<h2>Not known</h2>');
});

it('an address that is none is shown as it is', async () => {
  office.asks.statement = statementOf('4')
    .replaceAll(payee.toLowerCase(), payee)
    .replaceAll(payee, `0X${'a'.repeat(40)}`);
  const { statusCode, body } = await page('/approvals');
  expect(statusCode).toBe(200);
  expect(body).toContain(`0X${'a'.repeat(40)}`);
});

describe('an order that was ended from outside', () => {
  beforeEach(() => {
    office.script.told = (status) => ({ ...status, execution: 'TERMINATED', error: 'by hand' });
  });

  it('stands as ended, and asks for nothing', async () => {
    const order = (await page('/orders/transfer%3Ainvoice-1')).body;
    expect(order).toContain('<b data-told="status">TERMINATED</b>');
    expect(order).not.toContain('Decide on it');
    expect(order).not.toContain('Ways out');
    const asked = (await page(path)).body;
    expect(asked).toContain('It asks for no approval: it has ended as TERMINATED.');
    expect(asked).not.toContain('data-action="decide"');
    expect(asked).not.toContain('It waits for');
  });
});

it('an order that was paid by an earlier run says so first, with its receipt', async () => {
  const paidBefore = { runId: 'run-0', words: 'has paid 4 USDC', receipt: { txHash: '0xabc' } };
  office.script.told = (status) => {
    return { ...status, execution: 'FAILED', error: 'The policy refused it.', paidBefore };
  };
  const { body } = await page('/orders/transfer%3Ainvoice-1');
  expect(body).toContain('An earlier run of this id has paid 4 USDC.');
  expect(body).toContain('<h2>Receipt of the earlier run</h2>');
  expect(body).toContain('0xabc');
});
