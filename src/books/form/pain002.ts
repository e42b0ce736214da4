import type { LineOutcome } from '../../orders/payout';
import type { LineSource } from '../../orders/payout/lineBeside';
import { cut, element } from './xml';

/** A line of a payout, as far as pain.002 tells of it. */
type LineStatus = {
  lineId: string;
  outcome: LineOutcome;
  reason?: string | undefined;
  txHash?: string | undefined;
  source?: LineSource | undefined;
};

/** The message and the payment that a line came with. */
type Original = Record<'message' | 'messageId' | 'paymentId', string>;

/** The words of ISO 20022: settled, rejected, pending. */
const statusOf: Readonly<Record<LineOutcome, string>> = {
  paid: 'ACSC',
  failed: 'RJCT',
  skipped: 'RJCT',
  unknown: 'PDNG',
  waiting: 'PDNG',
};

const [idMax, reasonMax] = [35, 105];

/**
 * The outcome of each line as pain.002.001.12, the answer to a pain.001. It names message, payments
 * and transactions by their sender's own ids, where the lines have them.
 */
export async function* inPain002(
  lines: AsyncIterable<LineStatus>,
  { payoutId, madeMs }: { payoutId: string; madeMs: number },
): AsyncGenerator<string, void> {
  const own = cut(payoutId, idMax);
  const other = { message: 'pain.001.001.12', messageId: own, paymentId: own };
  let open: Original | undefined;
  for await (const line of lines) {
    const { message, messageId = own, paymentId = own } = line.source ?? other;
    const source = { message, messageId, paymentId };
    if (open === undefined) yield headOf(source, { payoutId, madeMs });
    if (open?.paymentId !== source.paymentId) {
      if (open !== undefined) yield '</OrgnlPmtInfAndSts>\n';
      yield `<OrgnlPmtInfAndSts>${element('OrgnlPmtInfId', source.paymentId)}\n`;
    }
    open = source;
    yield `${statusElement(line)}\n`;
  }
  if (open === undefined) yield headOf(other, { payoutId, madeMs });
  else yield '</OrgnlPmtInfAndSts>\n';
  yield '</CstmrPmtStsRpt>\n</Document>\n';
}

function headOf(
  { message, messageId }: Original,
  { payoutId, madeMs }: { payoutId: string; madeMs: number },
): string {
  const header = [
    element('MsgId', cut(`${madeMs}-${payoutId}`, idMax)),
    element('CreDtTm', new Date(madeMs).toISOString()),
  ];
  const group = [element('OrgnlMsgId', messageId), element('OrgnlMsgNmId', message)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.12">\n<CstmrPmtStsRpt>',
    `${element('GrpHdr', header)}\n${element('OrgnlGrpInfAndSts', group)}\n`,
  ].join('\n');
}

function statusElement({ lineId, outcome, reason, txHash, source }: LineStatus): string {
  const words = reason ?? (txHash === undefined ? undefined : `transaction ${txHash}`);
  const why = [
    element('Rsn', [element('Prtry', outcome)]),
    ...(words === undefined ? [] : [element('AddtlInf', cut(words, reasonMax))]),
  ];
  const { instructionId, endToEndId = cut(lineId, idMax) } = source ?? {};
  return element('TxInfAndSts', [
    ...(instructionId === undefined ? [] : [element('OrgnlInstrId', instructionId)]),
    element('OrgnlEndToEndId', endToEndId),
    element('TxSts', statusOf[outcome]),
    element('StsRsnInf', why),
  ]);
}
