import { jsonListOf } from '../flags';
import type { OrderCommand } from '../order/fields';

/** Calls any function of a contract. */
export const executeCommand: OrderCommand = {
  name: 'execute',
  summary: 'call a function of a contract with a wallet',
  example:
    'steadfast execute --wallet <id> --contract 0x… --function "setApprovalForAll(address,bool)" ' +
    '--parameters \'["0x…", true]\' --id execute:approve-market',
  flags: [
    ['--wallet <id>', 'the wallet that calls'],
    ['--contract <address>', 'the contract'],
    ['--function <signature>', 'its name and types, such as "mintTo(address,uint256)"'],
    ['--parameters <json>', 'a JSON list; integers as text, such as \'["0x…", "5"]\''],
    ['--amount <amount>', 'native coin that is sent along, such as 0.5'],
  ],
  flagOf: {
    walletId: '--wallet',
    contractAddress: '--contract',
    abiFunctionSignature: '--function',
    abiParameters: '--parameters',
  },
  kind: () => 'executeContract',
  read: { abiParameters: (text) => jsonListOf('--parameters', text) },
};
