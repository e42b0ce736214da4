import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inPain002 } from '../../../../src/books/form/pain002';
import { openLines } from '../../../../src/client/lines/linesFile';
import { survey, surveyedLines } from '../../../../src/client/lines/survey';
import { xsdValidator } from '../../../support/package/iso20022';

const folder = mkdtempSync(join(tmpdir(), 'pain-'));
const to = '0x523be5c33df156e5104b878dba71445db985ec7d';
const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.12';
const proxy = `<CdtrAcct><Prxy><Id>${to}</Id></Prxy></CdtrAcct>`;

function payment({ id = 'a-1', ccy = 'USD', amount = '12.50', account = proxy } = {}): string {
  return [
    `<CdtTrfTxInf><PmtId><EndToEndId>${id}</EndToEndId></PmtId>`,
    `<Amt><InstdAmt Ccy="${ccy}">${amount}</InstdAmt></Amt><Cdtr><Nm>Ann &amp; Bo</Nm></Cdtr>`,
    `${account}<RmtInf><Ustrd>invoice ${id}</Ustrd></RmtInf></CdtTrfTxInf>`,
  ].join('\n');
}

function document(
  payments: string,
  { count = '1', sum = '12.50', day = '2026-01-31' } = {},
): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="${namespace}"><CstmrCdtTrfInitn>`,
    '<GrpHdr><MsgId>m</MsgId><CreDtTm>2026-01-31T10:00:00Z</CreDtTm>',
    `<NbOfTxs>${count}</NbOfTxs><CtrlSum>${sum}</CtrlSum>`,
    '<InitgPty><Nm>Shop</Nm></InitgPty></GrpHdr>',
    '<PmtInf><PmtInfId>p</PmtInfId><PmtMtd>TRF</PmtMtd>',
    `<ReqdExctnDt><Dt>${day}</Dt></ReqdExctnDt><Dbtr><Nm>Shop</Nm></Dbtr>`,
    `<DbtrAcct><Prxy><Id>${to}</Id></Prxy></DbtrAcct>`,
    '<DbtrAgt><FinInstnId><Nm>none</Nm></FinInstnId></DbtrAgt>',
    `${payments}</PmtInf></CstmrCdtTrfInitn></Document>`,
  ].join('\n');
}

function fileOf(text: string): string {
  const path = join(folder, `${Math.random()}.xml`);
  writeFileSync(path, text);
  return path;
}

function linesOf(text: string, token?: string) {
  return openLines(fileOf(text), { token, ignored: new Set<string>() });
}

const both = document(`${payment()}${payment({ id: 'a-2', ccy: 'EUR', amount: '0.5' })}`, {
  count: '2',
  sum: '13.00',
});

test('a pain.001 is the lines of a payout', async () => {
  const file = linesOf(both);
  const surveyed = await survey(file);
  const lines = [];
  for await (const line of surveyedLines(file, surveyed)) lines.push(line);
  expect(lines).toEqual([
    expect.objectContaining({
      lineId: 'a-1',
      amount: '12.5',
      token: 'USDC',
      reference: 'invoice a-1',
    }),
    expect.objectContaining({
      lineId: 'a-2',
      amount: '0.5',
      token: 'EURC',
      reference: 'invoice a-2',
    }),
  ]);
  expect(lines[0]?.to.toLowerCase()).toBe(to);
});

const validate = xsdValidator();
(validate === undefined ? test.skip : test)(
  'both messages are valid for their schemas',
  async () => {
    expect(validate?.('pain.001.001.12', fileOf(both))).toBe('valid');
    async function* lines() {
      yield { lineId: 'a-1', outcome: 'paid' as const, txHash: `0x${'ab'.repeat(32)}` };
      yield {
        lineId: 'a-2',
        outcome: 'failed' as const,
        reason: 'It is <blocked> & was sent back.',
      };
      yield { lineId: 'a-3', outcome: 'waiting' as const };
    }
    const parts: string[] = [];
    for await (const part of inPain002(lines(), { payoutId: 'january', madeMs: 0 }))
      parts.push(part);
    expect(validate?.('pain.002.001.12', fileOf(parts.join('')))).toBe('valid');
  },
);

const entities = '<!DOCTYPE d [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>';
const iban = '<CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>';

describe('a pain.001 is refused with the path of what does not fit', () => {
  test.each([
    ['a DOCTYPE with entities', `${entities}${document(payment())}`, 'has a DOCTYPE'],
    ['an entity', document(payment({ id: '&a;' })), 'is no XML that can be read'],
    [
      'a million nested tags',
      `<Document xmlns="${namespace}">${'<a>'.repeat(1e6)}`,
      'nested deeper',
    ],
    ['an end that is missing', document(payment()).slice(0, -30), 'is no XML that can be read'],
    ['another message', document(payment()).replace('pain.001', 'pain.008'), 'is no pain.001'],
    ['a bank account', document(payment({ account: iban })), 'CdtTrfTxInf[1]/CdtrAcct/Id'],
    ['no account', document(payment({ account: '' })), 'CdtrAcct/Prxy/Id is missing'],
    ['another currency', document(payment({ ccy: 'JPY' })), '/Amt/InstdAmt/@Ccy'],
    ['a sum that is wrong', document(payment(), { sum: '12.51' }), 'GrpHdr/CtrlSum'],
    ['a number that is wrong', document(payment(), { count: '2' }), 'GrpHdr/NbOfTxs'],
    ['a day to come', document(payment(), { day: '2999-01-01' }), 'ReqdExctnDt/Dt'],
    [
      'an address with a mistake',
      document(payment({ account: proxy.replace('0x5', '0xz') })),
      'row 1, column to',
    ],
  ])('%s', async (_, text, words) => {
    await expect(survey(linesOf(text))).rejects.toThrow(words);
  });

  test('a token that is not the currency', async () => {
    await expect(survey(linesOf(document(payment()), 'EURC'))).rejects.toThrow('is not the token');
  });
});
