import { filesOfLines, to } from './linesOf';

const files = filesOfLines();
afterAll(files.remove);
const { refusal } = files;

const header = 'lineId,to,amount,token';

/** The faults of a line with one wrong value. */
async function faultsOf(
  column: 'lineId' | 'to' | 'amount' | 'token',
  values: readonly string[],
  separator = ',',
): Promise<string[]> {
  const rows = values.map((value, index) => {
    const right = { lineId: `a-${index}`, to, amount: '5', token: 'USDC' };
    return Object.values({ ...right, [column]: `"${value}"` }).join(separator);
  });
  return refusal('a.csv', [header.replaceAll(',', separator), ...rows].join('\n'));
}

it('an amount', async () => {
  const amounts = [
    '',
    '-5',
    '0',
    '0.00',
    '+5',
    '1e3',
    '1.2E+3',
    '1,2E+03',
    '12,50',
    '1,000',
    '1,000.50',
    '1.000,50',
    '1.000.000',
    '1 000.50',
    '1’000',
    '$5',
    '5 USDC',
    '.5',
    '05',
    '0.0000001',
  ];
  expect(await faultsOf('amount', amounts)).toMatchInlineSnapshot(`
[
  "FILE: a.csv has 20 faults:",
  "row 2, column amount: is empty. Fill it in.",
  "row 3, column amount: "-5" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 4, column amount: "0" must be more than zero.",
  "row 5, column amount: "0.00" must be more than zero.",
  "row 6, column amount: "+5" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 7, column amount: "1e3" is a number that a spreadsheet has shortened. Format the column as text, fill it in again, and export it again.",
  "row 8, column amount: "1.2E+3" is a number that a spreadsheet has shortened. Format the column as text, fill it in again, and export it again.",
  "row 9, column amount: "1,2E+03" is a number that a spreadsheet has shortened. Format the column as text, fill it in again, and export it again.",
  "row 10, column amount: "12,50" has a comma for its decimals: write "12.50".",
  "row 11, column amount: "1,000" may mean "1000" or "1": write one of these.",
  "row 12, column amount: "1,000.50" has commas between thousands: write "1000.50".",
  "row 13, column amount: "1.000,50" has points between thousands: write "1000.50".",
  "row 14, column amount: "1.000.000" has points between thousands: write "1000000".",
  "row 15, column amount: "1 000.50" has gaps between its digits: write "1000.50".",
  "row 16, column amount: "1’000" has gaps between its digits: write "1000".",
  "row 17, column amount: "$5" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 18, column amount: "5 USDC" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 19, column amount: ".5" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 20, column amount: "05" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 21, column amount: "0.0000001" has 7 decimals, but USDC has 6.",
]
`);
});

it('an amount where a semicolon separates values, so that a point may be between thousands', async () => {
  const amounts = ['1.000', '12.500', '100.125', '1.000.000,5'];
  expect(await faultsOf('amount', amounts, ';')).toMatchInlineSnapshot(`
[
  "FILE: a.csv has 4 faults:",
  "row 2, column amount: "1.000" may mean "1000" or "1": write one of these.",
  "row 3, column amount: "12.500" may mean "12500" or "12.5": write one of these.",
  "row 4, column amount: "100.125" may mean "100125" or "100.1250": write one of these.",
  "row 5, column amount: "1.000.000,5" has points between thousands: write "1000000.5".",
]
`);
});

it('an address', async () => {
  const oneDigitOff = to.replace('BA9', 'bA9');
  const zero = `0x${'0'.repeat(40)}`;
  const addresses = [
    '',
    '0x12',
    oneDigitOff,
    zero,
    to.slice(2),
    `${to}a`,
    'vitalik.eth',
    '5.2E+47',
  ];
  expect(await faultsOf('to', addresses)).toMatchInlineSnapshot(`
[
  "FILE: a.csv has 8 faults:",
  "row 2, column to: is empty. Fill it in.",
  "row 3, column to: "0x12" is not an address: give 0x and 40 hexadecimal digits.",
  "row 4, column to: "0x523b27014bA9331e4a6c1bD7BC3b2b9F3B2BEC7d" has a wrong checksum (EIP-55): a digit may be mistyped. Copy it again from its source.",
  "row 5, column to: "0x0000000000000000000000000000000000000000" is the zero address, where tokens are lost. Give the recipient's.",
  "row 6, column to: "523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d" is not an address: give 0x and 40 hexadecimal digits.",
  "row 7, column to: "0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7da" is not an address: give 0x and 40 hexadecimal digits.",
  "row 8, column to: "vitalik.eth" is not an address: give 0x and 40 hexadecimal digits.",
  "row 9, column to: "5.2E+47" is a number that a spreadsheet has shortened. Format the column as text, fill it in again, and export it again.",
]
`);
});

