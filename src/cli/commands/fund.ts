import { type OrderCommand, readFundSource, readWallet } from '../order/fields';

/** Funds a wallet until it holds at least an amount of a token. */
export const fundCommand: OrderCommand = {
  name: 'fund',
  summary: 'see to it that a wallet holds at least an amount of a token',
  example: 'steadfast fund --wallet <wallet> --amount 20 --token USDC --id fund:till-1',
  flags: [
    ['--wallet <wallet>', 'the wallet to fund: its id or its address'],
    ['--amount <amount>', 'what it must hold at least, such as 20'],
    ['--token <token>', 'USDC, EURC, native or the address of an ERC-20 contract'],
    ['--source <source>', 'faucet (default), external, or a treasury wallet'],
  ],
  kind: () => 'fundWallet',
  read: { wallet: readWallet, source: readFundSource },
};
