import { readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { type ArchivedReceipt, archivedReceipt, hashOfReceipt } from '../../books/receipt';
import { neverSent, ownFaults, type Proof, proveOnChain } from '../../books/verify/prove';
import { openWitness, type Witness } from '../../books/verify/witness';
import { isRecord, jsonIn } from '../../custody/isRecord';
import { quoted } from '../../orders/input/shown';
import { withSecrets } from '../../variables';
import { readLedgers } from '../../worker/workerConfig';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError, messageOf } from '../exit';
import { countdown } from '../statement/books';
import { sealedBy } from './sealed';

/** true: proven. false: not as the chain has it. unknown: no node tells, or they disagree. */
type Verdict = 'true' | 'false' | 'unknown';

type Verified = { name: string; verdict: Verdict; why: string[]; notes: string[] };

/** Number of receipts that are proven at a time. */
const atOnce = 8;

/** Proves receipts from the chain alone, each by itself. */
export async function verifyReceipts(path: string, call: Call): Promise<ExitCode> {
  const { flags, voice, terminal } = call;
  const rpcUrls = urlsOf(flags.rpc, withSecrets(['CHAIN_RPC_URL'], terminal.env).CHAIN_RPC_URL);
  const progress = countdown(call);
  const verified = await verifyAll(await receiptsIn(path), {
    witnesses: rpcUrls.map(openWitness),
    ledgers: readLedgers(terminal.env),
    onProgress: (done, all) => progress.told('receipts', done, all),
  }).finally(progress.clear);
  const lines = [
    ...verified.flatMap(linesOf),
    'The chain proves what was moved. It does not know the order, nor who signed and approved it.',
  ];
  voice.answer({ receipts: verified }, lines);
  const has = (verdict: Verdict): boolean => verified.some((one) => one.verdict === verdict);
  if (has('false')) return exitCodes.failed;
  return has('unknown') ? exitCodes.needsOperator : exitCodes.done;
}

/** The nodes that a flag names, or else the one of the environment. */
function urlsOf(given: unknown, usual: string | undefined): string[] {
  const [name, text] = given === undefined ? ['CHAIN_RPC_URL', usual] : ['--rpc', given];
  const urls = String(text ?? '')
    .split(' ')
    .filter(Boolean);
  if (urls.length === 0) {
    const words = '--rpc: is missing, and CHAIN_RPC_URL is not set. Name a node of the chain.';
    throw new InputError(words);
  }
  // Node providers put keys into this address, so no message repeats it.
  const isWrong = urls.some(
    (url) => !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol),
  );
  if (isWrong) throw new InputError(`${name}: must be a URL of http or https.`);
  return urls;
}

/** Reads one JSON document, or one on each line. */
async function receiptsIn(path: string): Promise<ArchivedReceipt[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new InputError(`${path}: cannot be read: ${messageOf(error)}.`);
  });
  if (text.trim() === '') throw new InputError(`${path}: is empty.`);
  const whole = jsonIn(text);
  const documents = whole === undefined ? text.split('\n') : [text];
  // One document over many lines has none that is a document itself.
  const isLines = documents.some((line) => isRecord(jsonIn(line)));
  if (whole === undefined && !isLines) throw new InputError(`${path}: is not JSON.`);
  return documents.flatMap((one, at) => {
    if (one.trim() === '') return [];
    const where = documents.length > 1 ? `${path}, line ${at + 1}` : path;
    const document = jsonIn(one);
    if (document === undefined) throw new InputError(`${where}: is not JSON.`);
    const read = archivedReceipt.safeParse(document);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw new InputError(
      `${where}: is no receipt: ${[field, issue?.message].filter(Boolean).join(': ')}.`,
    );
  });
}

type Judges = {
  witnesses: readonly Witness[];
  /** The ledgers whose seals count. */
  ledgers: readonly string[];
};

type Proving = Judges & {
  onProgress(done: number, all: number): void;
};

