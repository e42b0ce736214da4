import { type OrderCommand, readFundSource, readWallet } from '../order/fields';
import { noRates, payingRates } from '../rates/ratesFlags';

/** Sends a token from a wallet. --sequence first creates the wallets and funds the sender. */
export const transferCommand: OrderCommand = {
  name: 'transfer',
  summary: 'send an amount of a token from a wallet to an address, and wait until it has settled',
  example:
    'steadfast transfer --from <wallet> --to 0x… --amount 12.50 --token USDC --id transfer:invoice-1',
  flags: [
    ['--from <wallet>', 'the sending wallet: its id or its address'],
    ['--to <address>', 'where it goes'],
    [
      '--amount <amount>',
      'in the token’s own units, such as 12.50; with --rates in a currency, such as "1200 EUR"',
    ],
    ['--token <token>', 'USDC, EURC, native or the address of an ERC-20 contract'],
    ['--strict', 'refuse the payment if a check of it finds something'],
    ['--sequence', 'from nothing: a wallet set, two wallets, funds for the first, a transfer'],
    ['--name <name>', 'with --sequence: the name of the wallet set'],
    ['--account-type <type>', 'with --sequence: SCA or EOA (default SCA)'],
    ['--source <source>', 'with --sequence: faucet, external, or a treasury wallet'],
    ...payingRates,
  ],
  kind: (flags) => (flags.sequence === true ? 'transferSequence' : 'transferStablecoin'),
  read: { from: readWallet, source: readFundSource },
  noFields: ['--sequence', ...noRates],
  complete: (order, flags) => {
    const { exchangeAmount }: typeof import('../rates/exchangeAmount') =
      require('../rates/exchangeAmount');
    return exchangeAmount(order, flags);
  },
};
