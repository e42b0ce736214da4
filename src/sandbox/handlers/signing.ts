import { type Hex, isHex, keccak256, parseTransaction, serializeSignature } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import type { Output } from '../../custody/endpoints';
import { isOnChain } from '../chain/userOperation';
import { fault } from '../errors';
import type { Handlers, Service } from '../service';
import { sender } from './newTransaction';
import { readTypedData } from './typedData';
import { readUnsigned, type UnsignedTransaction } from './unsignedTransaction';

type Names = 'signMessage' | 'signTypedData' | 'signTransaction' | 'signDelegateAction';
type SignerInput = Parameters<typeof sender>[1];

/** Here the service has no node: what it signs, its users broadcast themselves. */
const blockchainToSignFor = 'EVM-TESTNET';

/**
 * Signatures by the keys of wallets. Of a smart account its owner's key signs, and the account's
 * contract says whether that counts (ERC-1271), so that has to be on the chain.
 */
export function signingHandlers(service: Service): Handlers<Names> {
  const { keys, shown } = service;
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
      const wallet = sender(service, input);
      const { blockchain = shown.blockchain } = wallet;
      if (blockchain !== blockchainToSignFor) throw fault('noBlockchain', 'wallets', blockchain);
      if (wallet.frozen) throw fault('walletFrozen');
      if (wallet.accountType !== 'EOA') throw fault('otherAccountType');
      const account = keys.owner(wallet);
      return signed(account, readUnsigned(input, account.address));
    },

    signDelegateAction: async (input) => {
      const { blockchain = shown.blockchain } = sender(service, input);
      throw fault('noBlockchain', 'wallets', blockchain);
    },
  };
}

/** The key that signs for a wallet. */
async function signer(service: Service, input: SignerInput): Promise<LocalAccount> {
  const wallet = sender(service, input);
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
