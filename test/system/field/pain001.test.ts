import { pain, payment, transfer } from './painOf';
import { accepted, linesIn, refused } from './readFiles';

/** Files of ISO 20022 as banks and their clients write them, each with its source in one line. */
describe('pain.001: a later day is never paid today', () => {
  // svapnil/iso20022.js#65: the execution date was lost.
  it.each([
    ['DtTm', '<DtTm>2999-01-15T09:00:00Z</DtTm>', 'PmtInf[1]/ReqdExctnDt/DtTm'],
    ['DtTm of another zone', '<DtTm>2999-01-15T09:00:00.000+02:00</DtTm>', '/ReqdExctnDt/DtTm'],
    ['DtTm without a zone', '<DtTm>2999-01-15T09:00:00</DtTm>', '/ReqdExctnDt/DtTm'],
    ['the text of .03', '2999-01-15', 'PmtInf[1]/ReqdExctnDt "2999-01-15" is later than today'],
    ['Dt with a zone', '<Dt>2999-01-15+01:00</Dt>', '/ReqdExctnDt/Dt'],
    ['a day of another form', '15.01.2999', 'is no day that is understood'],
    ['a day that is not in the calendar', '<Dt>2026-02-30</Dt>', 'is no day that is understood'],
    ['no text at all', '', 'is no day that is understood'],
    ['another element', '<Wk>2999-W03</Wk>', 'ReqdExctnDt/Wk'],
    ['CDATA', '<Dt><![CDATA[2999-01-15]]></Dt>', 'is later than today'],
  ])('%s', async (_, day, words) => {
    await refused('a.xml', pain(payment({ day })), words);
  });

  it.each([
    ['DtTm', '<DtTm>2026-01-15T09:00:00Z</DtTm>'],
    ['the text of .03', '2026-01-15'],
    ['a zone', '<Dt>2026-01-15-05:00</Dt>'],
  ])('an earlier one is paid: %s', async (_, day) => {
    await accepted('a.xml', pain(payment({ day })), '1.5 USDC in 1 line');
  });

  // The texts of one PmtInf were read as those of the next one.
  it('each PmtInf has a day of its own', async () => {
    const second = payment({
      id: 'P2',
      day: '<DtTm>2999-06-01T00:00:00Z</DtTm>',
      transfers: transfer({ id: 'a-2' }),
    });
    await refused('a.xml', pain(payment() + second), 'PmtInf[2]/ReqdExctnDt/DtTm');
  });

  it('a moment later today is later than now', async () => {
    const soon = new Date(Date.now() + 600_000).toISOString();
    await refused('a.xml', pain(payment({ day: `<DtTm>${soon}</DtTm>` })), 'ReqdExctnDt/DtTm');
  });
});

describe('pain.001: totals of a group and of each payment', () => {
  const two = transfer() + transfer({ id: 'a-2', amount: '2' });
  // metasfresh/metasfresh#24315: strict banks refuse what a schema does not see.
  it.each([
    [
      'a sum of PmtInf',
      payment({ own: '<CtrlSum>1.50</CtrlSum>', transfers: transfer({ amount: '15.00' }) }),
      '',
      'PmtInf[1]/CtrlSum is "1.50"',
    ],
    [
      'a number of PmtInf',
      payment({ own: '<NbOfTxs>5</NbOfTxs>' }),
      '',
      'PmtInf[1]/NbOfTxs is "5", but there are 1 (AM18)',
    ],
    [
      'the second PmtInf',
      payment() + payment({ own: '<CtrlSum>9</CtrlSum>', transfers: transfer({ id: 'b' }) }),
      '',
      'PmtInf[2]/CtrlSum is "9"',
    ],
    [
      'a sum of the group',
      payment({ transfers: two }),
      '<CtrlSum>3.51</CtrlSum>',
      'GrpHdr/CtrlSum is "3.51", which is not the sum of the amounts (AM10)',
    ],
    [
      'a number of the group',
      payment({ transfers: two }),
      '<NbOfTxs>3</NbOfTxs>',
      'GrpHdr/NbOfTxs is "3", but there are 2',
    ],
    ['a sum that is no number', payment(), '<CtrlSum>1,50</CtrlSum>', 'GrpHdr/CtrlSum is "1,50"'],
  ])('%s', async (_, payments, group, words) => {
    const said = await refused('a.xml', pain(payments, { group }), words);
    expect(said).not.toContain('row ');
  });

  // XML Schema, part 2: xs:decimal and Max15NumericText allow leading zeros, and a plus.
  it.each(['1.50', '+1.50', '01.50', '1.5', '+01.5'])(
    'numbers as banks write them: %s',
    async (amount) => {
      const group = `<NbOfTxs>01</NbOfTxs><CtrlSum>${amount}</CtrlSum>`;
      const own = `<NbOfTxs>001</NbOfTxs><CtrlSum>+1.500</CtrlSum>`;
      const text = pain(payment({ own, transfers: transfer({ amount }) }), { group });
      await accepted('a.xml', text, '1.5 USDC in 1 line');
    },
  );
});

