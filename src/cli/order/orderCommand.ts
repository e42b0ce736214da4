import type { Command } from 'commander';
import type { Act, Call } from '../call';
import { type ExitCode, exitCodes } from '../exit';
import { declareFlags, type Flags, idArgument, json, orderFlags } from '../flags';
import type { OrderCommand } from './fields';
import type { TakenOrder } from './takeOrder';

/** Declares a command that starts an order, with its flags but without an action. */
export function declareOrder(
  program: Command,
  order: Pick<OrderCommand, 'name' | 'summary' | 'example' | 'flags'>,
): Command {
  const command = program.command(order.name).description(order.summary);
  declareFlags(command, [...order.flags, ...orderFlags]);
  return command.addHelpText('after', `\nExample:\n  ${order.example}`);
}

/** Adds a command that starts an order and waits for its receipt. */
export function orderCommand(program: Command, order: OrderCommand, act: Act): void {
  declareOrder(program, order).action((flags: Flags) =>
    act(flags, async (call) => {
      const { takeOrder }: typeof import('./takeOrder') = require('./takeOrder');
      const taken = takeOrder(order, call);
      const { placeOrder }: typeof import('./placeOrder') = require('./placeOrder');
      const { plan }: typeof import('./plan') = require('./plan');
      if (!taken.isDry && !(await mayStart(taken, call))) return exitCodes.failed;
      const { refuseNamesake }: typeof import('./refuseNamesake') = require('./refuseNamesake');
      await refuseNamesake(taken, call);
      return taken.isDry ? plan(taken, call) : placeOrder(taken, call);
    }),
  );
}

/** True if an order may start, or go on. A repeat needs no checks. */
async function mayStart(taken: TakenOrder, call: Call): Promise<boolean> {
  const { checkTaken }: typeof import('./checkTaken') = require('./checkTaken');
  const { isRepeat }: typeof import('./standing') = require('./standing');
  return (await isRepeat(taken, call)) || checkTaken(taken, call);
}

/** Something to do with an order that was started before, by its id. */
type Deed = (id: string, call: Call) => Promise<ExitCode>;

/** Returns a function that adds a command about an order that was started before. */
export function aboutOrder(program: Command, act: Act) {
  return (name: string, description: string, run: Deed): Command =>
    program
      .command(name)
      .addArgument(idArgument())
      .description(description)
      .option(...json)
      .action((id: string, flags: Flags) => act(flags, (call) => run(id, call)));
}
