import type { OrderCommand } from '../order/fields';

/** Mints an amount of a token that the wallet may mint. */
export const mintCommand: OrderCommand = {
  name: 'mint',
  summary: 'mint an amount of a token that the wallet may mint',
  example:
    'steadfast mint --wallet <id> --contract 0x… --to 0x… --amount 1000000 --id mint:acme-first',
  flags: [
    ['--wallet <id>', 'the wallet that mints'],
    ['--contract <address>', 'the token’s contract'],
    ['--to <address>', 'who receives it'],
    ['--amount <amount>', 'in the token’s own units, such as 1000000'],
  ],
  flagOf: { walletId: '--wallet', contractAddress: '--contract' },
  kind: () => 'mintTokens',
};
