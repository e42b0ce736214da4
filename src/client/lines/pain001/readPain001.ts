import { addTo } from '../../../checks/addTo';
import { shown } from '../../../orders/input/shown';
import { messageOf } from '../../../orders/input/systemFault';
import type { LineSource } from '../../../orders/payout/lineBeside';
import type { FileReading } from '../columns';
import type { FileRow } from '../row';
import { dueFaults } from './dueDay';
import { elementsTo, type Leaf } from './elements';
import { strangeFault, strangeFaults } from './places';
import { elementText, paymentTally, type Texts } from './texts';
import { amountIn, rowOf } from './transfer';
import { Misfit, xmlText } from './xmlText';

const initiation = 'Document/CstmrCdtTrfInitn';
const group = `${initiation}/GrpHdr`;
const payment = `${initiation}/PmtInf`;
const transfer = `${payment}/CdtTrfTxInf`;

/** Elements beside the payments that nobody has to follow, and those that are empty. */
const besideForm = new RegExp(`^${initiation}(/GrpHdr|/SplmtryData(/.*)?)?$`);

/** Versions .03 to .12 have the same elements for all that is read here. */
const namespaceForm = /^urn:iso:std:iso:20022:tech:xsd:(pain\.001\.001\.(?:0[3-9]|1[0-2]))$/;

/**
 * Reads the credit transfers of a pain.001 as rows of a payout. EndToEndId is the line, the proxy
 * of the creditor's account the address, and the remittance text the reference. A transfer that
 * does not fit is a fault, told with its path.
 */
export async function* readPain001(
  path: string,
  reading: FileReading,
): AsyncGenerator<FileRow, void> {
  const reader = createReader(reading);
  try {
    for await (const chunk of xmlText(path)) {
      reader.write(chunk);
      yield* reader.rows();
    }
    reader.close();
    yield* reader.rows();
  } catch (error) {
    yield* reader.rows();
    const words = messageOf(error);
    yield { fault: error instanceof Misfit ? words : `is no XML that can be read: ${words}` };
  }
}

/** One PmtInf: payments from one account on one day. */
type Payment = { at: string; texts: Texts; counts: ReturnType<typeof paymentTally> };

function createReader(reading: FileReading) {
  const rows: FileRow[] = [];
  const all = paymentTally();
  const header: Texts = new Map();
  let payments = 0;
  let own: Texts = new Map();
  let current = newPayment(0);
  let payer: { at: string; account: string } | undefined;
  let message = '';

  const endTransfer = (): void => {
    const amount = amountIn(own);
    all.add(amount);
    current.counts.add(amount);
    const source = sourceOf(message, header, current.texts);
    const at = `${current.at}/CdtTrfTxInf[${current.counts.count()}]`;
    rows.push(rowOf(all.count(), own, { at, source, reading }));
  };
  const endPayment = (): void => {
    const { at, texts, counts } = current;
    const account = accountIn(texts);
    payer ??= { at, account };
    const faults = [
      ...strangeFaults('PmtInf', texts, at),
      ...methodFaults(texts, at),
      ...dueFaults(texts, at),
      ...counts.faults(at, texts),
      ...(payer.account === account ? [] : [`${at}/DbtrAcct ${otherPayer(payer.at)}`]),
    ];
    rows.push(...faults.map((fault) => ({ fault })));
  };
  const elements = elementsTo({
    root: (name, namespace) => {
      message = namespaceForm.exec(namespace)?.[1] ?? '';
      if (name === 'Document' && message !== '') return;
      throw new Misfit(
        'is no pain.001 of ISO 20022, .03 to .12: its first element is another one.',
      );
    },
    open: (path) => {
      if (path === transfer) own = new Map();
      if (path !== payment) return;
      payments += 1;
      current = newPayment(payments);
    },
    close: (path, leaf) => {
      if (path === transfer) endTransfer();
      else if (path === payment) endPayment();
      else if (leaf !== undefined) {
        const isKept =
          keep(own, path, { within: transfer, leaf }) ||
          keep(current.texts, path, { within: payment, leaf }) ||
          keep(header, path, { within: group, leaf });
        if (!isKept && !besideForm.test(path)) rows.push({ fault: `${path} ${strangeFault}` });
      }
    },
  });
  return {
    write: elements.write,
    close: (): void => {
      elements.close();
      const faults = [
        ...strangeFaults('GrpHdr', header, 'GrpHdr'),
        ...all.faults('GrpHdr', header),
      ];
      rows.push(...faults.map((fault) => ({ fault })));
    },
    *rows(): Generator<FileRow> {
      yield* rows.splice(0);
    },
  };
}

function newPayment(number: number): Payment {
  return { at: `PmtInf[${number}]`, texts: new Map(), counts: paymentTally() };
}

/** Keeps a leaf of an element by its path in it. False if it is in another one. */
function keep(texts: Texts, path: string, { within, leaf }: { within: string; leaf: Leaf }) {
  if (!path.startsWith(`${within}/`)) return false;
  const place = path.slice(within.length + 1);
  addTo(texts, place, leaf.text);
  const { Ccy } = leaf.attributes;
  if (Ccy !== undefined) addTo(texts, `${place}@Ccy`, Ccy);
  return true;
}

function sourceOf(message: string, header: Texts, texts: Texts): LineSource {
  const [messageId, paymentId] = [elementText(header, 'MsgId'), elementText(texts, 'PmtInfId')];
  return { message, ...(messageId && { messageId }), ...(paymentId && { paymentId }) };
}

function methodFaults(texts: Texts, at: string): string[] {
  const others = (texts.get('PmtMtd') ?? []).filter((method) => method !== 'TRF');
  return others.map((method) => `${at}/PmtMtd ${shown(method)} cannot be paid: it must be TRF.`);
}

/** The debtor's account, whatever it is called by. Without an id, its owner stands for it. */
function accountIn(texts: Texts): string {
  const ids = [...texts].filter(([path]) => /^DbtrAcct\/(Id|Prxy)\b/.test(path));
  const named = [...texts].filter(([path]) => /^(DbtrAcct|Dbtr)\//.test(path));
  return (ids.length > 0 ? ids : named)
    .map(([path, values]) => `${path} ${values.join(' ')}`.toLowerCase())
    .join('\n');
}

function otherPayer(first: string): string {
  return (
    `is another account than that of ${first}, and all lines are paid from --wallet. ` +
    'Make a file of its own for each account.'
  );
}
