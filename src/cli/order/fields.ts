import { isRecord } from '../../custody/isRecord';
import type { OrderKind } from '../../orders/kinds';
import { type FlagList, type Flags, flagName } from '../flags';

/** The JSON of an order, before it has been checked. */
export type Fields = Record<string, unknown>;

/** A command that starts an order. It is data, so that --help loads no schemas. */
export type OrderCommand = {
  /** Also the first part of an id that is made up: "transfer:3fa9c0…". */
  name: string;
  summary: string;
  example: string;
  flags: FlagList;
  kind(flags: Flags): OrderKind;
  /** The flags of those fields that have other names: "walletId" is "--wallet". */
  flagOf?: Readonly<Record<string, string>>;
  /** Flags that give no field of the order. */
  noFields?: readonly string[];
  /** Readers of fields whose flag is not the value itself. */
  read?: Readonly<Record<string, (text: Flags[string]) => unknown>>;
  /** Fills in fields that follow from flags and file together. */
  complete?(order: Fields, flags: Flags): Fields;
};

/** The order's fields from a command's own flags. Absent flags give none. */
export function orderFields(
  { flags: own, flagOf = {}, noFields = [], read = {} }: OrderCommand,
  flags: Flags,
): Fields {
  const fields: Fields = {};
  for (const [usage] of own) {
    const [flag = ''] = usage.split(' ');
    const text = flags[flagName(usage)];
    if (text === undefined || noFields.includes(flag)) continue;
    const [named = flagName(usage)] = Object.keys(flagOf).filter((field) => flagOf[field] === flag);
    const value = read[named]?.(text) ?? text;
    const [field = '', part] = named.split('.');
    const others = isRecord(fields[field]) ? fields[field] : {};
    fields[field] = part === undefined ? value : { ...others, [part]: value };
  }
  return fields;
}

/** The fields that have a value. An absent flag must not hide the same field of the file. */
export function presentFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A wallet as one word: its id, or its address. */
export function readWallet(text: Flags[string]): Fields {
  return String(text).startsWith('0x') ? { walletAddress: text } : { walletId: text };
}

/** The source of money: "faucet", "external", or a treasury wallet. */
export function readFundSource(text: Flags[string]): Fields | string {
  return text === 'faucet' || text === 'external' ? text : readWallet(text);
}