it('an id', async () => {
  const ids = ['', 'a b', 'é', 'x'.repeat(65), '1.23457E+11', '=A1', 'a/b', 'a\u00a0'];
  expect(await faultsOf('lineId', ids)).toMatchInlineSnapshot(`
[
  "FILE: a.csv has 8 faults:",
  "row 2, column lineId: is empty. Fill it in.",
  "row 3, column lineId: "a b" must be 1 to 64 letters, digits and . _ : -.",
  "row 4, column lineId: "é" must be 1 to 64 letters, digits and . _ : -.",
  "row 5, column lineId: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" must be 1 to 64 letters, digits and . _ : -.",
  "row 6, column lineId: "1.23457E+11" is a number that a spreadsheet has shortened. Format the column as text, fill it in again, and export it again.",
  "row 7, column lineId: "=A1" must be 1 to 64 letters, digits and . _ : -.",
  "row 8, column lineId: "a/b" must be 1 to 64 letters, digits and . _ : -.",
  "row 9, column lineId: "a\\u00a0" must be 1 to 64 letters, digits and . _ : -.",
]
`);
});

it('a token', async () => {
  const tokens = ['', 'usdc', 'DAI', '0x12', 'USDC '];
  expect(await faultsOf('token', tokens)).toMatchInlineSnapshot(`
[
  "FILE: a.csv has 5 faults:",
  "row 2, column token: is empty. Fill it in, or give --token for lines that have none.",
  "row 3, column token: "usdc" is not a known token: give USDC, EURC, native or the address of an ERC-20 contract.",
  "row 4, column token: "DAI" is not a known token: give USDC, EURC, native or the address of an ERC-20 contract.",
  "row 5, column token: "0x12" is not a known token: give USDC, EURC, native or the address of an ERC-20 contract.",
  "row 6, column token: "USDC " is not a known token: give USDC, EURC, native or the address of an ERC-20 contract.",
]
`);
});

it('two lines with one id, also where something else is wrong with one', async () => {
  const rows = [`a,${to},1,USDC`, `b,${to},1,USDC`, `a,${to},x,USDC`, `b,${to},2,USDC`];
  expect(await refusal('a.csv', [header, ...rows].join('\n'))).toMatchInlineSnapshot(`
[
  "FILE: a.csv has 3 faults:",
  "row 4, column amount: "x" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 4, column lineId: "a" is the id of row 2. Give each line an id of its own.",
  "row 5, column lineId: "b" is the id of row 3. Give each line an id of its own.",
]
`);
});

it('an unknown column hides no other fault', async () => {
  const told = await refusal(
    'unknown.csv',
    `lineId,to,amount,token,phone\na,${to},5,USDC,x\nb,${to},-5,USDC,y`,
  );
  expect(told.join('\n')).toContain('row 1: column phone has no place here.');
  expect(told.join('\n')).toContain('row 3, column amount: "-5"');
  expect(told[0]).toContain('has 2 faults');
});

it('a header', async () => {
  const headers = [
    'to,amount',
    'lineId,to,amount,token,country,"First name",',
    'id,lineId,to,address,amount,token',
    `a,${to},5,USDC`,
    'sep=;',
  ];
  const told = headers.map((head, at) => refusal(`h${at}.csv`, `${head}\nb,${to},5,USDC`));
  expect((await Promise.all(told)).flat()).toMatchInlineSnapshot(`
[
  "FILE: h0.csv has 2 faults:",
  "row 1: there is no column lineId. Give each line an id of its own: it is what keeps it from being paid twice. A column that has it is named with --map lineId=<column>.",
  "row 1: there is no column token. Add it, or give --token USDC where all lines have the same.",
  "FILE: h1.csv has 2 faults:",
  "row 1: column country has no place here. Columns are lineId, to, amount, token, currency, reference, name. If nobody needs it, have it ignored with --ignore country.",
  "row 1: column "First name" has no place here. Columns are lineId, to, amount, token, currency, reference, name. If nobody needs it, have it ignored with --ignore "First name".",
  "FILE: h2.csv has 2 faults:",
  "row 1: there are several columns for lineId: id and lineId. Say which with --map lineId=id. Have others ignored with --ignore.",
  "row 1: there are several columns for to: to and address. Say which with --map to=to. Have others ignored with --ignore.",
  "FILE: h3.csv has a fault:",
  "row 1: names no column. The first row is one such as lineId,to,amount,token.",
  "FILE: h4.csv has a fault:",
  "row 2: names no column. The first row is one such as lineId,to,amount,token.",
]
`);
});