describe('pain.001: one payer', () => {
  // Two accounts were paid from the one wallet, without a word.
  it('several accounts are refused', async () => {
    const text = pain(
      payment({ payer: 'A' }) + payment({ payer: 'B', transfers: transfer({ id: 'b' }) }),
    );
    await refused('a.xml', text, 'PmtInf[2]/DbtrAcct is another account than that of PmtInf[1]');
  });
  it('one account of several payments is not', async () => {
    const text = pain(
      payment({ payer: 'A' }) + payment({ payer: 'A', transfers: transfer({ id: 'b' }) }),
    );
    await accepted('a.xml', text, '3 USDC in 2 lines');
  });
});

describe('pain.001: letters are those of the file', () => {
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
  const said = (words: string) => `<RmtInf><Ustrd>${words}</Ustrd></RmtInf>`;
  const text = (encoding: string, words: string) =>
    pain(payment({ transfers: transfer({ remittance: said(words) }) }), {
      declaration: declared(encoding),
    });

  // actualbudget/actual#8912, ALAppExtensions#10846: banks that want ISO-8859-1.
  it.each([
    ['ISO-8859-1', Buffer.from(text('ISO-8859-1', 'Gehalt Müller'), 'latin1'), 'Gehalt Müller'],
    ['iso-8859-15', Buffer.from(text('iso-8859-15', 'Miete \xa4'), 'latin1'), 'Miete €'],
    [
      'windows-1252',
      Buffer.from(text('windows-1252', 'Caf\xe9 Zo\xeb \x96 Mai \x80'), 'latin1'),
      'Café Zoë – Mai €',
    ],
    ['UTF-8', Buffer.from(text('UTF-8', 'Žižek 工資')), 'Žižek 工資'],
    [
      'UTF-16 with its mark',
      Buffer.from(`\ufeff${text('UTF-16', 'Müller 工資')}`, 'utf16le'),
      'Müller 工資',
    ],
    ['UTF-16 without a mark', Buffer.from(text('UTF-16', 'Müller'), 'utf16le'), 'Müller'],
    [
      'UTF-16, high bytes first',
      Buffer.from(`\ufeff${text('UTF-16', 'Müller')}`, 'utf16le').swap16(),
      'Müller',
    ],
  ])('%s', async (_, bytes, reference) => {
    expect(await linesIn('a.xml', bytes)).toMatchObject([{ reference }]);
  });

  it.each([
    [
      'UTF-8 with bytes of ISO-8859-1',
      Buffer.from(text('UTF-8', 'Müller'), 'latin1'),
      'line 2, Document/CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf/RmtInf/Ustrd: holds a byte',
    ],
    [
      'no declaration, and bytes of ISO-8859-1',
      Buffer.from(
        pain(payment({ transfers: transfer({ remittance: said('Müller') }) }), { declaration: '' }),
        'latin1',
      ),
      'holds a byte',
    ],
    [
      'ISO-8859-1 with a dash of Windows',
      Buffer.from(text('ISO-8859-1', 'a \x96 b'), 'latin1'),
      'holds a byte',
    ],
    [
      'windows-1252 with a byte that has no letter',
      Buffer.from(text('windows-1252', 'a\x81'), 'latin1'),
      'holds a byte',
    ],
    ['us-ascii with an umlaut', Buffer.from(text('US-ASCII', 'ü'), 'latin1'), 'holds a byte'],
    [
      'an encoding that is not read',
      Buffer.from(text('Shift_JIS', 'a')),
      'encoding "Shift_JIS", which is not read',
    ],
    ['UTF-16 that is UTF-8', Buffer.from(text('UTF-16', 'a')), 'declares "UTF-16"'],
    [
      'UTF-8 that is UTF-16',
      Buffer.from(`\ufeff${text('UTF-8', 'a')}`, 'utf16le'),
      'declares "UTF-8"',
    ],
    [
      'a broken letter at the very end',
      Buffer.concat([Buffer.from(pain()), Buffer.from([0xe2, 0x82])]),
      'holds a byte',
    ],
  ])('refused: %s', async (_, bytes, words) => {
    await refused('a.xml', bytes, words);
  });

  it.each([
    [
      'all remittance texts',
      '<RmtInf><Ustrd>Invoice 1001</Ustrd><Ustrd>less discount</Ustrd></RmtInf>',
      'Invoice 1001 less discount',
    ],
    [
      'a creditor reference',
      '<RmtInf><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf>',
      'RF18539007547034',
    ],
    ['CDATA', '<RmtInf><Ustrd><![CDATA[A & B <C>]]></Ustrd></RmtInf>', 'A & B <C>'],
    [
      'entities and a comment',
      '<RmtInf><Ustrd>A &amp; B<!-- x --> &#x43;</Ustrd></RmtInf>',
      'A & B C',
    ],
  ])('%s', async (_, remittance, reference) => {
    expect(
      await linesIn('a.xml', pain(payment({ transfers: transfer({ remittance }) }))),
    ).toMatchObject([{ reference }]);
  });
});

