import { writeFile } from 'node:fs/promises';
import { type Archive, ArchiveError } from '../../books/archive/archive';
import { type ArchivedReceipt, hashOfReceipt } from '../../books/receipt';
import { meantBy } from '../../client/find/shortName';
import { namedIdOf } from '../../orders/input/orderId';
import { counted } from '../../orders/progress/doing';
import { readLedgers } from '../../worker/workerConfig';
import type { Call } from '../call';
import { namesIn } from '../check/names';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { visible } from '../show/visible';
import { withArchive } from './openStore';
import { pageOf } from './page';
import { sealedBy } from './sealed';

/** Prints the receipts of an order: one as a JSON document, several as one JSON document a line. */
export async function receipt(id: string, call: Call): Promise<ExitCode> {
  const { flags, voice, terminal } = call;
  const { line, html } = flags;
  const found = await withArchive(call, async (archive) => {
    const receipts: ArchivedReceipt[] = [];
    const orderId = await meantIn(archive, id, terminal);
    for await (const one of archive.receipts({ orderId })) {
      if (hashOfReceipt(one) !== one.hash) throw changed(one);
      if (line === undefined || (one.step === 'line' && one.item === line)) receipts.push(one);
    }
    return receipts;
  });
  if (found.length === 0) {
    const which = line === undefined ? id : `line ${line} of ${id}`;
    throw new InputError(
      `The archive has no receipt of ${which}. An order has one once it has settled, if its worker ` +
        'had STEADFAST_STORE set. Bring in older ones with: steadfast archive rebuild',
    );
  }
  const doubts = doubtsOf(found, readLedgers(terminal.env));
  for (const words of doubts) voice.note(words);
  const code = doubts.length === 0 ? exitCodes.done : exitCodes.needsOperator;
  // A receipt stays as it was made. Names of today are only shown beside it.
  const nameOf = namesIn(call);
  if (html !== undefined) {
    await writeFile(String(html), pageOf(found, nameOf));
    voice.note(`${html} has ${counted(found.length, 'receipt')}.`);
    return code;
  }
  const [only] = found;
  const name = found.length === 1 && nameOf(only?.money?.to ?? '');
  if (name) voice.note(`${only?.money?.to} is ${visible(name)} on this machine.`);
  if (found.length === 1) terminal.stdout.write(`${JSON.stringify(only, null, 2)}\n`);
  else for (const one of found) terminal.stdout.write(`${JSON.stringify(one)}\n`);
  return code;
}

/**
 * The order that somebody names, with or without its scope and the word that it begins with. An
 * archive may also have orders of other scopes, which are named in full.
 */
async function meantIn(archive: Archive, id: string, { env }: Call['terminal']): Promise<string> {
  const { STEADFAST_KEY_SCOPE: scope = '' } = env;
  const isKept = async (orderId: string): Promise<boolean> => {
    for await (const _ of archive.receipts({ orderId })) return true;
    return false;
  };
  const own = await meantBy(namedIdOf(id, scope), scope, isKept);
  return (await isKept(own)) ? own : id;
}

/** The reasons not to believe these receipts, as sentences. All of them are shown all the same. */
function doubtsOf(found: readonly ArchivedReceipt[], ledgers: readonly string[]): string[] {
  const contradicting = found.filter(({ contradicts }) => contradicts !== undefined);
  const sealed = found.flatMap((one) => {
    const { faults, doubts } = sealedBy(one, ledgers);
    return [...faults, ...doubts].map((words) => `${nameOf(one)}: ${words}.`);
  });
  const twice = contradicting.map(
    (one) =>
      `Two receipts of ${nameOf(one)} contradict. Believe neither before you have compared them ` +
      "with the service's record.",
  );
  return [...twice, ...sealed];
}

function nameOf({ order, step, item }: ArchivedReceipt): string {
  return `${order.id} (${step}/${item})`;
}

function changed(one: ArchivedReceipt): ArchiveError {
  return new ArchiveError(
    `STEADFAST_STORE: the receipt of ${nameOf(one)} was changed after it was made. ` +
      'Find the row with steadfast archive verify, and restore the archive.',
  );
}
