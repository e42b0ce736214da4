import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { CodecKey } from './config';

/** The owner of a payload: a namespace, and a workflow when it is known. */
export type Owner = { namespace: string; workflowId?: string | undefined };

/** A payload that cannot be decrypted, or that belongs to somebody else. */
export class CodecError extends Error {
  override readonly name = 'CodecError';
}

export type Seals = {
  /** Encrypts a whole payload, its metadata included, and binds it to its owner. */
  seal(payload: Payload, owner: Owner): Payload;
  /**
   * Decrypts a payload for its owner. Returns a plain one as it is, unless it is strict. Throws a
   * CodecError when it was changed, belongs to another owner, or its key is missing.
   */
  open(payload: Payload, owner: Owner): Payload;
};

const encoding = 'binary/encrypted';
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const { Payload: proto } = temporal.api.common.v1;

const plainRefused =
  'The payload is not encrypted, and STEADFAST_CODEC_STRICT refuses that. Encrypt it with a key of ' +
  'STEADFAST_CODEC_KEYS, or unset the variable while plain histories are under way.';

/** Encrypts with the first key, or not at all without one. Decrypts with all of them. */
export function createSeals(keys: readonly CodecKey[], { isStrict = false } = {}): Seals {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const [first] = keys;
  return {
    seal: (payload, owner) => (first === undefined ? payload : seal(payload, owner, first)),
    open: (payload, owner) => {
      if (!isEncrypted(payload)) {
        if (isStrict) throw new CodecError(plainRefused);
        return payload;
      }
      const claimed = claimOf(payload);
      const key = byId.get(claimed.keyId);
      if (key === undefined) throw unknownKey(claimed.keyId, keys);
      const opened = open(payload, claimed, key);
      // Only now is it known that the claim itself was not changed.
      refuseOther(claimed.owner, owner);
      return opened;
    },
  };
}

/** True when a payload's metadata says that it is encrypted. */
export function isEncrypted({ metadata }: Payload): boolean {
  return textOf(metadata?.encoding) === encoding;
}

function seal(payload: Payload, owner: Owner, key: CodecKey): Payload {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key.bytes, nonce).setAAD(boundTo(owner, key.id));
  const plain = proto.encode(payload).finish();
  const data = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  const { namespace, workflowId } = owner;
  return {
    metadata: {
      encoding: Buffer.from(encoding),
      'encryption-key-id': Buffer.from(key.id),
      namespace: Buffer.from(namespace),
      ...(workflowId === undefined ? {} : { 'workflow-id': Buffer.from(workflowId) }),
    },
    data: Buffer.concat(data),
  };
}

type Claim = { keyId: string; owner: Owner };

/** The plain metadata of a payload. The codec server learns the workflow from it alone. */
function claimOf({ metadata }: Payload): Claim {
  const workflowId = metadata?.['workflow-id'];
  return {
    keyId: textOf(metadata?.['encryption-key-id']),
    owner: {
      namespace: textOf(metadata?.namespace),
      ...(workflowId == null ? {} : { workflowId: textOf(workflowId) }),
    },
  };
}

function open({ data }: Payload, { owner, keyId }: Claim, key: CodecKey): Payload {
  const bytes = Buffer.from(data ?? []);
  const end = bytes.length - tagBytes;
  try {
    const decipher = createDecipheriv(algorithm, key.bytes, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(boundTo(owner, keyId)).setAuthTag(bytes.subarray(end));
    const plain = [decipher.update(bytes.subarray(nonceBytes, end)), decipher.final()];
    return proto.decode(Buffer.concat(plain));
  } catch {
    throw new CodecError(
      `The payload does not hold what the key ${shown(keyId)} has encrypted: it was changed, or ` +
        'the key of that name is another one.',
    );
  }
}

/** The data that is authenticated as well: the namespace, the workflow and the key. */
function boundTo({ namespace, workflowId }: Owner, keyId: string): Buffer {
  return Buffer.from(JSON.stringify(['steadfast 1', keyId, namespace, workflowId ?? null]));
}

/**
 * A payload of a workflow belongs to that workflow id, in all its runs. The codec server knows no
 * workflow, so its payloads for Temporal's CLI and UI belong to the namespace. So does the memo of
 * a schedule, which is read without a workflow.
 */
function refuseOther(claimed: Owner, owner: Owner): void {
  if (claimed.namespace !== owner.namespace) {
    throw new CodecError(
      `The payload belongs to the namespace ${shown(claimed.namespace)}, not to ` +
        `${shown(owner.namespace)}.`,
    );
  }
  if (claimed.workflowId === undefined || owner.workflowId === undefined) return;
  if (scheduleOf(claimed.workflowId) === scheduleOf(owner.workflowId)) return;
  throw new CodecError(
    `The payload belongs to the workflow ${shown(claimed.workflowId)}, and was moved to ` +
      `${shown(owner.workflowId)}.`,
  );
}

/**
 * Temporal starts each run of a schedule with the schedule's own payloads, and gives it the result
 * of the run before. The ids of these runs differ in the time at their end.
 */
function scheduleOf(workflowId: string): string {
  return /^(schedule:.+)-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(workflowId)?.[1] ?? workflowId;
}

function unknownKey(keyId: string, keys: readonly CodecKey[]): CodecError {
  const lacks = keys.length === 0 ? 'is not set here' : 'does not have it';
  return new CodecError(
    `The payload is encrypted with the key ${shown(keyId)}, and STEADFAST_CODEC_KEYS ${lacks}. ` +
      'Add that key behind the others, and keep it as long as Temporal has what it encrypted.',
  );
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}

/** As somebody else wrote it: in quotes, and not without end. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 300));
}
