import type { PayloadCodec, SerializationContext } from '@temporalio/common';
import type { CodecKey } from './config';
import { createSeals, type Owner } from './seals';

/**
 * Temporal's codec: every payload that leaves a client or a worker of this namespace is encrypted,
 * and belongs to its workflow. Without keys nothing is encrypted, and what is says why it cannot be
 * read. A strict codec refuses what is not encrypted.
 */
export function createPayloadCodec(
  keys: readonly CodecKey[],
  namespace: string,
  options: { isStrict?: boolean } = {},
): PayloadCodec {
  const { seal, open } = createSeals(keys, options);
  const ownerOf = (context: SerializationContext | undefined): Owner => ({
    namespace: context?.namespace ?? namespace,
    workflowId: context?.workflowId,
  });
  return {
    encode: async (payloads, context) => payloads.map((one) => seal(one, ownerOf(context))),
    decode: async (payloads, context) => payloads.map((one) => open(one, ownerOf(context))),
  };
}
