import { toBaseUnits } from '../../custody/objects/amount';
import { listedToken } from '../../custody/objects/money';
import type { LineResult } from '../../orders/payout';
import { accountIdOf, digestOf } from './accountId';
import { type AccountTexts, sortTexts } from './byAccount';
import {
  type CamtForm,
  currencyOf,
  cutUnits,
  entryElement,
  idElement,
  partyElement,
  proxyElements,
  remittance,
  signed,
  tokenOfCurrency,
} from './camtParts';
import { cut, element } from './xml';

const version = '08';
/** Characters that fields of the schema have room for. */
const [idMax, nameMax, textMax] = [35, 140, 500];
/** Currencies of tokens for a sender who wrote a pain.001, which names them so. */
const senders = new Map(
  Object.entries(tokenOfCurrency).map(([currency, token]) => [token, currency]),
);

type Made = { payoutId: string; blockchain: string; madeMs: number };

/**
 * The paid lines of a payout as camt.054.001.08, a notification of debits for each wallet and
 * token. Each has the ids that its sender wrote in a pain.001. Empty if no line is paid, since the
 * schema has no notification of nothing.
 */
export async function* inCamt054(
  lines: AsyncIterable<LineResult>,
  made: Made,
): AsyncGenerator<string, void> {
  const heads = new Map<string, string>();
  const accounts = await sortTexts(lines, (line) => {
    if (line.outcome !== 'paid' || line.txHash === undefined) return undefined;
    const { id, head, entry } = debitOf(line, made);
    heads.set(id, head);
    return { account: id, text: entry };
  });
  try {
    if (accounts.texts > 0) yield* documentOf(accounts, heads, made);
  } finally {
    accounts.close();
  }
}

function* documentOf(
  { names, textsOf }: AccountTexts,
  heads: ReadonlyMap<string, string>,
  { payoutId, madeMs }: Made,
): Generator<string, void> {
  const created = element('CreDtTm', new Date(madeMs).toISOString());
  const idOf = (own: string): string =>
    element('Id', digestOf(`${payoutId} ${madeMs} ${own}`).slice(0, idMax));
  const message = element('MsgId', cut(`${madeMs}-${payoutId}`, idMax));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.${version}">\n`;
  yield `<BkToCstmrDbtCdtNtfctn>\n${element('GrpHdr', [message, created])}\n`;
  for (const name of names) {
    yield `<Ntfctn>${idOf(name)}${created}${heads.get(name)}\n`;
    yield* textsOf(name);
    yield '</Ntfctn>\n';
  }
  yield '</BkToCstmrDbtCdtNtfctn>\n</Document>\n';
}

/** The debit of a paid line, and the account that it is of. */
function debitOf(line: LineResult, { payoutId, blockchain }: Made) {
  const { walletAddress, to, amount, txHash = '', settledAt = '', source } = line;
  const token = tokenOf(line.token, blockchain);
  const form: CamtForm = {
    blockchain,
    version,
    currencies: source === undefined ? new Map() : senders,
  };
  const holder = walletAddress.toLowerCase();
  const currency = currencyOf(token, form);
  const decimals = amount.split('.')[1]?.length ?? 0;
  const units = -cutUnits(`${toBaseUnits(amount, decimals)}`, decimals);
  const ref = digestOf(JSON.stringify([payoutId, line.lineId, line.generation, txHash])).slice(
    0,
    32,
  );
  const exact = `exactly ${amount} ${token.token}, transaction ${txHash}`;
  const account = [idElement(token, to.toLowerCase(), form), ...proxyElements(to, form)];
  const reason = line.reference ?? line.lineId;
  const details = [
    element('Refs', referencesOf(line, ref)),
    ...signed(units, currency, true),
    partyElement('Cdtr', { name: cut(line.name ?? to, nameMax), account }, form),
    remittance(reason),
    element('AddtlTxInf', cut(`${exact} · ${line.lineId}`, textMax)),
  ];
  // The movement of a line is known to its statement alone, by its log.
  const own = { id: ref, isMovement: false, units, isDebit: true, currency };
  const entry = entryElement({ ...own, time: settledAt, code: 'TRANSFER', details }, form);
  const head = element('Acct', [
    idElement(token, holder, form),
    element('Tp', [element('Prtry', cut(token.token, idMax))]),
    element('Ccy', currency),
    ...proxyElements(walletAddress, form),
  ]);
  const id = accountIdOf({ ...token, holder, blockchain });
  // The same account in two currencies is two accounts to the schema.
  return { id: `${id} ${currency}`, head, entry: `${entry}\n` };
}

/** The references of a line, as its sender has written them. */
function referencesOf({ lineId, source, txHash = '' }: LineResult, ref: string): string[] {
  const { messageId, paymentId, instructionId, endToEndId = cut(lineId, idMax) } = source ?? {};
  return [
    ...(messageId === undefined ? [] : [element('MsgId', messageId)]),
    element('AcctSvcrRef', ref),
    ...(paymentId === undefined ? [] : [element('PmtInfId', paymentId)]),
    ...(instructionId === undefined ? [] : [element('InstrId', instructionId)]),
    element('EndToEndId', endToEndId),
    element('Prtry', [element('Tp', 'transaction hash'), element('Ref', cut(txHash, idMax))]),
  ];
}

/** A token as the statement names it: by its symbol if it is listed, else by its contract. */
function tokenOf(token: string, blockchain: string): { token: string; contract?: string } {
  const listed = listedToken(blockchain, token);
  return listed === undefined ? { token, contract: token.toLowerCase() } : { token: listed.symbol };
}
