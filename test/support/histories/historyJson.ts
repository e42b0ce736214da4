import { createRequire } from 'node:module';
import * as proto from '@temporalio/proto';
import { patchProtobufRoot } from '@temporalio/proto/lib/patch-protobuf-root';

type History = proto.temporal.api.history.v1.IHistory;
type Convert<From, To> = (type: unknown, given: From, options?: object) => To;

/**
 * Temporal's own converters for history JSON fail here. Another package brings an older protobufjs,
 * so Temporal's packages have one copy each. A copy does not recognise the types of another copy.
 * This is the copy that made Temporal's types.
 */
const protojson: {
  toJson: Convert<object, { events: unknown[] }>;
  fromJson: Convert<unknown, History>;
} = createRequire(require.resolve('@temporalio/proto'))('protobufjs/ext/protojson');

const root: { lookupType(name: string): { fromObject(history: History): object } } =
  patchProtobufRoot(proto as never);
const historyType = root.lookupType('temporal.api.history.v1.History');

/**
 * Converts a history to the JSON of Temporal's tools: ids as decimal strings, payloads in base64.
 */
export function historyToJson(history: History): { events: unknown[] } {
  return protojson.toJson(historyType, historyType.fromObject(history));
}

/** Reads a history from that JSON. Fields that only a newer server knows are ignored. */
export function historyFromJson(json: unknown): History {
  return protojson.fromJson(historyType, json, { ignoreUnknownFields: true });
}
