import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAddressFile } from '../../../src/writer/file/addressFile';
import { newFolder } from '../../support/jest/setUp';

const payee = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const other = '0x89b50855aa3be2f677cd6303cec089b5f319d72a';

const folder = newFolder();

function read(text: string) {
  const path = join(folder, 'suppliers.csv');
  writeFileSync(path, text);
  const { addresses, faults } = readAddressFile(path, 'suppliers.csv');
  return { names: Object.fromEntries(addresses), faults };
}

const steel = { [payee.toLowerCase()]: 'Steel, Ltd' };

describe('an address file is read', () => {
  it.each([
    ['with a header', `address,name\n${payee},"Steel, Ltd"\n`, steel],
    ['with its columns in another order', `Name,Address\n"Steel, Ltd",${payee}\n`, steel],
    ['with more columns', `address,city,name\n${payee},Ulm,"Steel, Ltd"\n`, steel],
    ['with the ends of lines of Windows', `address,name\r\n${payee},"Steel, Ltd"\r\n`, steel],
    ['with the mark that Excel writes first', `\ufeffaddress,name\n${payee},"Steel, Ltd"`, steel],
    ['with comments and empty lines', `# ours\n\naddress,name\n#\n${payee},"Steel, Ltd"`, steel],
    ['without an entry that is a comment', `${payee},"Steel, Ltd"\n#${other},Iron\n`, steel],
    ['without a header', `${payee},"Steel, Ltd"\n`, steel],
    ['of addresses alone', `${payee}\n${other}\n`, { [payee.toLowerCase()]: '', [other]: '' }],
    ['with quotes in a name', `${other},"The ""Best"" Ltd"`, { [other]: 'The "Best" Ltd' }],
  ])('%s', (_, text, names) => {
    expect(read(text)).toEqual({ names, faults: [] });
  });
});

describe('an address file is refused', () => {
  it.each([
    [
      'where a name has a line break, whose second line looks like an entry',
      `address,name\n${payee},"Steel\n${other},Ltd"\n`,
      /^suppliers.csv, line 3: the name "Steel\\n0x89.*" has a line break or .*Write it on one line$/,
    ],
    [
      'where a name has a character that moves a terminal',
      `${payee},Steel\u001b[2K\n`,
      /^suppliers.csv, line 1: the name .* has a line break or another control character/,
    ],
    ['without a column of addresses', `wallet,name\n${payee},A\n`, /names no column address/],
    [
      'with two columns of addresses',
      `address,Address\n${payee},${other}\n`,
      /names 2 columns address. Leave one/,
    ],
    [
      'with a name that its comma has cut in two',
      `address,name\n${payee},Steel, Ltd\n`,
      /line 2: has 3 values for 2 columns. Put a name with a comma in double quotes/,
    ],
    [
      'with a name that begins with #, which would make its row a comment',
      `# by name\nname,address\n#1 Plumbing,${payee}\n`,
      /^suppliers.csv, line 3: begins with #, as a comment does, .*, or take the row out$/,
    ],
    ['with a quote that is never closed', `${payee},"Steel\n`, /^suppliers.csv is malformed: /],
  ])('%s', (_, text, words) => {
    expect(read(text).faults).toEqual([expect.stringMatching(words)]);
  });

  it('where it is not there', () => {
    const { faults } = readAddressFile(join(folder, 'gone.csv'), 'gone.csv');
    expect(faults).toEqual([expect.stringMatching(/^gone.csv cannot be read: /)]);
  });
});