/** Proves receipts by their blocks, so that those of one batch rest on one look at it. */
async function verifyAll(
  receipts: readonly ArchivedReceipt[],
  { onProgress, ...judges }: Proving,
): Promise<Verified[]> {
  const verified: Verified[] = [];
  let done = 0;
  const placed = receipts.map((receipt, at) => ({ receipt, at }));
  const left = placed.sort((one, other) => byBlock(one.receipt, other.receipt)).values();
  const proveSome = async (): Promise<void> => {
    for (const { receipt, at } of left) {
      // Answers that are known come at once. Answers of the node must have their turn as well.
      await turn();
      verified[at] = await verifyOne(receipt, judges);
      done += 1;
      onProgress(done, receipts.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, proveSome));
  return withShared(receipts, verified);
}

/** Notes the log that another receipt rests on as well: it is one payment. */
function withShared(receipts: readonly ArchivedReceipt[], verified: Verified[]): Verified[] {
  const byLog = new Map<string, string>();
  return verified.map((one, at) => {
    const receipt = receipts[at];
    const { chainId, txHash, logIndex } = receipt?.chain ?? {};
    if (receipt === undefined || txHash === undefined || logIndex === undefined) return one;
    const log = `${chainId} ${txHash.toLowerCase()} ${logIndex}`;
    const first = byLog.get(log);
    byLog.set(log, first ?? writeIn(receipt));
    if (first === undefined) return one;
    const note = `It rests on the same log as the receipt of ${first}: that is one payment.`;
    return { ...one, notes: [...one.notes, note] };
  });
}

function writeIn({ order, step, item }: ArchivedReceipt): string {
  return `${order.id} ${step}/${item}`;
}

/** The money of a receipt, with the contract that decides what it is worth. */
function whatIn({ money }: ArchivedReceipt): string {
  if (money === undefined) return 'the transaction';
  const { name, address } = money.token;
  const own = address === '' ? 'native coin' : `contract ${address}`;
  return `${quoted(money.amount)} ${quoted(name)} (${own}) to ${money.to}`;
}

function byBlock({ chain: one }: ArchivedReceipt, { chain: other }: ArchivedReceipt): number {
  const blocks = (one.blockNumber ?? 0) - (other.blockNumber ?? 0);
  return blocks === 0 ? (one.txHash ?? '').localeCompare(other.txHash ?? '') : blocks;
}

async function verifyOne(
  receipt: ArchivedReceipt,
  { witnesses, ledgers }: Judges,
): Promise<Verified> {
  const { hash, chain } = receipt;
  const write = writeIn(receipt);
  const name = `${write}: ${whatIn(receipt)}`;
  const sealed = sealedBy(receipt, ledgers);
  const own = [...ownFaults(receipt), ...sealed.faults];
  if (hashOfReceipt(receipt) !== hash)
    own.unshift('hash: the receipt was changed after it was made');
  if (chain.txHash === undefined) {
    const { notes } = sealed;
    if (own.length > 0) return { name, verdict: 'false', why: own, notes };
    return { name, verdict: 'unknown', why: [neverSent], notes };
  }
  const proofs = await Promise.all(witnesses.map((witness) => askNode(witness, receipt)));
  const notes = [...new Set([...proofs.flatMap((proof) => proof.notes), ...sealed.notes])];
  const doubts = proofs.flatMap((proof) => proof.doubts);
  const faults = proofs.map((proof) => proof.faults.join('; '));
  if (own.length > 0) {
    return { name, verdict: 'false', why: [...own, ...(proofs[0]?.faults ?? [])], notes };
  }
  if (doubts.length > 0) return { name, verdict: 'unknown', why: doubts, notes };
  if (new Set(faults).size > 1) {
    const told = faults.map((fault, at) => `node ${at + 1}: ${fault || 'as the receipt says'}`);
    return { name, verdict: 'unknown', why: ['The nodes disagree', ...told], notes };
  }
  const [why = []] = proofs.map((proof) => proof.faults);
  if (why.length === 0 && sealed.doubts.length > 0) {
    return { name: `${write}: who signed it`, verdict: 'unknown', why: sealed.doubts, notes };
  }
  return { name, verdict: why.length === 0 ? 'true' : 'false', why, notes };
}

/** A node that cannot be read tells nothing. */
async function askNode(witness: Witness, receipt: ArchivedReceipt): Promise<Proof> {
  try {
    return await proveOnChain(witness, receipt);
  } catch (error) {
    return { faults: [], doubts: [messageOf(error)], notes: [] };
  }
}

const words: Record<Verdict, string> = {
  true: 'is proven by the chain',
  false: 'is not what the chain shows',
  unknown: 'cannot be told',
};

function linesOf({ name, verdict, why, notes }: Verified): string[] {
  return [
    `${name} ${words[verdict]}`,
    ...why.map((one) => `  ${one}`),
    ...notes.map((one) => `  ${one}`),
  ];
}
