import { to } from '../../client/lines/linesOf';
import { pain, payment, transfer } from './painOf';
import { accepted, linesIn, refused } from './readFiles';

const later = '<ReqdExctnDt><Dt>2999-01-15</Dt></ReqdExctnDt>';
const second = transfer({ id: 'a-2' });
const only = (beside: string) => pain(payment({ transfers: transfer({ beside }) }));

describe('pain.001: each element of a file is followed, or refused with its path', () => {
  // Each of these was left out without a word, and the rest was paid.
  it.each([
    [
      'a payment outside PmtInf',
      pain(payment(), { root: second }),
      'CstmrCdtTrfInitn/CdtTrfTxInf/',
    ],
    [
      'a payment with a mistyped name',
      pain(payment({ transfers: transfer() + second.replaceAll('TxInf', 'TxInfo') })),
      'PmtInf[1]/CdtTrfTxInfo/',
    ],
    ['a day of one payment', only(later), 'PmtInf[1]/CdtTrfTxInf[1]/ReqdExctnDt/Dt'],
    ['a day of the group', pain(payment(), { group: later }), 'GrpHdr/ReqdExctnDt/Dt'],
    [
      'a day with a mistyped name',
      pain(payment({ own: later.replaceAll('ExctnDt', 'ExecDt') })),
      'PmtInf[1]/ReqdExecDt/Dt',
    ],
    [
      'a word to the bank of the payer',
      pain(payment({ own: '<InstrForDbtrAgt>HOLD</InstrForDbtrAgt>' })),
      'PmtInf[1]/InstrForDbtrAgt',
    ],
    [
      'a word to it about one payment',
      only('<InstrForDbtrAgt><InstrInf>HOLD</InstrInf></InstrForDbtrAgt>'),
      'CdtTrfTxInf[1]/InstrForDbtrAgt',
    ],
    ['another payee', only('<UltmtCdtr><Nm>Bo</Nm></UltmtCdtr>'), 'CdtTrfTxInf[1]/UltmtCdtr/Nm'],
    [
      'a rate',
      only('<XchgRateInf><XchgRate>1.1</XchgRate></XchgRateInf>'),
      '/XchgRateInf/XchgRate',
    ],
    [
      'a direct debit beside it',
      pain().replace('</Document>', '<CstmrDrctDbtInitn><A>1</A></CstmrDrctDbtInitn></Document>'),
      'Document/CstmrDrctDbtInitn/A',
    ],
  ])('%s', async (_, text, path) => {
    expect(await refused('a.xml', text, path)).toContain('cannot be paid');
  });

  it('what changes nothing about a payment is left alone', async () => {
    const own =
      '<BtchBookg>true</BtchBookg><PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>' +
      '<ChrgBr>SLEV</ChrgBr><UltmtDbtr><Nm>Shop</Nm></UltmtDbtr>';
    const beside =
      '<CdtrAgt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></CdtrAgt>' +
      '<Purp><Cd>SALA</Cd></Purp><SplmtryData><Envlp><x xmlns="urn:x">1</x></Envlp></SplmtryData>';
    const root = '<SplmtryData><Envlp><x xmlns="urn:x">1</x></Envlp></SplmtryData>';
    const text = pain(payment({ own, transfers: transfer({ beside }) }), { root });
    await accepted('a.xml', text, '1.5 USDC in 1 line');
  });
});

describe('pain.001: names are those of its namespace', () => {
  it('a prefix is none of the name', async () => {
    const prefixed = pain()
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1p:')
      .replace('xmlns=', 'xmlns:p=');
    await accepted('a.xml', prefixed, '1.5 USDC in 1 line');
  });
  // Two attributes Ccy of two namespaces are two, and the last one was read.
  it('a currency of another namespace is not the currency', async () => {
    const text = pain().replace('Ccy="USD"', 'xmlns:x="urn:x" Ccy="USD" x:Ccy="EUR"');
    await accepted('a.xml', text, '1.5 USDC in 1 line');
    await refused('a.xml', text.replace(' Ccy="USD"', ''), 'Amt/InstdAmt/@Ccy "" is not the token');
  });
  it.each([
    ['an amount', '<InstdAmt ', '<x:InstdAmt xmlns:x="urn:x" ', 'InstdAmt>', 'Amt/*:InstdAmt'],
    ['a payment', '<CdtTrfTxInf>', '<CdtTrfTxInf xmlns="urn:x">', '', 'PmtInf[1]/*:CdtTrfTxInf'],
  ])('%s of another namespace is none', async (_, from, into, end, path) => {
    const text = pain().replace(from, into);
    await refused('a.xml', end === '' ? text : text.replace(`</${end}`, `</x:${end}`), path);
  });
});

