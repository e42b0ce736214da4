import { getAddress } from 'viem';
import { makeBook } from '../../src/checks/book';
import { linesDigest } from '../../src/checks/digest';
import type { TreeLine } from '../../src/writer/signing/lineTree';
import { someone } from '../support/stages';
import { consoleOffice, payoutStatementOf } from './office';

const known = someone();
/** An address that a person takes for the known one. */
const alike = `${known.slice(0, 6)}${'0'.repeat(32)}${known.slice(-4)}`;
const office = consoleOffice({ book: makeBook([{ name: 'Müller & Söhne', address: known }]) });
const path = '/approvals/payout%3Asalaries-2026-12';
const now = 'payout:salaries-2026-12';

const lineOf = (lineId: string, to: string, amount: string): TreeLine => {
  return { lineId, to, amount, token: 'USDC' };
};

/** Has a payout ask people, beside earlier ones. */
function ask(lines: readonly TreeLine[], earlier: Record<string, readonly TreeLine[]> = {}): void {
  const { asks } = office;
  asks.lines.clear();
  asks.lines.set(now, lines);
  for (const [id, of] of Object.entries(earlier)) asks.lines.set(id, of);
  asks.id = now;
  asks.statement = payoutStatementOf('salaries-2026-12', lines);
}

async function pageAt(place: string): Promise<string> {
  const page = await office.ask(place, { headers: await office.signIn(office.people.ann.signIn) });
  expect(page.statusCode).toBe(200);
  return page.body;
}

// Each is a complaint about another product, as its users have written it.
describe('what people complain about elsewhere', () => {
  test('"just a bunch of addresses": names stand beside whole addresses, and the digest can be computed alone', async () => {
    const lines = [lineOf('a', known, '10')];
    ask(lines);
    const page = await pageAt(path);
    expect(page).toContain(`<code>${getAddress(known)}</code> <b>Müller &amp; Söhne</b>`);
    expect(page).toContain(linesDigest(lines));
  });

  test('"five recipients at most": all of 10,000 lines are there, and each is found', async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => {
      return lineOf(`line-${at}`, `0x${String(at).padStart(40, '1')}`, `${at + 1}`);
    });
    ask(lines);
    const first = await pageAt(path);
    expect(first).toContain('10000 of 10000');
    expect(first).toContain('<b>50005000 USDC</b> to 10000 lines');
    const last = await pageAt(`${path}?page=100`);
    expect(last).toContain('line-9999');
    expect(last).not.toContain('page=101');
    const found = await pageAt(`${path}?q=line-9876`);
    expect(found).toContain('1 of 10000');
    expect(found).toContain('>9877<');
  });

  test('poisoned addresses: one that looks like a known payee is said to', async () => {
    ask([lineOf('a', alike, '10')]);
    const page = await pageAt(path);
    expect(page).toContain(`looks like ${getAddress(known)}`);
    expect(page).toContain('no name known');
  });

  test('a look-alike at line 51 comes before findings of less weight', async () => {
    const lines = Array.from({ length: 151 }, (_, at) => lineOf(`same-${at}`, known, '10'));
    ask([...lines.slice(0, 51), lineOf('poisoned', alike, '10'), ...lines.slice(51)]);
    const page = await pageAt(path);
    expect(page).toContain('<b>150</b>: lines that differ only in their ids (twice)');
    expect(page).toContain('<b>1</b>: addresses that look like another one (lookAlike)');
    const [first = ''] = /<td data-name="Finding">.*?<\/td>/s.exec(page) ?? [];
    expect(first).toContain('Line poisoned pays');
    expect(page).toContain('151 of 151');
    const next = await pageAt(`${path}?findingPage=2&q=same-7`);
    expect(next).toMatch(/Line same-150 pays/);
    // The search of one list leaves the others as they are.
    expect(next).toContain('<input type="hidden" name="findingPage" value="2">');
    expect(await pageAt(`${path}?finding=same-99`)).toContain('1 of 151');
  });

  test('a name with the address of somebody else is found, though names are not signed', async () => {
    const thief = someone();
    ask([{ ...lineOf('a', thief, '10'), name: 'Müller & Söhne' } as TreeLine]);
    expect(await pageAt(path)).toContain('(otherAddress)');
    ask([lineOf('a', thief, '11')]);
    const page = await pageAt(path);
    expect(page).toContain('<li>known names with another address</li>');
    expect(page).toContain('<li>known addresses with another name</li>');
  });

  test('duplicates in the file: a line that pays the same again is named', async () => {
    ask([lineOf('a', known, '10'), lineOf('b', known, '10')]);
    expect(await pageAt(path)).toMatch(/Line b pays 10 USDC to .*, as &quot;a&quot; does/);
  });

  test('"what is different this month?": new payees, those left out and other sums are told', async () => {
    const [gone, added] = [someone(), someone()];
    ask([lineOf('a', known, '12'), lineOf('b', added, '5')], {
      'payout:bonus': [lineOf('x', added, '5')],
      'payout:salaries-2026-11': [lineOf('a', known, '10'), lineOf('c', gone, '7')],
    });
    const page = await pageAt(path);
    expect(page).toContain('Beside <b>payout:salaries-2026-11</b>');
    expect(page).toContain(
      '1 new payee, 1 payee left out, 1 payee with another sum, 0 payees with the same sum',
    );
    const many = Array.from({ length: 150 }, (_, at) => lineOf(`n-${at}`, someone(), '1'));
    ask(many, { 'payout:salaries-2026-10': [lineOf('a', known, '10')] });
    const last = getAddress(many[149]?.to ?? '');
    expect(await pageAt(path)).toContain('151 of 151');
    const found = await pageAt(`${path}?change=${last}`);
    expect(found).toMatch(/1 of 151.*<td data-name="Before"><div>–/s);
    ask([lineOf('a', known, '12'), lineOf('b', added, '5')], {
      'payout:bonus': [lineOf('x', added, '5')],
    });
    const other = await pageAt(`${path}?beside=payout%3Abonus`);
    expect(other).toContain('Beside <b>payout:bonus</b>: 1 new payee, 0 payees left out');
  });

  test('blind signing: every field that is signed stands on the page', async () => {
    ask([lineOf('a', known, '10')]);
    const page = await pageAt(path);
    for (const field of ['payout id', 'wallet 1', 'network', 'account', 'namespace', 'write']) {
      expect(page).toMatch(new RegExp(`<dt>${field}`));
    }
  });
});
