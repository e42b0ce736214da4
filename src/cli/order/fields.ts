import type { OrderKind } from '../../orders/kinds';
import type { FlagList, Flags } from '../flags';

/** The JSON of an order, before it has been checked. */
export type Fields = Record<string, unknown>;

/** A command that starts an order. It is data, so that --help loads no schemas. */
export type OrderCommand = {
  /** Also the first part of an id that is made up: "transfer:x7k2m9qa". */
  name: string;
  summary: string;
  example: string;
  flags: FlagList;
  kind(flags: Flags): OrderKind;
  /** The flags of those fields that have other names: "walletId" is "--wallet". */
  flagOf?: Readonly<Record<string, string>>;
  /** The order's fields from flags. Undefined ones are omitted. */
  fields(flags: Flags): Fields;
  /** Fills in fields that follow from flags and file together. */
  complete?(order: Fields): Fields;
};

/** The fields that have a value. An absent flag must not hide the same field of the file. */
export function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A wallet as one word: its id, or its address. */
export function walletReference(text: Flags[string]): Fields | undefined {
  if (text === undefined) return undefined;
  return String(text).startsWith('0x') ? { walletAddress: text } : { walletId: text };
}

/** The source of money: "faucet", "external", or a treasury wallet. */
export function fundSource(text: Flags[string]): Fields | string | undefined {
  return text === 'faucet' || text === 'external' ? text : walletReference(text);
}