describe('pain.001: what is there twice counts twice', () => {
  it.each([
    ['a sum', '<CtrlSum>1.50</CtrlSum><CtrlSum>15</CtrlSum>', 'PmtInf[1]/CtrlSum is "15"'],
    ['a number', '<NbOfTxs>1</NbOfTxs><NbOfTxs>2</NbOfTxs>', 'PmtInf[1]/NbOfTxs is "2"'],
    ['a method', '<PmtMtd>CHK</PmtMtd>', 'PmtInf[1]/PmtMtd "CHK"'],
  ])('%s', async (_, own, words) => {
    await refused('a.xml', pain(payment({ own })), words);
  });
  // A Mac writes "ö" as two letters. It is the same id.
  it('an id in two forms of Unicode', async () => {
    const transfers = ['Größe', 'Größe'.normalize('NFD')].map((id) => transfer({ id })).join('');
    await refused('a.xml', pain(payment({ transfers })), 'is the id of row 1');
  });
});

describe('pain.001: currencies and payers', () => {
  it('a payee who wants another currency is not paid in this one', async () => {
    const text = pain().replace('<CdtrAcct>', '<CdtrAcct><Ccy>EUR</Ccy>');
    await refused('a.xml', text, 'CdtrAcct/Ccy "EUR" is not the currency of the amount');
    await accepted('a.xml', text.replace('<Ccy>EUR', '<Ccy>USD'), '1.5 USDC');
  });
  it('payers without an account are told apart by their names', async () => {
    const by = (name: string, id: string) =>
      payment({ own: `<Dbtr><Nm>${name}</Nm></Dbtr>`, transfers: transfer({ id }) }).replace(
        /<DbtrAcct>.*<\/DbtrAcct>/,
        '',
      );
    await refused('a.xml', pain(by('A', 'a') + by('B', 'b')), 'PmtInf[2]/DbtrAcct is another');
    await accepted('a.xml', pain(by('A', 'a') + by('A', 'b')), '3 USDC in 2 lines');
  });
});

describe('pain.001: all remittance is kept', () => {
  const ref = '<CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf>';
  const invoice = (number: string) => `<RfrdDocInf><Nb>${number}</Nb></RfrdDocInf>`;
  it.each([
    ['text and a reference', `<Ustrd>Rent</Ustrd><Strd>${ref}</Strd>`, 'Rent RF18539007547034'],
    [
      'several invoices',
      `<Strd>${invoice('I-1')}</Strd><Strd>${invoice('I-2')}${ref}</Strd>`,
      'I-1 I-2 RF18539007547034',
    ],
    ['words beside them', '<Strd><AddtlRmtInf>less 2 %</AddtlRmtInf></Strd>', 'less 2 %'],
    ['one text twice', `<Ustrd>RF18539007547034</Ustrd><Strd>${ref}</Strd>`, 'RF18539007547034'],
  ])('%s', async (_, remittance, reference) => {
    const transfers = transfer({ remittance: `<RmtInf>${remittance}</RmtInf>` });
    expect(await linesIn('a.xml', pain(payment({ transfers })))).toMatchObject([{ to, reference }]);
  });
});

it('pain.001: an id that is too long is named', async () => {
  const transfers = transfer({ id: 'x/'.repeat(18) });
  const words = `row 1, column endToEndId: "${'x/'.repeat(18)}" must be 1 to 35 letters`;
  await refused('a.xml', pain(payment({ transfers })), words);
});
