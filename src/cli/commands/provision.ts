import { numberOf } from '../flags';
import type { OrderCommand } from '../order/fields';

/** Creates a wallet set and wallets in it. */
export const provisionCommand: OrderCommand = {
  name: 'provision',
  summary: 'create a wallet set and wallets in it',
  example: 'steadfast provision --name "Tills" --count 3 --id provision:tills',
  flags: [
    ['--name <name>', 'the name of the wallet set'],
    ['--count <number>', 'how many wallets (default 1)'],
    ['--account-type <type>', 'SCA or EOA (default SCA)'],
  ],
  kind: () => 'provisionWallets',
  read: { count: numberOf },
};
