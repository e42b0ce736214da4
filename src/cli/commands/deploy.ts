import { isRecord } from '../../custody/isRecord';
import { parseJson, RepeatedName } from '../../orders/input/parseJson';
import { shown } from '../../orders/input/shown';
import { InputError } from '../exit';
import type { Flags } from '../flags';
import type { Fields, OrderCommand } from '../order/fields';

/** Templates whose contract stores its own name on the chain. */
const families = ['fungible', 'uniqueItem', 'multiToken'];

/** Deploys a contract from a template. --sequence first creates the wallet that deploys it. */
export const deployCommand: OrderCommand = {
  name: 'deploy',
  summary: 'deploy a contract from a template, and wait for its address',
  example:
    'steadfast deploy --sequence --name "Acme Dollar" --symbol ACME --mint 1000000 --id deploy:acme',
  flags: [
    ['--wallet <id>', 'the wallet that deploys'],
    ['--sequence', 'from nothing: a wallet set, a wallet, the contract, its initial supply'],
    ['--template <template>', 'fungible (default), uniqueItem, multiToken, airdrop or an id'],
    ['--name <name>', 'the name of the contract'],
    ['--parameters <json>', 'parameters of the template, as a JSON object, which flags override'],
    ['--symbol <symbol>', 'the symbol of the token'],
    ['--admin <address>', 'who administers it (default: the wallet that deploys)'],
    ['--sale-recipient <address>', 'who receives primary sales (default: the wallet)'],
    ['--fee-percent <fraction>', 'platform fee as a fraction, such as 0.025 for 2.5 percent'],
    ['--fee-recipient <address>', 'who receives the platform fee'],
    ['--contract-uri <url>', 'metadata of the contract'],
    ['--mint <amount>', 'an initial supply, minted once the contract is there'],
    ['--mint-uri <uri>', 'metadata of the item that is minted (uniqueItem, multiToken)'],
    ['--mint-to <address>', 'who receives it (default: the wallet that deploys)'],
  ],
  flagOf: {
    walletId: '--wallet',
    'parameters.symbol': '--symbol',
    'parameters.defaultAdmin': '--admin',
    'parameters.primarySaleRecipient': '--sale-recipient',
    'parameters.platformFeePercent': '--fee-percent',
    'parameters.platformFeeRecipient': '--fee-recipient',
    'parameters.contractUri': '--contract-uri',
    'parameters.contractURI': '--contract-uri',
    'mint.amount': '--mint',
    'mint.to': '--mint-to',
    'mint.uri': '--mint-uri',
  },
  kind: (flags) => (flags.sequence === true ? 'deploymentSequence' : 'deployContract'),
  read: { parameters: readParameters },
  noFields: ['--sequence'],
  /** Names a token as its contract, unless it has a name. An airdrop writes contractURI. */
  complete: (order) => {
    const { name, template = 'fungible', parameters = {} } = order;
    if (!isRecord(parameters)) return order;
    const { contractUri, ...others } = parameters;
    const isDrop = template === 'airdrop' && contractUri !== undefined;
    const own = isDrop ? { contractURI: contractUri, ...others } : parameters;
    const isNamed = families.includes(String(template)) && name !== undefined;
    return { ...order, parameters: isNamed ? { name, ...own } : own };
  },
};

function readParameters(text: Flags[string]): Fields {
  try {
    const parameters = parseJson(String(text));
    if (isRecord(parameters)) return parameters;
  } catch (error) {
    if (error instanceof RepeatedName) throw new InputError(`--parameters: ${error.message}`);
    // Said below, in the same words as for JSON that is no object.
  }
  throw new InputError(
    `--parameters: ${shown(text)} is not a JSON object, such as '{"symbol": "ACME"}'.`,
  );
}
