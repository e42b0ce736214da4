import { runCli } from '../../cli/runCli';
import { other, to } from '../../client/lines/linesOf';
import { payers } from '../../support/payouts';
import { startTestSandbox } from '../../support/sandbox';
import { accepted, header, linesIn, refused, wallet, write } from './readFiles';

/** Files as people and their programs write them, each with its source in one line. */
describe('a CSV is what it says', () => {
  // Excel's "CSV (Comma delimited)" is windows-1252.
  it('one that is not UTF-8 is refused by row', async () => {
    const text = `${header},reference\na,${to},1,USDC,Mai\nb,${to},2,USDC,Gehalt Müller\n`;
    const said = await refused('a.csv', Buffer.from(text, 'latin1'), 'row 3: is not UTF-8');
    expect(said).toContain('Save the file as "CSV UTF-8"');
    const named = text.replace('reference', 'Größe');
    await refused('a.csv', Buffer.from(named, 'latin1'), 'row 1: is not UTF-8');
  });
  it.each([
    ['UTF-16 without its mark', Buffer.from(`${header}\na,${to},1,USDC`, 'utf16le'), 'is UTF-16'],
    ['a workbook', Buffer.from('PK\x03\x04\x14\0', 'latin1'), 'is a workbook or a ZIP archive'],
    ['an old workbook', Buffer.from('\xd0\xcf\x11\xe0', 'latin1'), 'is a workbook of Excel'],
    ['gzip', Buffer.from('\x1f\x8b\x08', 'latin1'), 'is compressed (gzip)'],
    [
      'a title',
      Buffer.from(`Payroll January\n\n${header}\na,${to},1,USDC`),
      '"Payroll January" stands above',
    ],
    [
      'the title of a table of Numbers',
      Buffer.from(`Table 1\n${header}\na,${to},1,USDC`),
      '"Table 1" stands above',
    ],
    ['a title with commas', Buffer.from(`Payroll,,,\n${header}\na,${to},1,USDC`), 'stands above'],
  ])('%s', async (_, bytes, words) => {
    await refused('a.csv', bytes, words);
  });
  it('names of columns may have several lines', async () => {
    const text = `"Line\nID","Wallet\nAddress",Amount,Token\na,${to},1,USDC`;
    await accepted('a.csv', text, '1 USDC in 1 line');
    const titled = `"Payroll\nJanuary",,,\n${header}\na,${to},1,USDC`;
    await refused('a.csv', titled, '\\"Payroll\\nJanuary\\",,," stands above the names');
  });
  it('an address that a spreadsheet has shortened is told as one', async () => {
    await refused(
      'a.csv',
      `${header}\na,7.3E+47,1,USDC`,
      '"7.3E+47" is a number that a spreadsheet',
    );
  });
  it('JSON in UTF-16 is no CSV', async () => {
    const bytes = Buffer.from('{"lineId":"a"}', 'utf16le');
    await refused('a.jsonl', bytes, 'a.jsonl is UTF-16. Save it again as UTF-8.');
  });
  it.each(['\0', '\u0007', '\u0085', '\ud800'])(
    'a reference with a character that no book can keep: %j',
    async (letter) => {
      const line = { lineId: 'a', to, amount: '1', token: 'USDC' };
      const words = 'has a control character, or half a letter';
      const text = JSON.stringify([{ ...line, reference: `x${letter}y` }]);
      await refused('a.json', text, `row 1, column reference: `);
      await refused('a.json', JSON.stringify([{ ...line, name: `x${letter}y` }]), words);
      await accepted('a.json', JSON.stringify([{ ...line, reference: 'a\tb\n😀' }]), '1 USDC');
    },
  );
  it.each([';', ',', '\t', '|'])('sep=%s', async (separator) => {
    const text =
      `sep=${separator}\r\n${header.replaceAll(',', separator)}\r\na,${to},1.5,USDC`.replaceAll(
        `,${to},1.5,`,
        `${separator}${to}${separator}1.5${separator}`,
      );
    await accepted('a.csv', text, '1.5 USDC in 1 line');
  });
});

describe('JSON: a name that is given twice is refused', () => {
  // RFC 8259, section 4, leaves open which one counts.
  const line = `"lineId":"a","to":"${to}","token":"USDC"`;
  it.each([
    [
      'JSON Lines',
      'a.jsonl',
      `{${line},"amount":"12.5","amount":"125"}`,
      'row 1: "amount" is there twice',
    ],
    [
      'a JSON list',
      'a.json',
      `[{"lineId":"b","to":"${to}","token":"USDC","amount":"1"},{${line},"amount":"12.5","amount":"125"}]`,
      'row 2: "amount" is there twice',
    ],
    ['nested', 'a.jsonl', `{${line},"amount":"1","x":{"y":[{"z":1,"z":2}]}}`, '"z" is there twice'],
    [
      'by another spelling',
      'a.jsonl',
      `{${line},"amount":"12.5","\\u0061mount":"125"}`,
      '"amount" is there twice',
    ],
  ])('%s', async (_, name, text, words) => {
    await refused(name, text, words);
  });
  it('an order in a file', async () => {
    const text = `{"wallets":["${wallet}"],"lines":[{${line},"amount":"12.5","amount":"125"}]}`;
    const path = write('order.json', text);
    const { code, stderr } = await runCli(['payout', '--file', path, '--id', 'x', '--dry-run']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('"amount" is there twice'),
    });
  });
});

