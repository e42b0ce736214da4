import { type Hex, isHex, keccak256, parseTransaction, serializeSignature } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import type { Output } from '../../../src/custody/endpoints';
import { isOnChain } from '../../chain/account/userOperation';
import { fault } from '../../errors/errors';
import { keysOnly } from '../../store/records/walletBlockchain';
import type { SandboxApi, Service } from '../service';
import { namedWallet } from '../transactions/newTransaction';
import { readTypedData } from './typedData';
import { readUnsigned, type UnsignedTransaction } from './unsignedTransaction';

type SignerInput = Parameters<typeof namedWallet>[1];

/**
 * Signatures by the keys of wallets. The owner's key signs for a smart account. The account's
 * contract, which has to be on the chain, says whether that counts (ERC-1271).
 */
export function signingHandlers(service: Service) {
  const { keys } = service;
  return {
    signMessage: async ({ message, encodedByHex = false, ...input }) => {
      const account = await signer(service, input);
      if (message === '' || (encodedByHex && message === '0x')) throw fault('messageInvalid');
      const meant = encodedByHex ? { raw: bytesOf(message) } : message;
      return { signature: await account.signMessage({ message: meant }) };
    },

    signTypedData: async ({ data, ...input }) => {
      const account = await signer(service, input);
      return { signature: await account.signTypedData(readTypedData(data)) };
    },

    signTransaction: async (input) => {
      const wallet = namedWallet(service, input);
      const { blockchain } = wallet;
      // On a chain without a node the users broadcast. On its own chain the service counts the
      // nonces.
      if (blockchain !== keysOnly) throw fault('noBlockchain', 'wallets', blockchain);
      if (wallet.frozen) throw fault('walletFrozen');
      if (wallet.accountType !== 'EOA') throw fault('otherAccountType');
      const account = keys.owner(wallet);
      return signed(account, readUnsigned(input, account.address));
    },

    signDelegateAction: async (input) => {
      throw fault('noBlockchain', 'wallets', namedWallet(service, input).blockchain);
    },
  } satisfies Partial<SandboxApi>;
}

/** The key that signs for a wallet. */
async function signer(service: Service, input: SignerInput): Promise<LocalAccount> {
  const wallet = namedWallet(service, input);
  if (wallet.frozen) throw fault('walletFrozen');
  const isThere = wallet.accountType === 'EOA' || wallet.deployed;
  if (!isThere && !(await isOnChain(service.chain, wallet.address))) throw fault('notDeployed');
  return service.keys.owner(wallet);
}

function bytesOf(message: string): Hex {
  if (isHex(message) && message.length % 2 === 0) return message;
  throw fault('notHexEncoded');
}

/** The transaction with its signature in it, and that alone. */
async function signed(
  account: LocalAccount,
  unsigned: UnsignedTransaction,
): Promise<Output<'signTransaction'>> {
  const signedTransaction = await account.signTransaction(unsigned);
  const { r, s, yParity } = parseTransaction(signedTransaction);
  if (r === undefined || s === undefined || yParity === undefined) {
    throw new Error('The signed transaction has no signature.');
  }
  const signature = serializeSignature({ r, s, yParity });
  return { signature, signedTransaction, txHash: keccak256(signedTransaction) };
}
