import { linesDigest } from '../../../src/checks/digest';
import { fileBytesMax, fileLinesMax } from '../../../src/console/start/upload';
import { readRequest } from '../../../src/writer/signing/statement';
import { consoleOffice, payee } from '../office';
import { payoutOf, requested, requestIn } from './requests';

const office = consoleOffice();
const { ann } = office.people;
const header = 'lineId,to,amount,token\n';
const rows = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line-${at},${payee},0.25,USDC\n`).join('');

beforeEach(() => {
  office.script.started.length = 0;
});

describe('a payout from the page', () => {
  it('shows sums, digest, findings and all lines, and is requested as a whole', async () => {
    const own = await office.signIn(ann.signIn);
    const sent = payoutOf(header + rows(150), { reference: 'June' });
    const kept = await office.post('/start/payout', sent, own);
    const { path } = kept.json();
    const page = await office.ask(path, { headers: own });
    expect(page.body).toContain('<b>37.5 USDC</b>\nin 150 lines');
    const lines = Array.from({ length: 150 }, () => ({ to: payee, amount: '0.25', token: 'USDC' }));
    expect(page.body).toContain(linesDigest(lines));
    expect(page.body).toContain('(twice)');
    expect(page.body).toContain('150 of 150');
    const found = await office.ask(`${path}?q=line-149`, { headers: own });
    expect(found.body).toContain('1 of 150');
    const answer = await requested(office, own, { form: 'payout', sent });
    expect(answer.json()).toMatchObject({ path: '/payouts/payout%3Ajune' });
    const statement = readRequest(requestIn(office).statement);
    expect(statement).toMatchObject({
      order: 'payout:june',
      lines: { count: '150', totals: { USDC: '37.5' } },
    });
  });

  it('of 10,000 lines goes', async () => {
    const own = await office.signIn(ann.signIn);
    const sent = payoutOf(header + rows(10_000), { batch: false });
    const answer = await requested(office, own, { form: 'payout', sent });
    expect(answer.statusCode).toBe(200);
    expect(readRequest(requestIn(office).statement).lines?.count).toBe('10000');
    expect(office.script.started[0]?.order).toMatchObject({ batch: false });
  });

  it('reads columns of other names, as the command line does', async () => {
    const own = await office.signIn(ann.signIn);
    const text = `No,Wallet Address,Amount,Team,"Street, No."\n1,${payee},2,East,"Here, 1"\n`;
    const map = 'lineId=No,to=Wallet Address';
    const fields = { map, ignore: 'Team, Street, No.', token: 'USDC' };
    const answer = await requested(office, own, { form: 'payout', sent: payoutOf(text, fields) });
    expect(answer.statusCode).toBe(200);
    expect(readRequest(requestIn(office).statement).lines?.totals).toEqual({ USDC: '2' });
  });

  it('reads JSON Lines too', async () => {
    const own = await office.signIn(ann.signIn);
    const line = { lineId: 'a', to: payee, amount: '1', token: 'USDC' };
    const sent = payoutOf(`${JSON.stringify(line)}\n`, { name: 'june.jsonl' });
    expect((await requested(office, own, { form: 'payout', sent })).statusCode).toBe(200);
  });

  it('says that each line has a transaction of its own, and what is not signed', async () => {
    const own = await office.signIn(ann.signIn);
    const sent = payoutOf(header + rows(1), { batch: false, reference: 'June' });
    const { path } = (await office.post('/start/payout', sent, own)).json();
    const page = await office.ask(path, { headers: own });
    expect(page.body).toMatch(/Not signed[\s\S]*June[\s\S]*one for each line/);
  });

  const wide = 'x'.repeat(20_000);
  const broken: [what: string, words: string, sent: object][] = [
    ['without lines', 'holds no lines', payoutOf(header)],
    ['of nothing', 'june.csv', payoutOf('')],
    ['of bytes', 'june.csv', payoutOf('\x00\x01\x02\x03')],
    ['of a workbook', 'is a workbook', payoutOf('PK\x03\x04')],
    ['of another form', 'Name it after its form', payoutOf('a', { name: 'june.exe' })],
    ['with a name that leads elsewhere', 'Name it', payoutOf('a', { name: '../../etc/passwd' })],
    ['with an open quote', 'double quote', payoutOf(`${header}"${wide}`)],
    ['with a wrong amount', 'row 2, column amount', payoutOf(`${header}a,${payee},1e3,USDC\n`)],
    ['with one id twice', 'is the id of row 2', payoutOf(header + rows(1) + rows(1))],
    ['with an unknown column', 'has no place here', payoutOf(`x,${header}1,a,${payee},1,USDC\n`)],
    ['with a wrong map', 'must be a field and a column', payoutOf(header, { map: 'up' })],
    ['with a wrong token', 'token: "X"', payoutOf(header, { token: 'X' })],
    ['with too many lines', `a page takes ${fileLinesMax}`, payoutOf(header + rows(20_001))],
    ['from no wallet', 'choose one', payoutOf(header + rows(1), { wallets: [] })],
    ['from a stranger', 'no limit lets', payoutOf(header + rows(1), { wallets: ['stranger'] })],
  ];
  it.each(broken)('%s is refused in a sentence', async (_, words, sent) => {
    const own = await office.signIn(ann.signIn);
    const answer = await office.post('/start/payout', sent, own);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
    expect(answer.json().message).toContain(words);
    expect(answer.json().message).not.toMatch(/steadfast-lines-|undefined/);
  });

  it('of a giant file is refused before it is read', async () => {
    const own = await office.signIn(ann.signIn);
    for (const bytes of [fileBytesMax + 3, 2 * fileBytesMax]) {
      const answer = await office.post('/start/payout', payoutOf('x'.repeat(bytes)), own);
      expect([400, 413]).toContain(answer.statusCode);
      expect(answer.json().message).toMatch(/is too large|A page takes a file of 5000000 bytes/);
    }
  });

  it('of a stranger is refused before its body is read', async () => {
    const answer = await office.post('/start/payout', payoutOf('x'.repeat(2 * fileBytesMax)));
    expect(answer.statusCode).toBe(401);
  });

  it('shows markup in ids, names and references as text', async () => {
    const own = await office.signIn(ann.signIn);
    const name = '<script>alert(1)</script>';
    const line = { lineId: 'a', to: payee, amount: '1', token: 'USDC', name, reference: name };
    const fields = { name: 'june.jsonl', reference: name };
    const sent = payoutOf(`${JSON.stringify(line)}\n`, fields);
    const { path } = (await office.post('/start/payout', sent, own)).json();
    const page = await office.ask(`${path}?q=${encodeURIComponent(name)}`, { headers: own });
    expect(page.body).not.toContain(name);
    expect(page.body).toContain('&lt;script&gt;');
  });
});
