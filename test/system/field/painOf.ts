import { to } from '../../client/lines/linesOf';

type Transfer = {
  id?: string;
  amount?: string;
  remittance?: string;
  account?: string;
  beside?: string;
};

/** A credit transfer. */
export function transfer({
  id = 'a-1',
  amount = '1.50',
  remittance = '',
  account = to,
  beside = '',
}: Transfer = {}) {
  return [
    `<CdtTrfTxInf><PmtId><EndToEndId>${id}</EndToEndId></PmtId>`,
    `<Amt><InstdAmt Ccy="USD">${amount}</InstdAmt></Amt>`,
    `<CdtrAcct><Prxy><Id>${account}</Id></Prxy></CdtrAcct>${remittance}${beside}</CdtTrfTxInf>`,
  ].join('');
}

type Payment = { own?: string; day?: string; transfers?: string; payer?: string; id?: string };

/** A PmtInf with its transfers. */
export function payment({ own = '', day, transfers, payer = 'W', id = 'P1' }: Payment = {}) {
  return [
    `<PmtInf><PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>${own}`,
    `<ReqdExctnDt>${day ?? '<Dt>2026-01-31</Dt>'}</ReqdExctnDt>`,
    `<DbtrAcct><Id><Othr><Id>${payer}</Id></Othr></Id></DbtrAcct>`,
    `${transfers ?? transfer()}</PmtInf>`,
  ].join('');
}

type Message = { version?: string; declaration?: string; group?: string; root?: string };

/** A whole message. */
export function pain(
  payments = payment(),
  {
    version = '09',
    declaration = '<?xml version="1.0" encoding="UTF-8"?>',
    group = '',
    root = '',
  }: Message = {},
): string {
  return [
    `${declaration}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}">`,
    `<CstmrCdtTrfInitn><GrpHdr><MsgId>M1</MsgId>${group}</GrpHdr>${payments}`,
    `${root}</CstmrCdtTrfInitn></Document>`,
  ].join('\n');
}
