import type { ArchivedReceipt } from '../../books/receipt';
import { explorerPage } from '../../custody/networks/explorerPage';
import { fromBaseUnits } from '../../custody/objects/amount';
import { exchangeInWords } from '../../orders/exchange/exchange';
import type { NameOf } from '../../writer/file/namesOf';

const style = `body { font: 16px/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 46rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 2rem; margin: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { border-top: 1px solid #ccc; padding: .4rem .6rem; text-align: left; vertical-align: top; }
th { font-weight: 600; width: 11rem; } td { overflow-wrap: anywhere; }
section { break-inside: avoid; margin-bottom: 3rem; } small { color: #555; }
@media print { body { margin: 0; } }`;

/** A page with receipts for people. It loads nothing, and prints well. */
export function pageOf(receipts: readonly ArchivedReceipt[], nameOf: NameOf): string {
  const title = `Receipt: ${receipts[0]?.order.id ?? ''}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${safe(title)}</title>
<style>${style}</style></head>
<body>
${receipts.map((one) => sectionOf(one, nameOf)).join('\n')}
<p><small>Anyone can check the payment: steadfast receipt verify FILE --rpc URL reads it from
the chain alone. FILE is the same receipt as JSON. The chain does not know the order, nor who signed
and approved it: that rests on the seal of the ledger that is named.</small></p>
</body></html>
`;
}

function sectionOf(receipt: ArchivedReceipt, nameOf: NameOf): string {
  const { money, outcome } = receipt;
  const paid = outcome === 'completed' ? 'Paid' : 'Not paid: it failed';
  const heading = money === undefined ? receipt.kind : `${money.amount} ${money.token.name}`;
  const rows = rowsOf(receipt, nameOf).filter(([, value]) => value !== undefined && value !== '');
  const cells = rows.map(
    ([name, value]) => `<tr><th>${name}</th><td>${safe(`${value}`)}</td></tr>`,
  );
  return `<section><h1>${paid}</h1><h2>${safe(heading)}</h2>
<table>${cells.join('\n')}</table></section>`;
}

type Row = [name: string, value: string | number | undefined];

function rowsOf(receipt: ArchivedReceipt, nameOf: NameOf): Row[] {
  const { order, step, item, money, chain, fee, grounds, time, batch } = receipt;
  const name = money && nameOf(money.to);
  const shared = fee && fee.lines > 1 ? `, shared by ${fee.lines} payments` : '';
  return [
    ['Time', time],
    ['Order', order.id],
    ['Line', step === 'line' ? item : undefined],
    ['Reference', order.reference],
    ['Payee', order.payee],
    ['Ordered as', order.exchange && exchangeInWords(order.exchange)],
    ['From', money?.from ?? receipt.sender],
    ['To', money?.to],
    ['Name of that address today', name === order.payee ? undefined : name],
    ['Token', money && (money.token.address || 'native coin')],
    ['Transaction', chain.txHash],
    ['See it at', explorerOf(receipt)],
    ['User operation', chain.userOpHash],
    ['Block', chain.blockNumber],
    ['Log', chain.logIndex],
    ['Chain', `${chain.blockchain} (${chain.chainId})`],
    [
      'Network fee',
      fee && `${fromBaseUnits(BigInt(fee.baseUnits), 18)} of the native coin${shared}`,
    ],
    ['Batch', batch],
    ['Contradicts', receipt.contradicts && 'an earlier receipt of the same write'],
    ['Sealed by the ledger', grounds?.seal?.ledger],
    ['Policy', grounds?.policy],
    ['Signed by', grounds?.signedBy],
    ['Approved by', grounds?.approvedBy?.join(', ')],
    ['Screened', grounds?.screened && screenedOf(grounds.screened)],
    ['Idempotency key', receipt.key],
    ['Order digest', order.digest],
    ['Digest of all lines', order.linesDigest],
    ['Receipt before it', receipt.previous],
    ['Hash of this receipt', receipt.hash],
  ];
}

function explorerOf({ chain, service }: ArchivedReceipt): string | undefined {
  const { blockchain, txHash } = chain;
  return txHash && explorerPage({ blockchain, service }, `tx/${txHash}`);
}

function screenedOf(screened: Record<string, string>): string {
  return Object.entries(screened)
    .map(([screen, verdict]) => `${screen}: ${verdict}`)
    .join(', ');
}

/** Text without a meaning in HTML. */
function safe(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
