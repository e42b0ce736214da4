import { encodeFunctionData, parseAbi } from 'viem';
import type { Input } from '../../../src/custody/endpoints';
import { fault } from '../../errors/errors';
import type { TransactionRow } from '../../store/records/records';
import type { SandboxApi, Service } from '../service';
import { acceptOnce, initiated } from '../transactions/accept';
import { newTransaction, senderWallet } from '../transactions/newTransaction';
import { keyed } from './wallets';

const upgradeAbi = parseAbi([
  'function upgradeTo(address implementation)',
  'function upgradeToAndCall(address implementation, bytes data) payable',
]);

/** Upgrades of smart accounts: a call of the account on itself, like any other. */
export function upgradeHandlers(service: Service) {
  return {
    upgradeWallet: (input, options) =>
      acceptOnce(service, keyed('upgradeWallet', input, options), async () =>
        initiated(toUpgrade(service, input)),
      ),
  } satisfies Partial<SandboxApi>;
}

/** The documented ways, from two older cores. From all others none leads anywhere. */
function toUpgrade(service: Service, input: Input<'upgradeWallet'>): TransactionRow {
  const wallet = senderWallet(service, { walletId: input.walletId });
  const { address: to, accountType, scaCore, frozen, deployed } = wallet;
  if (frozen) throw fault('walletFrozen');
  if (accountType !== 'SCA') throw fault('otherAccountType');
  const isOldest = scaCore === 'circle_4337_v1';
  if (!isOldest && scaCore !== 'circle_6900_singleowner_v1') throw fault('notOnBlockchain');
  if (isOldest && !deployed) throw fault('notDeployedYet');
  const { upgradedImplementation: implementation } = service.chain.contracts;
  const call = isOldest ? upgradeAndCall(implementation) : upgrade(implementation);
  return {
    ...newTransaction(wallet, input),
    call: { to, value: '0', data: call.data },
    operation: 'CONTRACT_EXECUTION',
    amounts: [],
    contractAddress: to,
    abiFunctionSignature: call.signature,
    abiParameters: call.parameters,
    newScaCore: input.newScaCore,
  };
}

function upgrade(implementation: `0x${string}`) {
  const args = [implementation] as const;
  const data = encodeFunctionData({ abi: upgradeAbi, functionName: 'upgradeTo', args });
  return { data, signature: 'upgradeTo(address)', parameters: [...args] };
}

function upgradeAndCall(implementation: `0x${string}`) {
  const args = [implementation, '0x'] as const;
  const data = encodeFunctionData({ abi: upgradeAbi, functionName: 'upgradeToAndCall', args });
  return { data, signature: 'upgradeToAndCall(address,bytes)', parameters: [...args] };
}
