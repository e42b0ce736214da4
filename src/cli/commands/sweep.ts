import { listOf } from '../flags';
import { type OrderCommand, readWallet } from '../order/fields';

/** Collects what wallets hold into one. */
export const sweepCommand: OrderCommand = {
  name: 'sweep',
  summary: 'collect what wallets hold of a token into one of ours',
  example: 'steadfast sweep --wallets <id>,<id> --into <wallet> --token USDC --id sweep:2026-11-30',
  flags: [
    ['--wallets <ids>', 'the ids of the wallets, with commas between them; up to 50'],
    ['--into <wallet>', 'the wallet that collects: its id or its address'],
    ['--token <token>', 'USDC, EURC, native or the address of an ERC-20 contract'],
    ['--keep <amount>', 'what stays in each (default: 0.1 where it pays fees with that token)'],
  ],
  kind: () => 'sweepWallets',
  read: { wallets: listOf, into: readWallet },
};
