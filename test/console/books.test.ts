import { ArchiveError } from '../../src/books/archive/archive';
import { emptyBook } from '../../src/checks/book';
import type { ShownClose } from '../../src/console/watch/readCloses';
import type { AccountWatch } from '../../src/console/watch/watching';
import { consoleOffice, payee } from './office';

const evil = '<img src=x onerror=alert(1)>';
const close: ShownClose = {
  workflowId: 'close:2026-11-27:4711',
  runId: 'run-1',
  day: '2026-11-27',
  startedAt: '2026-11-28T00:15:00.000Z',
  execution: 'COMPLETED',
  result: {
    day: '2026-11-27',
    timeZone: 'UTC',
    blocks: { opening: 4_700, closing: 4_711 },
    wallets: 2,
    isBalanced: false,
    summary: `2026-11-27 is closed at block 4711, and a person has to look ${evil}`,
    balances: [
      { token: 'USDC', opening: '5', in: '0', out: '1.5', fees: '0', closing: '3.5' },
      { token: evil, wallet: payee, in: '1', out: '0', fees: '0', unexplained: '1' },
    ],
    rows: [
      { class: 'inbound', amount: '1', token: 'USDC' },
      {
        class: 'moved by somebody else',
        amount: '1.5',
        token: 'USDC',
        wallet: payee,
        order: 'transfer:invoice-1',
        why: `Its nonce is of nobody here ${evil}`,
      },
    ],
    hasArchive: true,
    notLookedAt: [`items of ${evil}`],
  },
  whole: { day: '2026-11-27', counts: { matched: 12 } },
};
const failed = { ...close, workflowId: 'close:2026-11-26:4000', day: '2026-11-26' };
const {
  result: _,
  whole,
  ...without
} = { ...failed, execution: 'FAILED', error: `No node ${evil}` };
const now: { closes: ShownClose[] } = { closes: [close, without] };
const watch: Partial<AccountWatch> = { closes: async () => now.closes };
const nameOf = (address: string) => (address === payee ? `Acme ${evil}` : undefined);
const office = consoleOffice({ watch, book: { ...emptyBook, nameOf } });
const archived = consoleOffice({
  watch: {
    ...watch,
    receipts: async ({ fromMs }) => {
      if (fromMs !== Date.parse('2026-11-27')) throw new ArchiveError('There is no archive.');
      return (async function* () {
        yield '{"order":1}\n';
      })();
    },
  },
});

async function page(path: string): Promise<string> {
  const own = await office.signIn(office.people.vi.signIn);
  const { body } = await office.ask(path, { headers: own });
  expect(body).not.toContain('<img src=x');
  return body;
}

describe('the page of books', () => {
  it('shows each day, and in red what somebody else has moved', async () => {
    const body = await page('/books');
    expect(body).toContain('href="/books/close%3A2026-11-27%3A4711">2026-11-27</a>');
    expect(body).toContain('<b class="bad">Somebody else has moved money.</b>');
    expect(body).toContain('<b class="bad">not closed</b>');
    expect(body).toContain('No node &lt;img');
    expect(body).toContain('STEADFAST_STORE is not set for it');
  });

  it('names the command where no day was closed', async () => {
    now.closes = [];
    expect(await page('/books')).toContain('npx --no-install steadfast close DAY');
    now.closes = [close, without];
  });

  it('shows the differences of a day in words, the troubles first', async () => {
    const body = await page('/books/close%3A2026-11-27%3A4711');
    const [moved, inbound] = ['moved by somebody else</b>:', 'inbound</b>:'].map((words) =>
      body.indexOf(words),
    );
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(inbound ?? 0);
    expect(body).toContain(`1.5 USDC from ${payee}`);
    expect(body).toContain(`<code>${payee}</code> <b>Acme &lt;img`);
    expect(body).toContain('<a href="/orders/transfer%3Ainvoice-1">The order</a>');
    expect(body).toContain('blocks 4701 to 4711');
    expect(body).toContain('/close.json');
    expect(body).not.toContain('/receipts.jsonl');
  });

  it('lets the close be downloaded, and names one that is not there', async () => {
    const own = await office.signIn(office.people.vi.signIn);
    const path = '/books/close%3A2026-11-27%3A4711/close.json';
    const answer = await office.ask(path, { headers: own });
    expect(answer.json()).toEqual(whole);
    expect(answer.headers['content-type']).toContain('application/json');
    const none = await office.ask('/books/close%3Aother', { headers: own });
    expect(none.statusCode).toBe(404);
  });

  it('lets the receipts of a day be downloaded where there is an archive', async () => {
    const own = await archived.signIn(archived.people.vi.signIn);
    const path = '/books/close%3A2026-11-27%3A4711/receipts.jsonl';
    expect((await archived.ask(path, { headers: own })).body).toBe('{"order":1}\n');
    const here = await office.ask(path, { headers: await office.signIn(office.people.vi.signIn) });
    expect(here.statusCode).toBe(404);
    expect(here.body).toContain('The console has no archive');
  });
});
