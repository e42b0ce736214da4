import { pacedReads } from '../../books/records/readRecords';
import { readCustodyConfig } from '../../config';
import { readReference } from '../../custody/reference';
import type { AccountIndex } from '../../store/index/accountIndex';
import { openIndex } from '../../store/index/openIndex';
import { isPostgres } from '../../store/place';
import { withSecrets } from '../../variables';
import type { Call } from '../call';
import { namesIn } from '../check/names';
import { type ExitCode, exitCodes, InputError, sentenceOf } from '../exit';
import { reachService } from '../reachService';
import { withArchive } from '../receipt/openStore';
import { pc } from '../show/colors';
import { inColumns } from '../show/columns';
import { tellMoment } from '../show/tellTime';
import { visible } from '../show/visible';
import { readAddress, readDecimal, readSince, wholeNumber } from './filters';
import { isWanted, type ListedPayment, ofReceipt, ofRecord, type WantedPayment } from './payment';

/** Finds payments over all orders and payouts: in the archive, then in the account index. */
export async function paid(call: Call): Promise<ExitCode> {
  const { flags, voice, terminal } = call;
  const { reference, to, amount, since } = flags;
  const wanted: WantedPayment = {
    ...(reference === undefined ? {} : { reference: String(reference) }),
    ...(to === undefined ? {} : { to: readAddress('--to', to) }),
    ...(amount === undefined ? {} : { amount: readDecimal('--amount', amount) }),
  };
  if (Object.keys(wanted).length === 0) {
    throw new InputError('--reference, --to, --amount: are missing. Give one of them at least.');
  }
  const fromMs = since === undefined ? 0 : Date.parse(readSince(since));
  const limit = wholeNumber('--limit', flags.limit);
  const archived = await inArchive(call, wanted, fromMs);
  const known = new Set(archived.map(({ transactionId }) => transactionId));
  const isWantedToo = (one: ListedPayment): boolean =>
    !known.has(one.transactionId) && isWanted(one, wanted);
  const indexed = await inIndex(call, fromMs, isWantedToo);
  const all = [...archived, ...indexed].sort((one, other) => (one.time < other.time ? 1 : -1));
  const nameOf = namesIn(call);
  const shown = all.slice(0, limit).map((one) => {
    const payee = one.payee ?? nameOf(one.to);
    return payee ? { ...one, payee } : one;
  });
  const left = all.length - shown.length;
  voice.answer(shown, tellPayments(shown, terminal.stdout.isTTY === true));
  if (left > 0) voice.note(`And ${left} more. Give a higher --limit to see them.`);
  return exitCodes.done;
}

/** The database looks for one text. The rest is compared here. */
async function inArchive(
  call: Call,
  wanted: WantedPayment,
  fromMs: number,
): Promise<ListedPayment[]> {
  const text = wanted.reference ?? wanted.to;
  return withArchive(call, async (archive) => {
    const found: ListedPayment[] = [];
    for await (const receipt of archive.receipts({ fromMs, text })) {
      const payment = ofReceipt(receipt);
      if (payment !== undefined && isWanted(payment, wanted)) found.push(payment);
    }
    return found;
  });
}

/** The index knows what has no receipt yet, or never had one. Without the service there is none. */
async function inIndex(
  { terminal, voice }: Call,
  fromMs: number,
  isWantedToo: (payment: ListedPayment) => boolean,
): Promise<ListedPayment[]> {
  if (!terminal.env.CUSTODY_BASE_URL) {
    voice.note('The account index was not searched: CUSTODY_BASE_URL is not set.');
    return [];
  }
  const { STEADFAST_STORE: store } = withSecrets(['STEADFAST_STORE'], terminal.env);
  if (store !== undefined && isPostgres(store)) {
    const fault = 'with Postgres as the store, it is in the memory of the workers alone';
    voice.note(`The account index was not searched: ${fault}. Open payments may be missing.`);
    return [];
  }
  const config = readCustodyConfig(terminal.env, { signs: false });
  try {
    const index = openIndex(pacedReads(reachService(terminal).api), config, store);
    return await foundNow(index, fromMs, isWantedToo);
  } catch (error) {
    voice.note(`The account index was not searched: ${sentenceOf(error)}`);
    return [];
  }
}

/** Brings the index up to now. Then what is found and has not completed is read again. */
async function foundNow(
  index: AccountIndex,
  fromMs: number,
  isWantedToo: (payment: ListedPayment) => boolean,
): Promise<ListedPayment[]> {
  const found = async () => {
    const rows: { hash: string; payment: ListedPayment }[] = [];
    for (const record of await index.createdIn({ fromMs, untilMs: Number.MAX_SAFE_INTEGER })) {
      const [payment, reference] = [ofRecord(record), readReference(record.refId)];
      if (payment === undefined || reference === undefined || !isWantedToo(payment)) continue;
      rows.push({ hash: reference.hash, payment });
    }
    return rows;
  };
  await index.lookUp([]);
  const hashes = (await found()).map(({ hash }) => hash);
  if (hashes.length === 0) return [];
  await index.lookUp(hashes);
  return (await found()).map(({ payment }) => payment);
}

const header = ['time', 'outcome', 'amount', 'to', 'order', 'line', 'about'];

function tellPayments(payments: readonly ListedPayment[], hasHeader: boolean): string[] {
  if (payments.length === 0) return ['No such payments.'];
  const rows = payments.map((one) => [
    tellMoment(one.time),
    one.outcome,
    `${one.amount} ${one.token ?? ''}`.trimEnd(),
    one.to,
    visible(one.order),
    visible(one.line ?? ''),
    visible([one.reference, one.payee, one.txHash].filter(Boolean).join('  ')),
  ]);
  const [first = [], ...others] = inColumns([header, ...rows]);
  const told = others.map((row) => row.join('  ').trimEnd());
  return hasHeader ? [pc.bold(first.join('  ')), ...told] : told;
}
