import type { Client } from '@temporalio/client';
import {
  decodeOptionalSinglePayload,
  encodeToPayload,
} from '@temporalio/common/lib/internal-non-workflow';
import { temporal } from '@temporalio/proto';
import { isEncrypted } from '../privacy/seals';

const { Payload } = temporal.api.common.v1;

/** The prefix of an encrypted note. Temporal keeps a schedule's note as plain text. */
const lead = 'encrypted:';

/** The text that Temporal keeps as a schedule's note: encrypted, where payloads are. */
export async function writeNote({ options }: Client, words: string): Promise<string> {
  const payload = await encodeToPayload(options.loadedDataConverter, words);
  if (!isEncrypted(payload)) return words;
  return lead + Buffer.from(Payload.encode(payload).finish()).toString('base64');
}

/** Decrypts a note. Throws a CodecError when its key is missing. */
export async function readNote({ options }: Client, note = ''): Promise<string> {
  if (!note.startsWith(lead)) return note;
  const payload = Payload.decode(Buffer.from(note.slice(lead.length), 'base64'));
  return String(await decodeOptionalSinglePayload(options.loadedDataConverter, payload));
}
