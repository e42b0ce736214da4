import { given, type OrderCommand } from '../order/fields';

/** Creates a wallet set and wallets in it. */
export const provision: OrderCommand = {
  name: 'provision',
  summary: 'create a wallet set and wallets in it',
  example: 'steadfast provision --name "Tills" --count 3 --id provision:tills',
  flags: [
    ['--name <name>', 'the name of the wallet set'],
    ['--count <number>', 'how many wallets (default 1)'],
    ['--account-type <type>', 'SCA or EOA (default SCA)'],
  ],
  kind: () => 'provisionWallets',
  fields: (flags) =>
    given({ name: flags.name, count: wholeNumber(flags.count), accountType: flags.accountType }),
};

/** Text that is no whole number stays text, so that the schema's message shows it. */
function wholeNumber(text: string | boolean | undefined): unknown {
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}
