import type { LineOutcome } from '../../orders/payout';
import { cut, element } from './xml';

/** A line of a payout, as far as pain.002 tells of it. */
export type LineStatus = {
  lineId: string;
  outcome: LineOutcome;
  reason?: string | undefined;
  txHash?: string | undefined;
};

/** The words of ISO 20022: settled, rejected, pending. */
const statusOf: Readonly<Record<LineOutcome, string>> = {
  paid: 'ACSC',
  failed: 'RJCT',
  skipped: 'RJCT',
  unknown: 'PDNG',
  waiting: 'PDNG',
};

const [idMax, reasonMax] = [35, 105];

/** The outcome of each line as pain.002.001.12, the answer to a pain.001. */
export async function* inPain002(
  lines: AsyncIterable<LineStatus>,
  { payoutId, nowMs = Date.now() }: { payoutId: string; nowMs?: number },
): AsyncGenerator<string, void> {
  const original = cut(payoutId, idMax);
  const header = [
    element('MsgId', cut(`${nowMs}-${payoutId}`, idMax)),
    element('CreDtTm', new Date(nowMs).toISOString()),
  ];
  const group = [element('OrgnlMsgId', original), element('OrgnlMsgNmId', 'pain.001.001.12')];
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.12">\n<CstmrPmtStsRpt>\n';
  yield `${element('GrpHdr', header)}\n${element('OrgnlGrpInfAndSts', group)}\n`;
  yield `<OrgnlPmtInfAndSts>${element('OrgnlPmtInfId', original)}\n`;
  for await (const line of lines) yield `${statusElement(line)}\n`;
  yield '</OrgnlPmtInfAndSts>\n</CstmrPmtStsRpt>\n</Document>\n';
}

function statusElement({ lineId, outcome, reason, txHash }: LineStatus): string {
  const words = reason ?? (txHash === undefined ? undefined : `transaction ${txHash}`);
  const why = [
    element('Rsn', [element('Prtry', outcome)]),
    ...(words === undefined ? [] : [element('AddtlInf', cut(words, reasonMax))]),
  ];
  return element('TxInfAndSts', [
    element('OrgnlEndToEndId', cut(lineId, idMax)),
    element('TxSts', statusOf[outcome]),
    element('StsRsnInf', why),
  ]);
}
