import { encodeFunctionData } from 'viem';
import { executeBatch, multicallFrom } from '../../../src/custody/batch';
import { memoContract, memoSignature } from '../../../src/custody/memo';
import { usdc } from '../../support/sandbox';
import { callFrom, payee } from '../writer';
import type { Attack } from './attack';
import { memoAbi, transferData, word } from './contractAttacks';

const onlyOfKey = (contract: string) =>
  new RegExp(`It calls ${contract}, which moves money of an EOA alone, and its wallet is an SCA`);

/** Calls that move money of an account with a key alone, from a smart account. */
export const smartAttacks: readonly Attack[] = [
  [
    'a batch in the form of an account with a key, from a smart account',
    onlyOfKey('Multicall3From'),
    (api, { smart }) => {
      const abiParameters = [[[usdc, true, transferData(payee, 1n)]]];
      const fields = { contractAddress: multicallFrom, abiParameters };
      const { input, how } = callFrom(smart, 'aggregate3((address,bool,bytes)[])', fields);
      return api.executeContract(input, how);
    },
  ],
  ...([true, false] as const).map(
    (isAlone): Attack => [
      `a memo ${isAlone ? 'alone' : 'in a batch'}, from a smart account`,
      onlyOfKey('Memo'),
      (api, { smart }) => {
        const args = [usdc, transferData(payee, 1n), word, '0x'] as const;
        const data = encodeFunctionData({ abi: memoAbi, args });
        const [contractAddress, signature, abiParameters] = isAlone
          ? [memoContract, memoSignature, [...args]]
          : [smart.address, executeBatch, [[[memoContract, '0', data]]]];
        const { input, how } = callFrom(smart, signature, { contractAddress, abiParameters });
        return api.executeContract(input, how);
      },
    ],
  ),
];
