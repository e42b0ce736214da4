import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBook } from '../../src/checks/readBook';

const folder = mkdtempSync(join(tmpdir(), 'steadfast-book-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ann = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const bo = '0x89b50855aa3be2f677cd6303cec089b5f319d72a';

function bookOf(name: string, text: string) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return readBook(path, 'ARC-TESTNET');
}

/** The words of a refusal, without the folder. */
function refusal(name: string, text: string): string[] {
  try {
    bookOf(name, text);
  } catch (error) {
    return String(error).replaceAll(`${folder}/`, '').split('\n  ');
  }
  throw new Error(`${name} was accepted.`);
}

describe('an address book', () => {
  test('says the same as CSV and as YAML, and has the digest of its file', () => {
    const header = 'name,address,networks,note';
    const csv = `${header}\n"Berg, Ann",${ann},,rent\nBo Chen,${bo},ARC-TESTNET ARC,\n`;
    const yaml = `- {name: "Berg, Ann", address: ${ann}}\n- {name: Bo Chen, address: ${bo}}\n`;
    for (const [name, text] of [
      ['book.csv', csv],
      ['book.yaml', yaml],
    ] as const) {
      const book = bookOf(name, text);
      expect(book.size).toBe(2);
      expect(book.nameOf(ann)).toBe('Berg, Ann');
      expect(book.nameOf(ann.toLowerCase())).toBe('Berg, Ann');
      expect(book.addressesOf('  bo CHEN ')).toEqual([bo]);
      expect(book.digest).toBe(createHash('sha256').update(text).digest('hex'));
    }
  });

  test('leaves out entries of other networks', () => {
    const book = bookOf('net.csv', `address,name,networks\n${ann},Ann,ETH BASE\n${bo},Bo,\n`);
    expect([...book.addresses()]).toEqual([bo]);
  });

  test('knows a network in any letters, and refuses one that nobody knows', () => {
    for (const name of ['arc-testnet', 'ARC_TESTNET', 'ArcTestnet', 'ETH;Arc-Testnet']) {
      expect(bookOf('spelled.csv', `name,address,networks\nAnn,${ann},${name}\n`).size).toBe(1);
    }
    const text = `name,address,networks\nAnn,${ann},\nBo,${bo},ARC TESTNETT\n`;
    expect(refusal('strange.csv', text)).toEqual([
      'BookError: The address book strange.csv has faults:',
      'row 3: "TESTNETT" is no network. Name one such as ARC-TESTNET.',
    ]);
  });

  test('is refused if it is not UTF-8, since a name would be another one', () => {
    const path = join(folder, 'latin.csv');
    writeFileSync(path, Buffer.from(`name,address\nM\u00fcller,${ann}\n`, 'latin1'));
    expect(() => readBook(path, 'ARC-TESTNET')).toThrow('is not UTF-8. Save it as UTF-8.');
    expect(bookOf('marked.csv', `\ufeffname,address\nMüller,${ann}\n`).nameOf(ann)).toBe('Müller');
  });

  test('knows an address in capitals alone, as orders do', () => {
    const capitals = `0x${bo.slice(2).toUpperCase()}`;
    expect(bookOf('capitals.csv', `name,address\nBo,${capitals}\n`).nameOf(bo)).toBe('Bo');
  });

  test('is refused if a row or a name could be read in two ways', () => {
    const two = `name,address,address\nAnn,${ann},${bo}\n`;
    expect(refusal('two.csv', two)[1]).toBe(
      'the first row names the column "address" twice. Leave one.',
    );
    const more = `address,name,note\n${ann},Berg, Ann, rent\n`;
    expect(refusal('more.csv', more)[1]).toBe('row 2: has 4 values, for 3 columns.');
    const lines = `name,address\n"Ann\nBo",${ann}\n`;
    expect(refusal('lines.csv', lines)[1]).toBe(
      'row 3: "Ann\\nBo" has a line break or another control character. Write it on one line.',
    );
  });

  test('drops no payee whose name begins with #, and takes other such rows for comments', () => {
    const comments = `# Ann, "our landlady\nname,address\n#${ann},Ann\n  # ${ann} left us\n`;
    expect(bookOf('quoted.csv', `${comments}"#1 Plumbing",${bo}\n`).nameOf(bo)).toBe('#1 Plumbing');
    const words =
      'begins with #, as a comment does, and has an address behind its first value. Put that value ' +
      'in double quotes, or take the row out.';
    const hidden = ` #1 Plumbing,${bo}\n# 2,rent,"0x12"\n,${ann}\n`;
    expect(refusal('hidden.csv', `${comments}${hidden}`).slice(1)).toEqual([
      `row 5: ${words}`,
      `row 6: ${words}`,
      'row 7: has no name.',
    ]);
  });

  test('is refused with every fault and its row', () => {
    const wrong = ann.replace('523b', '523B');
    const text = `name,address\nAnn,${wrong}\n,${bo}\nCy,${ann}\nDi,${ann.toLowerCase()}\n`;
    expect(refusal('wrong.csv', text)).toMatchInlineSnapshot(`
[
  "BookError: The address book wrong.csv has faults:",
  "row 2: "0x523B27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d" has a wrong checksum (EIP-55): a digit may be mistyped. Copy it again from its source.",
  "row 3: has no name.",
  "row 5: has the address of row 4. Leave one.",
]
`);
    expect(refusal('head.csv', `${ann},Ann\n`)).toMatchInlineSnapshot(`
[
  "BookError: The address book head.csv has faults:",
  "the first row names no column name.",
  "the first row names no column address.",
]
`);
    expect(refusal('book.json', '[]')).toMatchInlineSnapshot(`
[
  "BookError: The address book book.json is neither .csv nor .yaml.",
]
`);
    expect(refusal('map.yaml', `Ann: ${ann}\n`)).toMatchInlineSnapshot(`
[
  "BookError: The address book map.yaml is no list. Give entries such as - {name: Ann, address: "0x…"}.",
]
`);
    expect(() => readBook(join(folder, 'none.csv'), 'ARC')).toThrow('it is not there');
  });
});
