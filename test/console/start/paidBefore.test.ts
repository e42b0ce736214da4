import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../../../src/books/archive/openArchive';
import { newReceipt } from '../../books/archive/stores';
import { consoleOffice, payee } from '../office';
import { payoutOf, transfer } from './requests';

const folder = mkdtempSync(join(tmpdir(), 'steadfast-console-store-'));
const store = `file:${join(folder, 'store')}`;
const office = consoleOffice({ store, keyScope: 'eu' });

beforeAll(async () => {
  const token = { name: 'USDC', address: `0x36${'0'.repeat(38)}`, decimals: 6 };
  const archive = await openArchive(store);
  const from = `0x${'1'.repeat(40)}`;
  const time = new Date().toISOString();
  const paid = (id: string, kind: string, amount: string) => {
    const money = { from, to: payee, token, amount, baseUnits: `${Number(amount) * 1_000_000}` };
    return newReceipt({ order: { id, kind }, money, time });
  };
  await archive.append([
    paid('eu:transfer:other', 'transferStablecoin', '950'),
    paid('eu:transfer:mine', 'transferStablecoin', '3'),
    paid('eu:payout:june', 'payout', '4'),
  ]);
  await archive.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function pageOf(form: string, sent: object): Promise<string> {
  const own = await office.signIn(office.people.ann.signIn);
  const kept = await office.post(`/start/${form}`, sent, own);
  return (await office.ask(kept.json().path, { headers: own })).body;
}

describe('what was paid before', () => {
  it('is told for the same amount in other digits', async () => {
    const page = await pageOf('transfer', { ...transfer, amount: '950.00' });
    expect(page).toContain('as in eu:transfer:other, less than a day ago');
  });

  it('is not told of the own payments of an order that goes on', async () => {
    expect(await pageOf('transfer', { ...transfer, id: 'mine' })).not.toContain('paidBefore');
    const lines = `lineId,to,amount,token\na,${payee},4,USDC\n`;
    expect(await pageOf('payout', payoutOf(lines))).not.toContain('paidBefore');
    expect(await pageOf('payout', payoutOf(lines, { id: 'other' }))).toContain('eu:payout:june');
  });
});
