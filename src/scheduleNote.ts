import type { Client } from '@temporalio/client';
import {
  decodeOptionalSinglePayload,
  encodeToPayload,
} from '@temporalio/common/lib/internal-non-workflow';
import { temporal } from '@temporalio/proto';
import { isSealed } from './privacy/seals';

const { Payload } = temporal.api.common.v1;

/** What stands before a note that is encrypted: Temporal keeps a schedule's note as a mere text. */
const lead = 'encrypted:';

/** The text that Temporal keeps as a schedule's note: encrypted, where payloads are. */
export async function writeNote({ options }: Client, words: string): Promise<string> {
  const payload = await encodeToPayload(options.loadedDataConverter, words);
  if (!isSealed(payload)) return words;
  return lead + Buffer.from(Payload.encode(payload).finish()).toString('base64');
}

/** What was noted. Throws a CodecError where its key is not there. */
export async function readNote({ options }: Client, note = ''): Promise<string> {
  if (!note.startsWith(lead)) return note;
  const payload = Payload.decode(Buffer.from(note.slice(lead.length), 'base64'));
  return String(await decodeOptionalSinglePayload(options.loadedDataConverter, payload));
}
