import type { Command } from 'commander';
import type { ReceiverFlags } from '../../notices/config';
import type { Act } from '../call';
import { type Flags, json } from '../flags';

/** Loaded once a command runs, so that --help does not load it. */
const load = (): typeof import('./webhooks') => require('./webhooks');

/** Adds the receiver of notices, and the commands that subscribe to them. */
export function webhooksCommands(program: Command, act: Act): void {
  const webhooks = program
    .command('webhooks')
    .description('receive notices of the service and wake the orders that wait, until Ctrl-C')
    .option('--host <address>', 'where it listens (default 127.0.0.1)')
    .option('--port <port>', 'its port, or 0 for any free one (default 4020)')
    .option('--tls-cert <file>', 'a certificate, as PEM; without it a proxy in front does TLS')
    .option('--tls-key <file>', 'the key of the certificate, as PEM')
    .option('--endpoint <url>', 'subscribe this address of the receiver once it listens')
    .action(async (flags: ReceiverFlags) => {
      const { runReceiver }: typeof import('../../notices/runReceiver') =
        require('../../notices/runReceiver');
      await runReceiver(flags);
    });
  webhooks
    .command('subscribe')
    .argument('<url>', 'the public address of the receiver, such as https://hooks.example.org/')
    .description('have the service send notices of all transactions there; may be repeated')
    .option(...json)
    .action((url: string, flags: Flags) => act(flags, (call) => load().subscribeTo(url, call)));
  webhooks
    .command('list')
    .description('list the subscriptions of the account')
    .option(...json)
    .action((flags: Flags) => act(flags, (call) => load().listSubscriptions(call)));
  webhooks
    .command('remove')
    .argument('<id>', 'the id of a subscription, or its address')
    .description('end a subscription; may be repeated')
    .option(...json)
    .action((id: string, flags: Flags) => act(flags, (call) => load().unsubscribeFrom(id, call)));
}