describe('templates of other programs go in', () => {
  // help.request.finance 8669896
  it('Request Finance', async () => {
    const text = [
      'Wallet Address,Amount,Denomination Currency,Payment Chain,Payment Currency,Reason,' +
        'Email Address',
      `${to},10,USD,arc,USDC,Invoice 7,ann@example.com`,
    ].join('\n');
    const ignored = ['Denomination Currency', 'Payment Chain', 'Email Address'].flatMap((one) => [
      '--ignore',
      one,
    ]);
    await accepted(
      'a.csv',
      text,
      '10 USDC in 1 line',
      '--map',
      'lineId=Wallet Address',
      ...ignored,
    );
    const said = await refused('a.csv', text, 'column "Email Address"');
    expect(said).not.toMatch(/remove/i);
    expect(said).toContain('--map lineId="Email Address"');
  });
  // bh2smith/safe-airdrop
  it('Safe CSV airdrop', async () => {
    const text = [
      'token_type,token_address,receiver,amount,id',
      `erc20,0x6f0a1b2c3d4e5f60718293a4b5c6d7e8f9012345,${to},1,`,
    ].join('\n');
    await accepted(
      'a.csv',
      text,
      '1 0x6f0a',
      '--ignore',
      'token_type',
      '--ignore',
      'id',
      '--map',
      'lineId=receiver',
    );
    expect(await refused('a.csv', text, 'column token_type')).not.toMatch(/remove/i);
  });
  // Stellar Disbursement Platform
  it('Stellar Disbursement Platform', async () => {
    const text = `phone,id,amount,walletAddress\n+15550100,a,1,${to}`;
    await accepted('a.csv', text, '1 USDC', '--token', 'USDC', '--ignore', 'phone');
  });
  it('an amount with its token in the name of the column', async () => {
    const text = `Payment ID,Recipient,Amount (USDC),Memo\na,${to},1.25,x`;
    await accepted('a.csv', text, '1.25 USDC in 1 line');
    await refused('a.csv', text, 'is not in EURC, as --token says', '--token', 'EURC');
  });
  it('a column by any name, with --map', async () => {
    const text = `Nr,Krypto-Adresse,Betrag,token\na,${to},1,USDC`;
    const said = await refused('a.csv', text, '--map to=Krypto-Adresse');
    expect(said).not.toMatch(/remove/i);
    await accepted(
      'a.csv',
      text,
      '1 USDC',
      '--map',
      'lineId=Nr',
      '--map',
      'to=Krypto-Adresse,amount=Betrag',
    );
    await refused(
      'a.csv',
      text,
      'there is no column Adresse, which --map names for to',
      '--map',
      'to=Adresse',
    );
    await refused('a.csv', text, '--map: "who=Nr" must be a field and a column', '--map', 'who=Nr');
  });
  it('two columns for one field say how to choose', async () => {
    await refused(
      'a.csv',
      `id,to,wallet address,amount,token\na,${to},${other},1,USDC`,
      '--map to=to',
    );
    await accepted(
      'a.csv',
      `id,to,Wallet Address,amount,token\na,${to},${other},1,USDC`,
      '1 USDC',
      '--ignore',
      'Wallet Address',
    );
  });
  it('the name of a payee is kept', async () => {
    const lines = await linesIn('a.csv', `${header},name\na,${to},1,USDC,Ann Müller`);
    expect(lines).toMatchObject([{ name: 'Ann Müller' }]);
    await accepted('a.csv', `${header},name\na,${to},1,USDC,Ann Müller`, 'Ann Müller');
  });
});

describe('smaller things', () => {
  it('a line to the contract of its own token is told by a dry run', async () => {
    const token = '0x6f0A1b2c3d4E5F60718293a4B5C6D7E8f9012345'.toLowerCase();
    await refused('a.csv', `${header}\na,${token},1,${token}`, "is the token's own contract");
    await refused(
      'a.csv',
      `${header}\na,0x3600000000000000000000000000000000000000,1,USDC`,
      "is the token's own contract",
    );
  });
  it('a line to the wallet that pays it is told by a dry run', async () => {
    const sandbox = await startTestSandbox();
    const [payer] = await payers(sandbox, 'EOA');
    const path = write('own.csv', `${header}\na,${payer?.address},1,USDC`);
    const env = { CUSTODY_BASE_URL: sandbox.baseUrl, CUSTODY_API_KEY: sandbox.secrets.apiKey };
    const args = ['payout', path, '--id', 'own', '--wallet', payer?.id ?? '', '--dry-run'];
    const { code, stderr } = await runCli(args, env);
    const words = 'the sending wallet itself';
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
    await sandbox.stop();
  });
  it('one coin with several faces is one coin', async () => {
    const faces = ['USDC', '0x3600000000000000000000000000000000000000', 'native'];
    const text = [header, ...faces.map((token, at) => `${at},${to},0.1,${token}`)].join('\n');
    await refused('a.csv', text, 'Line "2" pays 0.1 native', '--strict');
    await refused(
      'a.csv',
      text,
      'the lines come to 0.3 USDC, which is over 0.15',
      '--max-total',
      'USDC=0.15',
    );
  });
  it('an address in capitals is one', async () => {
    const capitals = `0x${to.slice(2).toUpperCase()}`;
    await accepted('a.csv', `${header}\na,${capitals},1,USDC`, '1 USDC');
    await refused('a.csv', `${header}\na,0X${to.slice(2)},1,USDC`, 'begins with "0X"');
  });
  // unlock-protocol/unlock#9904 asks for each row.
  it('every fault is told with --all-faults', async () => {
    const rows = Array.from({ length: 44 }, (_, at) => `a-${at},0x12,1,USDC`);
    const text = [header, ...rows].join('\n');
    expect(
      await refused('a.csv', text, 'And 24 more. See them all with --all-faults.'),
    ).not.toContain('row 45');
    expect(await refused('a.csv', text, 'row 45, column to', '--all-faults')).not.toContain('more');
  });
});
