import { createRequire } from 'node:module';
import * as proto from '@temporalio/proto';
import { patchProtobufRoot } from '@temporalio/proto/lib/patch-protobuf-root';

type History = proto.temporal.api.history.v1.IHistory;
type Convert<From, To> = (type: unknown, given: From, options?: object) => To;

/**
 * Temporal's own `historyToJSON` and `historyFromJSON` fail here: another package has brought an
 * older protobufjs, so Temporal's packages have one copy each, and one copy does not take the types
 * of another for types. The copy that has made them does.
 */
const protojson: {
  toJson: Convert<object, { events: unknown[] }>;
  fromJson: Convert<unknown, History>;
} = createRequire(require.resolve('@temporalio/proto'))('protobufjs/ext/protojson');

const root: { lookupType(name: string): { fromObject(history: History): object } } =
  patchProtobufRoot(proto as never);
const historyType = root.lookupType('temporal.api.history.v1.History');

/** A history as Temporal's tools write it: ids as decimal strings, payloads in base64. */
export function historyToJson(history: History): { events: unknown[] } {
  return protojson.toJson(historyType, historyType.fromObject(history));
}

/** A history from what they write. Fields that only a newer server knows are ignored. */
export function historyFromJson(json: unknown): History {
  return protojson.fromJson(historyType, json, { ignoreUnknownFields: true });
}
