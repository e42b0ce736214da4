import { encodeFunctionData, erc20Abi, type Hex, parseEther, parseGwei } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Transaction } from '../../../../src/custody/objects/transaction';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, transferOf, usdc } from '../../../support/sandbox';
import { inStagedSandbox, someone } from '../../../support/stages';

const chainId = 5_042_002;
const taker = privateKeyToAccount(generatePrivateKey());
const sandbox = inStagedSandbox();
const wallet = setUp(() => sandbox.usedWallet('EOA'));
const recipient = someone();

async function send(raw: string): Promise<unknown> {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] };
  return (await sandbox.request('POST', sandbox.rpcUrl, { headers: {}, body })).body;
}

const nonceOf = (address: string) =>
  sandbox.chain.client.getTransactionCount({ address: address as Hex });
const balanceOf = (address: string) => sandbox.chain.client.getBalance({ address: address as Hex });

/** Lets the taker have all but 3 USDC of the wallet, in the block to come. */
async function takeFrom(from: Wallet): Promise<void> {
  const left = parseEther('3');
  const value = ((await balanceOf(from.address)) - left) / 10n ** 12n;
  const args = [from.address as Hex, taker.address, value] as const;
  const raw = await taker.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: 0,
    gas: 200_000n,
    maxFeePerGas: parseGwei('30'),
    maxPriorityFeePerGas: 0n,
    to: usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args }),
  });
  expect(await send(raw)).toMatchObject({ result: expect.stringMatching(/^0x/) });
}

/** The same bytes as those of a transfer that is sent, since signatures are deterministic. */
async function bytesOf({ estimatedFee, txHash }: Transaction, nonce: number): Promise<string> {
  const { gasLimit = '', maxFee = '', priorityFee = '' } = estimatedFee ?? {};
  const args = [recipient as Hex, 1_000_000n] as const;
  const transaction = JSON.stringify({
    chainId,
    nonce,
    to: usdc,
    gas: gasLimit,
    maxFeePerGas: String(parseGwei(maxFee)),
    maxPriorityFeePerGas: String(parseGwei(priorityFee)),
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  });
  const { client } = sandbox;
  const twin = await client.deriveWallet({ id: wallet.id, blockchain: 'EVM-TESTNET' });
  const signed = await client.signTransaction({ walletId: twin.wallet.id, transaction });
  expect(signed.txHash).toBe(txHash);
  return signed.signedTransaction;
}

it('an EOA pays on after a payment for which a block brought too little, and pays once', async () => {
  const { client } = sandbox;
  await client.requestDrip({ address: taker.address, blockchain, usdc: true });
  await sandbox.call(wallet, {
    to: usdc,
    signature: 'approve(address,uint256)',
    parameters: [taker.address, '1000000000'],
  });
  const nonce = await nonceOf(wallet.address);
  await sandbox.stopBlocks();
  await takeFrom(wallet);
  const coins = { tokenAddress: undefined, amounts: ['4'] };
  const large = await client.createTransfer(transferOf(wallet, someone(), coins));
  await sandbox.inState(large.id, 'SENT');
  const later = await sandbox.send(wallet, recipient);
  const sent = await sandbox.inState(later, 'SENT');
  const bytes = await bytesOf(sent, nonce + 1);

  await sandbox.run();
  expect(await sandbox.settled(large.id)).toMatchObject({
    state: 'FAILED',
    errorReason: 'INTERNAL_ERROR',
  });
  const paid = await sandbox.settled(later);
  expect(paid).toMatchObject({ state: 'COMPLETE' });
  expect(paid.txHash).not.toBe(sent.txHash);

  // The next nonce is that of the bytes that were left out.
  expect(await nonceOf(wallet.address)).toBe(nonce + 1);
  const words = 'these bytes were left out of a block, and their payment was signed again';
  expect(await send(bytes)).toMatchObject({ error: { message: words } });
  expect(await sandbox.settled(await sandbox.send(wallet, recipient))).toMatchObject({
    state: 'COMPLETE',
  });
  expect(await sandbox.transfers({ to: recipient })).toHaveLength(2);
});
