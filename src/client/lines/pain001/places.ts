import type { Texts } from './texts';

/** Elements of a place by their names, or by their paths in it. */
function of(...paths: string[]): RegExp {
  return new RegExp(`^(${paths.join('|')})([/@]|$)`);
}

/**
 * Elements that are read, and elements that a payment may ignore, since they change neither payee,
 * amount nor day. Any other element is a fault, in any namespace.
 */
const known = {
  GrpHdr: of(
    ...['MsgId', 'CreDtTm', 'Authstn', 'NbOfTxs', 'CtrlSum', 'InitgPty', 'FwdgAgt', 'InitnSrc'],
  ),
  PmtInf: of(
    ...['PmtInfId', 'PmtMtd', 'ReqdAdvcTp', 'BtchBookg', 'NbOfTxs', 'CtrlSum', 'PmtTpInf'],
    ...['ReqdExctnDt', 'PoolgAdjstmntDt', 'Dbtr', 'DbtrAcct', 'DbtrAgt', 'DbtrAgtAcct'],
    ...['UltmtDbtr', 'ChrgBr', 'ChrgsAcct', 'ChrgsAcctAgt'],
  ),
  CdtTrfTxInf: of(
    ...['PmtId', 'PmtTpInf', 'Amt/InstdAmt', 'ChrgBr', 'MndtRltdInf', 'UltmtDbtr', 'CdtrAgt'],
    ...['CdtrAgtAcct', 'Cdtr', 'CdtrAcct/(Prxy|Tp|Ccy|Nm)', 'Purp', 'RgltryRptg', 'Tax'],
    ...['RltdRmtInf', 'RmtInf', 'SplmtryData'],
  ),
} as const;

/** The faults of elements that no payment on a chain can follow, one for each by its name. */
export function strangeFaults(place: keyof typeof known, texts: Texts, at: string): string[] {
  const strange = [...texts.keys()].filter((path) => !known[place].test(path));
  const firsts = new Map(strange.reverse().map((path) => [path.split('/')[0], path]));
  return [...firsts.values()].reverse().map((path) => `${at}/${path} ${strangeFault}`);
}

export const strangeFault =
  'cannot be paid: no payment on a chain can follow it. The payee is an address in ' +
  'CdtrAcct/Prxy/Id, and the amount is Amt/InstdAmt.';
