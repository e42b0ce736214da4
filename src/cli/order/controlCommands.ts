import type { Command } from 'commander';
import type { Act } from '../call';
import { awaiting, declareFlags, reason } from '../flags';
import { aboutOrder } from './orderCommand';

type Control = 'cancel' | 'pause' | 'resume' | 'accelerate' | 'resolve' | 'resubmit';

/** Adds the commands that control a started order. */
export function controlCommands(program: Command, act: Act): void {
  const load = (): typeof import('./control') => require('./control');
  const about = aboutOrder(program, act);
  const add = (name: Control, description: string): Command =>
    about(name, description, (id, call) => load()[name](id, call));
  const cancel = 'stop an order, and ask the service to cancel what it has accepted';
  add('cancel', cancel)
    .requiredOption(...reason)
    .option('--yes', 'do not ask before a payout with unpaid lines is cancelled');
  const pause = 'stop an order from sending its next write, while pending ones settle';
  add('pause', pause).requiredOption(...reason);
  add('resume', 'let a paused order go on');
  add('accelerate', 'have the service pay a higher fee for the transaction that settles now');
  add('resolve', 'decide an unknown write, after a check with the service')
    .requiredOption('--target <write>', 'which one, as status shows it, such as transfer/1#0')
    .requiredOption(
      '--finding <finding>',
      'completed (it was accepted), noEffect (it never was), retry (it was, but had no effect)',
    )
    .requiredOption('--evidence <text>', 'the transaction id or hash; with noEffect, how you know');
  const resubmit = 'retry the write of an order that had no effect, under a new key';
  declareFlags(add('resubmit', resubmit), awaiting);
}
