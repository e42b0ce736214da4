import { Argument, type Command, Option } from 'commander';
import { readOrderId } from '../orders/input/orderId';
import { shown } from '../orders/input/shown';
import { InputError } from './exit';
import { readDurationMs } from './show/tellTime';

/** The values that commander has read, by the camel-cased names of their flags. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** A flag and its description. The values of one marked "several" are joined with commas. */
export type FlagList = readonly (readonly [
  flag: string,
  description: string,
  several?: 'several',
])[];

/** The flag of every command that can print one JSON document. */
export const json: [string, string] = ['--json', 'print one JSON document and nothing else'];

/** The flag of every command that holds something back. */
export const reason: [string, string] = ['--reason <text>', 'why, for whoever reads this later'];

/** The flags of every command that waits for the end of an order. */
export const awaiting: FlagList = [
  ['--no-wait', 'start it, print its id, and leave'],
  ['--timeout <duration>', 'stop waiting after this long, such as 90s, 10m or 2h'],
];

/** The flags of every command that starts an order. */
export const orderFlags: FlagList = [
  ['--fee-level <level>', 'LOW, MEDIUM or HIGH (default MEDIUM)'],
  ['--reference <text>', 'your own word for it, shown to operators'],
  ['--valid-until <time>', 'an ISO 8601 time, after which no new write is sent'],
  ['--id <id>', 'your own id, under which starting twice moves money once'],
  ['--file <path>', 'the order as .json or .yaml, whose fields flags override'],
  json,
  ['--dry-run', 'show the writes, their keys and the cost, and send nothing'],
  ...awaiting,
];

/** Adds flags to a command. */
export function declareFlags(command: Command, flags: FlagList): void {
  for (const [flag, description, several] of flags) {
    if (several === undefined) command.option(flag, description);
    else command.option(flag, description, joined);
  }
}

function joined(value: string, earlier: string | undefined): string {
  return earlier === undefined ? value : `${earlier},${value}`;
}

/** The name of a flag's value: "--max-total <limit>" is maxTotal. */
export function flagName(flag: string): string {
  return new Option(flag).attributeName();
}

/** The argument of every command about an order that was started before. */
export function idArgument(): Argument {
  const words = 'the id the order was started under, such as transfer:invoice-4711';
  return new Argument('<id>', words).argParser(readOrderId);
}

/** The values of a flag that may be given several times. */
export function listOf(text: Flags[string]): string[] | undefined {
  return typeof text === 'string' ? text.split(',') : undefined;
}

/** A number. Other text stays text, so that the schema's message shows it. */
export function numberOf(text: Flags[string]): unknown {
  return typeof text === 'string' && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** A list given as JSON in a flag. */
export function jsonListOf(flag: string, text: Flags[string]): unknown[] {
  try {
    const list: unknown = JSON.parse(String(text));
    if (Array.isArray(list)) return list;
  } catch {
    // The error below says how a list must look.
  }
  throw new InputError(`${flag}: ${shown(text)} must be a JSON list, such as '["0x…", "5"]'.`);
}

/** The reason that --reason must give. */
export function readReason(flags: Flags): string {
  const given = String(flags.reason).trim();
  if (given !== '') return given;
  throw new InputError('--reason: is empty. Say why, for whoever reads this later.');
}

/** Says whether a command waits for the end of what it starts, and for how long. */
export type Awaiting = { isAwaited: boolean; timeoutMs: number | undefined };

/** Reads --wait and --timeout. A bad one is refused, so they are read before anything starts. */
export function awaitingIn({ wait, timeout }: Flags): Awaiting {
  const timeoutMs =
    timeout === undefined ? undefined : readDurationMs('--timeout', String(timeout));
  return { isAwaited: wait !== false, timeoutMs };
}