it('a row that cannot be parsed, and the rows before it', async () => {
  const wrong = `a,${to},-1,USDC`;
  const rows = [
    `b,${to},12,50,USDC`,
    `"b,${to},5,USDC`,
    `"b"x,${to},5,USDC`,
    `b "x",${to},5,USDC`,
    `"${'b\n'.repeat(6_000)}",${to},5,USDC`,
    `b "x" "y",${to},5,USDC\n"c"z,${to},5,USDC\nd,${to},0,USDC`,
  ];
  const told = rows.map((row, at) => refusal(`r${at}.csv`, `${header}\n${wrong}\n\n${row}\n`));
  expect((await Promise.all(told)).flat()).toMatchInlineSnapshot(`
[
  "FILE: r0.csv has 2 faults:",
  "row 2, column amount: "-1" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 4: has 5 values, but the header has 4 columns. A value that holds what separates values stands in double quotes.",
  "FILE: r1.csv has 2 faults:",
  "row 2, column amount: "-1" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 4: a double quote is opened here, or further down, and never closed.",
  "FILE: r2.csv has 2 faults:",
  "row 2, column amount: "-1" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 4: something stands behind a closing double quote. A quote within a value is written twice.",
  "FILE: r3.csv has 2 faults:",
  "row 2, column amount: "-1" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 4: a double quote stands within a value that has none around it. Quote the whole value.",
  "FILE: r4.csv has a fault:",
  "row 4: is longer than 10000 characters. A double quote may be open.",
  "FILE: r5.csv has 4 faults:",
  "row 2, column amount: "-1" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "row 4: a double quote stands within a value that has none around it. Quote the whole value.",
  "row 5: something stands behind a closing double quote. A quote within a value is written twice.",
  "row 6: a double quote is opened here, or further down, and never closed.",
]
`);
});

it('JSON Lines', async () => {
  const text = [
    `{"lineId":"a","to":"${to}","amount":5,"token":"USDC"}`,
    '',
    `{"lineId":"b","to":"${to}","amount":"12,50","token":null}`,
    `{"lineId":"c","to":["${to}"],"amount":"5","token":"USDC","phone":"x"}`,
    '{"lineId":',
    '[]',
    'null',
    '"a"',
    '5',
    `{"lineId":{"a":1}}`,
    `{"id":"d","lineId":"d","to":"${to}","amount":"5","token":"USDC"}`,
    `{"lineId":"${'x'.repeat(11_000)}`,
  ];
  expect(await refusal('a.jsonl', text.join('\n'))).toMatchInlineSnapshot(`
[
  "FILE: a.jsonl has 16 faults:",
  "row 1, column amount: 5 must be text, in quotes.",
  "row 3, column amount: "12,50" has a comma for its decimals: write "12.50".",
  "row 3, column token: is empty. Fill it in, or give --token for lines that have none.",
  "row 4: column phone has no place here. Columns are lineId, to, amount, token, currency, reference, name. If nobody needs it, have it ignored with --ignore phone.",
  "row 4, column to: ["0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d"] must be text, in quotes.",
  "row 5: "{\\"lineId\\":" is not JSON.",
  "row 6: [] is not an object such as {"lineId": "a-1", …}.",
  "row 7: null is not an object such as {"lineId": "a-1", …}.",
  "row 8: "a" is not an object such as {"lineId": "a-1", …}.",
  "row 9: 5 is not an object such as {"lineId": "a-1", …}.",
  "row 10, column lineId: {"a":1} must be text, in quotes.",
  "row 10, column to: is empty. Fill it in.",
  "row 10, column amount: is empty. Fill it in.",
  "row 10, column token: is empty. Fill it in, or give --token for lines that have none.",
  "row 11: there are several columns for lineId: id and lineId. Say which with --map lineId=id. Have others ignored with --ignore.",
  "row 12: is longer than 10000 characters. A quote or a bracket may be open.",
]
`);
});

