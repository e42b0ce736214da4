import { writeFile } from 'node:fs/promises';
import { ArchiveError } from '../../archive/archive';
import { counted } from '../../orders/progress/doing';
import { type ArchivedReceipt, hashOfReceipt } from '../../statement/receipt';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { withArchive } from './openStore';
import { pageOf } from './page';

/** Prints the receipts of an order: one as a JSON document, several as one JSON document a line. */
export async function receipt(id: string, call: Call): Promise<ExitCode> {
  const { flags, voice, terminal } = call;
  const { line, html } = flags;
  const found = await withArchive(call, async (archive) => {
    const receipts: ArchivedReceipt[] = [];
    for await (const one of archive.receipts({ orderId: id })) {
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
  if (found.some(({ contradicts }) => contradicts !== undefined)) {
    voice.note(`Two receipts of ${id} contradict. The service's record tells which one is true.`);
  }
  if (html !== undefined) {
    await writeFile(String(html), pageOf(found));
    voice.note(`${html} has ${counted(found.length, 'receipt')}.`);
    return exitCodes.done;
  }
  const [only] = found;
  if (found.length === 1) terminal.stdout.write(`${JSON.stringify(only, null, 2)}\n`);
  else for (const one of found) terminal.stdout.write(`${JSON.stringify(one)}\n`);
  return exitCodes.done;
}

function changed({ order, step, item }: ArchivedReceipt): ArchiveError {
  return new ArchiveError(
    `STEADFAST_STORE: the receipt of ${order.id} (${step}/${item}) was changed after it was made. ` +
      'Find the row with steadfast archive verify, and restore the archive.',
  );
}
