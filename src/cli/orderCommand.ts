import type { Command } from 'commander';
import type { OrderKind } from '../orders/kinds';
import type { ExitCode } from './exit';

/** What commander has read, by the camel-cased names of the flags. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** The JSON of an order, before it has been checked. */
export type Fields = Record<string, unknown>;

/** A command that starts an order. Only data and plain functions, so that --help loads nothing. */
export type OrderCommand = {
  /** Also the first part of an id that is made up: "transfer:x7k2m9qa". */
  name: string;
  summary: string;
  example: string;
  /** Of a flag that may be given several times, the values are put together with commas. */
  flags: readonly (readonly [flag: string, description: string, several?: 'several'])[];
  kind(flags: Flags): OrderKind;
  /** The order's fields that the flags name; undefined ones are left out. */
  fields(flags: Flags): Fields;
  /** Fills in what follows from the whole order, flags and file together. */
  complete?(order: Fields): Fields;
};

const commonFlags: OrderCommand['flags'] = [
  ['--fee-level <level>', 'LOW, MEDIUM or HIGH (default MEDIUM)'],
  ['--reference <text>', 'your own word for it, shown to operators'],
  ['--valid-until <time>', 'ISO 8601; past it nothing is sent that was never sent before'],
  ['--id <id>', 'your own id; starting twice under one id moves money once'],
  ['--file <path>', 'the order as .json or .yaml; flags override its fields'],
  ['--json', 'print one JSON document and nothing else'],
  ['--dry-run', 'tell what would be done, with its keys and its cost, and do nothing of it'],
  ['--no-wait', 'start it, print its id, and leave'],
  ['--timeout <duration>', 'stop waiting after this long, such as 90s, 10m or 2h'],
];

/** Adds a command that starts an order, with its flags; it does nothing yet. */
export function declareOrder(
  program: Command,
  order: Pick<OrderCommand, 'name' | 'summary' | 'example' | 'flags'>,
): Command {
  const command = program.command(order.name).description(order.summary);
  declareFlags(command, [...order.flags, ...commonFlags]);
  return command.addHelpText('after', `\nExample:\n  ${order.example}`);
}

/** Adds flags; the values of one that may be given several times come with commas between them. */
export function declareFlags(command: Command, flags: OrderCommand['flags']): void {
  for (const [flag, description, several] of flags) {
    if (several === undefined) command.option(flag, description);
    else command.option(flag, description, listed);
  }
}

function listed(value: string, earlier: string | undefined): string {
  return earlier === undefined ? value : `${earlier},${value}`;
}

/** Adds a command that starts an order and waits for its receipt. */
export function orderCommand(
  program: Command,
  order: OrderCommand,
  ended: (code: ExitCode) => void,
): void {
  declareOrder(program, order).action(async (flags: Flags) => {
    const { takeOrder }: typeof import('./takeOrder') = require('./takeOrder');
    const taken = takeOrder(order, flags);
    // Only an order that may be started is worth loading Temporal's client for.
    const { placeOrder }: typeof import('./placeOrder') = require('./placeOrder');
    const { showPlan }: typeof import('./showPlan') = require('./showPlan');
    ended(await (taken.isDry ? showPlan(taken) : placeOrder(taken)));
  });
}

/** The fields that have a value; an absent flag must not hide the same field of the file. */
export function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A wallet as one word: its id, or its address. */
export function walletReference(text: Flags[string]): Fields | undefined {
  if (text === undefined) return undefined;
  return String(text).startsWith('0x') ? { walletAddress: text } : { walletId: text };
}

/** Where money comes from: "faucet", "external", or a treasury wallet. */
export function fundSource(text: Flags[string]): Fields | string | undefined {
  return text === 'faucet' || text === 'external' ? text : walletReference(text);
}
