import {
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  hashMessage,
  hashTypedData,
  keccak256,
  parseTransaction,
  recoverAddress,
  recoverTransactionAddress,
  type TransactionSerialized,
  verifyMessage,
  verifyTypedData,
} from 'viem';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import {
  blockchain,
  callOf,
  createUsedWallet,
  createWallet,
  createWallets,
  settled,
  tokenTransfers,
  usdc,
} from '../../../support/sandbox';
import { readChain } from '../chain';
import { type Given, rigOf } from '../subject/subject';

const typedData = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Order: [
      { name: 'items', type: 'Item[]' },
      { name: 'note', type: 'string' },
      { name: 'digest', type: 'bytes32' },
    ],
    Item: [
      { name: 'token', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  },
  primaryType: 'Order',
  domain: { name: 'Shop', chainId: 5042002, verifyingContract: usdc },
  message: {
    items: [
      { token: usdc, amount: '115792089237316195423570985008687907853269984665640564039457' },
    ],
    note: 'für später',
    digest: `0x${'2a'.repeat(32)}`,
  },
} as const;
const data = JSON.stringify(typedData);
const message = 'I agree with this transfer\nand sign it: für 1 €';
const bytes = '0x00fffe01' as const;

/** Checks signatures by public computation, and on the chain. */
export function describeSigning(given: Given): void {
  describe('the signature of an EOA wallet', () => {
    let wallet: Wallet;
    let address: Hex;
    beforeAll(async () => {
      [wallet] = (await createWallets(given.subject().api)) as [Wallet];
      address = getAddress(wallet.address);
    });

    it('of a text belongs to its address', async () => {
      const input = { walletId: wallet.id, message, memo: 'for the books' };
      const { signature } = await given.subject().api.signMessage(input);
      expect(await verifyMessage({ address, message, signature: signature as Hex })).toBe(true);
    });

    it('of bytes belongs to its address, which may name the wallet', async () => {
      const input = { walletAddress: wallet.address, blockchain, message: bytes };
      const { signature } = await given.subject().api.signMessage({ ...input, encodedByHex: true });
      const signed = { message: { raw: bytes }, signature: signature as Hex };
      expect(await verifyMessage({ address, ...signed })).toBe(true);
    });

    it('of typed data belongs to its address', async () => {
      const { signature } = await given.subject().api.signTypedData({ walletId: wallet.id, data });
      const signed = { ...withNumbers(), signature: signature as Hex };
      expect(await verifyTypedData({ address, ...signed })).toBe(true);
    });

    it('of a transaction for another chain belongs to its address, whoever broadcasts it', async () => {
      const { api } = given.subject();
      const [keys] = (await createWallets(api, { blockchains: ['EVM-TESTNET'] })) as [Wallet];
      const fields = {
        nonce: 7,
        to: usdc,
        value: '1000000000000000000',
        gas: 21_000,
        maxFeePerGas: '40000000000',
        maxPriorityFeePerGas: '1000000000',
        chainId: 11_155_111,
      };
      const transaction = JSON.stringify(fields);
      const answer = await api.signTransaction({ walletId: keys.id, transaction });
      const signed = answer.signedTransaction as TransactionSerialized;
      expect(parseTransaction(signed)).toMatchObject({
        nonce: 7,
        to: usdc,
        value: 10n ** 18n,
        chainId: 11_155_111,
      });
      const from = await recoverTransactionAddress({ serializedTransaction: signed });
      expect(from).toBe(getAddress(keys.address));
      expect(answer.txHash).toBe(keccak256(signed));
    });

    it('of a transaction of this chain is refused, since the service itself sends those', async () => {
      const { api } = given.subject();
      const transaction = JSON.stringify({ nonce: 0, to: usdc, gas: 21_000, chainId: 5042002 });
      await expect(api.signTransaction({ walletId: wallet.id, transaction })).rejects.toMatchObject(
        { status: 400, code: 156027 },
      );
      await expect(
        api.signDelegateAction({ walletId: wallet.id, unsignedDelegateAction: 'AAAA' }),
      ).rejects.toMatchObject({ status: 400, code: 156027 });
    });
  });

  it('refuses to sign for an SCA wallet that is not deployed', async () => {
    const { api } = given.subject();
    const fresh = await createWallet(api, 'SCA');
    const walletId = fresh.id;
    const undeployed = { status: 400, code: 155517 };
    await expect(api.signMessage({ walletId, message })).rejects.toMatchObject(undeployed);
    await expect(api.signTypedData({ walletId, data })).rejects.toMatchObject(undeployed);
  });

  given.describeFunded('a deployed SCA wallet', () => {
    let wallet: Wallet;
    beforeAll(async () => {
      wallet = await createUsedWallet(given.subject().api, 'SCA');
    });

    it('signs with the key of its owner, and its contract confirms it', async () => {
      const { api } = given.subject();
      const walletId = wallet.id;
      const ofText = await api.signMessage({ walletId, message });
      const ofData = await api.signTypedData({ walletId, data });
      const { hasSigned } = readChain(rigOf(given).rpcUrl);
      const [textHash, dataHash] = [hashMessage(message), hashTypedData(withNumbers())];
      const [textSignature, dataSignature] = [ofText.signature as Hex, ofData.signature as Hex];
      expect(textSignature).toMatch(/^0x[0-9a-f]{130}$/);
      expect(await hasSigned(wallet.address, textHash, textSignature)).toBe(true);
      expect(await hasSigned(wallet.address, dataHash, dataSignature)).toBe(true);
      expect(await hasSigned(wallet.address, textHash, dataSignature)).toBe(false);
      const owner = await recoverAddress({ hash: textHash, signature: textSignature });
      expect(await recoverAddress({ hash: dataHash, signature: dataSignature })).toBe(owner);
      expect(owner).not.toBe(getAddress(wallet.address));
    });

    it('makes two transfers in one operation, by a call of its own address', async () => {
      const { api } = given.subject();
      const receivers = await createWallets(api, { count: 2 });
      const transfers = receivers.map(({ address }, index) => [
        usdc,
        '0',
        encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [getAddress(address), BigInt(index + 1)],
        }),
      ]);
      const { id } = await api.executeContract(
        callOf(wallet, {
          to: wallet.address,
          signature: 'executeBatch((address,uint256,bytes)[])',
          parameters: [transfers],
        }),
      );
      const { state, txHash } = await settled(api, id);
      expect(state).toBe('COMPLETE');
      const found = await tokenTransfers(rigOf(given).rpcUrl, { from: wallet.address });
      expect(found.filter(({ transactionHash }) => transactionHash === txHash)).toEqual(
        receivers.map(({ address: to }, index) => ({
          to,
          value: BigInt(index + 1),
          transactionHash: txHash,
        })),
      );
    });
  });
}

/** The typed data in viem's form, with numbers as numbers. */
function withNumbers() {
  const items = typedData.message.items.map((item) => ({ ...item, amount: BigInt(item.amount) }));
  const domain = { ...typedData.domain, chainId: BigInt(typedData.domain.chainId) };
  return { ...typedData, domain, message: { ...typedData.message, items } };
}