describe('pain.001: values are what XML says', () => {
  // XML 1.0, section 2.7: CDATA is text.
  it.each([
    ['1<![CDATA[0]]>0.00', '100'],
    ['<![CDATA[12.50]]>', '12.5'],
    ['1<!-- 9 -->2.50', '12.5'],
    ['&#49;2.50', '12.5'],
  ])('%s', async (amount, read) => {
    const text = pain(payment({ transfers: transfer({ amount }) }));
    expect(await linesIn('a.xml', text)).toMatchObject([{ amount: read }]);
  });

  it('an amount that is there twice, or has an element in it, is refused', async () => {
    const twice = transfer().replace('</Amt>', '<InstdAmt Ccy="USD">150</InstdAmt></Amt>');
    await refused('a.xml', pain(payment({ transfers: twice })), 'Amt/InstdAmt is there twice');
    await refused(
      'a.xml',
      pain(payment({ transfers: transfer({ amount: '1<b/>0' }) })),
      'holds text beside other elements',
    );
  });

  it.each(['03', '04', '05', '06', '07', '08', '09', '10', '11', '12'])(
    'version .%s',
    async (version) => {
      await accepted('a.xml', pain(payment(), { version }), '1.5 USDC');
    },
  );
  it.each(['02', '13', '99'])('version .%s is not known', async (version) => {
    await refused('a.xml', pain(payment(), { version }), 'is no pain.001 of ISO 20022, .03 to .12');
  });
});

describe('pain.001: every EndToEndId is a line', () => {
  const ids = [
    'RE 2026/01',
    'RE-2026/01',
    'RE 2026.01',
    'Größe (1)',
    "a'b+c",
    '工資',
    '-x',
    'NOTPROVIDED',
  ];
  it('each one has a line of its own, always the same', async () => {
    const text = pain(payment({ transfers: ids.map((id) => transfer({ id })).join('') }));
    const [first, second] = [await linesIn('a.xml', text), await linesIn('a.xml', text)];
    expect(new Set(first.map(({ lineId }) => lineId)).size).toBe(ids.length);
    expect(first.map(({ lineId }) => lineId)).toEqual(second.map(({ lineId }) => lineId));
    expect(first.map(({ lineId, source }) => source?.endToEndId ?? lineId)).toEqual(ids);
  });
  it('two of them are refused', async () => {
    const text = pain(payment({ transfers: transfer({ id: 'RE/1' }) + transfer({ id: 'RE/1' }) }));
    await refused('a.xml', text, 'is the id of row 1');
  });
});

it('a pain.001 without ids of its message is read too', async () => {
  const bare = pain().replace(/<(MsgId|PmtInfId)>.*?<\/\1>/g, '');
  expect(await linesIn('a.xml', bare)).toMatchObject([{ source: { message: 'pain.001.001.09' } }]);
});
