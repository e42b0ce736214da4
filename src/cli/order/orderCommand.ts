import type { Command } from 'commander';
import type { Act } from '../call';
import { declareFlags, type FlagList, type Flags } from '../flags';
import type { OrderCommand } from './fields';

const commonFlags: FlagList = [
  ['--fee-level <level>', 'LOW, MEDIUM or HIGH (default MEDIUM)'],
  ['--reference <text>', 'your own word for it, shown to operators'],
  ['--valid-until <time>', 'an ISO 8601 time, after which no new write is sent'],
  ['--id <id>', 'your own id, under which starting twice moves money once'],
  ['--file <path>', 'the order as .json or .yaml, whose fields flags override'],
  ['--json', 'print one JSON document and nothing else'],
  ['--dry-run', 'show the writes, their keys and the cost, and send nothing'],
  ['--no-wait', 'start it, print its id, and leave'],
  ['--timeout <duration>', 'stop waiting after this long, such as 90s, 10m or 2h'],
];

/** Declares a command that starts an order, with its flags but without an action. */
export function declareOrder(
  program: Command,
  order: Pick<OrderCommand, 'name' | 'summary' | 'example' | 'flags'>,
): Command {
  const command = program.command(order.name).description(order.summary);
  declareFlags(command, [...order.flags, ...commonFlags]);
  return command.addHelpText('after', `\nExample:\n  ${order.example}`);
}

/** Adds a command that starts an order and waits for its receipt. */
export function orderCommand(program: Command, order: OrderCommand, act: Act): void {
  declareOrder(program, order).action((flags: Flags) =>
    act(flags, (call) => {
      const { takeOrder }: typeof import('./takeOrder') = require('./takeOrder');
      const taken = takeOrder(order, call);
      const { placeOrder }: typeof import('./placeOrder') = require('./placeOrder');
      const { plan }: typeof import('./plan') = require('./plan');
      return taken.isDry ? plan(taken, call) : placeOrder(taken, call);
    }),
  );
}
