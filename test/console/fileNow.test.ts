import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBook } from '../../src/checks/readBook';
import { fileNow } from '../../src/console/fileNow';
import { log } from '../../src/log';
import { someone } from '../support/stages';
import { blockchain } from './office';

const folder = mkdtempSync(join(tmpdir(), 'steadfast-book-'));
const path = join(folder, 'book.csv');
afterAll(() => rmSync(folder, { recursive: true }));

it('an address book is read again once it changes, and while it has a fault it is refused', () => {
  const logged = jest.spyOn(log, 'error').mockImplementation(() => {});
  const [one, other] = [someone(), someone()];
  const book = fileNow(path, 'address book', () => readBook(path, blockchain));
  writeFileSync(path, `name,address\nAnn,${one}\n`);
  expect(book().nameOf(one)).toBe('Ann');
  expect(book()).toBe(book());
  writeFileSync(path, `name,address\nAnn,${one}\nBo,${other}\n`);
  expect(book().nameOf(other)).toBe('Bo');
  writeFileSync(path, 'name,address\nAnn,0x12\n');
  for (let at = 0; at < 3; at++) {
    expect(book).toThrow('The address book cannot be used now. The log of the console says why.');
  }
  expect(logged).toHaveBeenCalledTimes(1);
  expect(String(logged.mock.calls[0]?.[0])).toContain('row 2');
  writeFileSync(path, `name,address\nAnne,${one}\n`);
  expect(book().nameOf(one)).toBe('Anne');
  logged.mockRestore();
});