it('a JSON list', async () => {
  const line = (id: string) => `{"lineId":"${id}","to":"${to}","amount":"5","token":"USDC"}`;
  const texts = [
    '',
    '{}',
    `{"lines":[${line('a')}]}`,
    '[]',
    `[${line('a')}`,
    `[${line('a')}]${line('b')}`,
    `[${line('a')},,${line('b')}]`,
    '[[1]]',
    `[{"lineId":"a]`,
    `["${'x'.repeat(11_000)}"]`,
  ];
  const told = texts.map((text, at) => refusal(`l${at}.json`, text));
  expect((await Promise.all(told)).flat()).toMatchInlineSnapshot(`
[
  "FILE: l0.json has a fault:",
  "row 1: the list is not JSON: Unexpected end of JSON input. Write one object a line into a .jsonl: its faults are told by row.",
  "FILE: l1.json has a fault:",
  "row 1: holds no list. Lines are [{"lineId": "a-1", "to": "0x…", "amount": "12.50", …}, …].",
  "FILE: l2.json has a fault:",
  "row 1: holds no list. Lines are [{"lineId": "a-1", "to": "0x…", "amount": "12.50", …}, …].",
  "FILE: l3.json holds no lines.",
  "FILE: l4.json has a fault:",
  "row 1: the list is not JSON: Expected ',' or ']' after array element in JSON at position 93. Write one object a line into a .jsonl: its faults are told by row.",
  "FILE: l5.json has a fault:",
  "row 1: the list is not JSON: Unexpected non-whitespace character after JSON at position 94. Write one object a line into a .jsonl: its faults are told by row.",
  "FILE: l6.json has a fault:",
  "row 1: the list is not JSON: Unexpected token ',', ..."":"USDC"},,{"lineId""... is not valid JSON. Write one object a line into a .jsonl: its faults are told by row.",
  "FILE: l7.json has a fault:",
  "row 1: [1] is not an object such as {"lineId": "a-1", …}.",
  "FILE: l8.json has a fault:",
  "row 1: the list is not JSON: Unterminated string in JSON at position 14. Write one object a line into a .jsonl: its faults are told by row.",
  "FILE: l9.json has a fault:",
  "row 1: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… is not an object such as {"lineId": "a-1", …}.",
]
`);
});

it('a JSON list that would fill the memory', async () => {
  expect(await refusal('large.json', ' '.repeat(64_000_001))).toEqual([
    'FILE: large.json has a fault:',
    'row 1: has 64000001 bytes, and a list may have 64000000. ' +
      'Write one object a line into a .jsonl: its faults are told by row.',
  ]);
});

it('of many faults the first twenty, and how many there are', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => `a-${index},0x12,${index},USDC`);
  const told = await refusal('a.csv', [header, ...rows].join('\n'));
  expect(told).toHaveLength(22);
  expect(told[0]).toBe('FILE: a.csv has 501 faults:');
  expect(told.at(-1)).toBe('And 481 more. See them all with --all-faults.');
});

it('a file that is none, or of another form', async () => {
  const wide = Buffer.from(`\ufeff${header}\n`, 'utf16le');
  const told = [
    refusal('a.xlsx', 'PK'),
    refusal('a.txt', header),
    refusal('wide.csv', wide),
    refusal('empty.csv', ''),
    refusal('header.csv', `${header}\n\n`),
    refusal('empty.jsonl', '\n\n'),
  ];
  expect((await Promise.all(told)).flat()).toMatchInlineSnapshot(`
[
  "FILE: a.xlsx is a workbook. Export it as CSV (UTF-8).",
  "FILE: a.txt is neither .csv, .jsonl, .json nor .xml. Name it after its form.",
  "FILE: wide.csv is UTF-16. Save it again as CSV UTF-8.",
  "FILE: empty.csv holds no lines.",
  "FILE: header.csv holds no lines.",
  "FILE: empty.jsonl holds no lines.",
]
`);
});
