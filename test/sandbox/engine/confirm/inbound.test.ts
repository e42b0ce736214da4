import { encodeFunctionData, getAddress, type Hex, zeroAddress, zeroHash } from 'viem';
import { accountAbi } from '../../../../sandbox/chain/genesis/abi';
import { readTransfers } from '../../../../sandbox/chain/transfers';
import { inboundId, recordArrivals } from '../../../../sandbox/engine/confirm/inbound';
import type { TransactionRow } from '../../../../sandbox/store/records/records';
import { createTokens } from '../../../../sandbox/store/records/tokens';
import { openStore } from '../../../../sandbox/store/store';
import type { Transaction } from '../../../../src/custody/objects/transaction';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployToken } from '../../../support/chain/deployments';
import { sharedCalls } from '../../../support/chain/sharedCalls';
import { newFolder, setUp } from '../../../support/jest/setUp';
import { blockchain, eurc, inSandbox, transferOf, usdc } from '../../../support/sandbox';

const entitySecret = '1ab0'.repeat(16);
const apiKey = 'TEST_API_KEY:inbound:secret';
const stranger = '0x00000000000000000000000000000000000057a2';

const sandbox = inSandbox({ dataDir: newFolder(), apiKey, entitySecret });
const sca = setUp(() => sandbox.fundedWallet('SCA'));
const eoa = setUp(() => sandbox.fundedWallet('EOA'));
const to = setUp(() => sandbox.wallet());

describe('what a wallet receives has a record of its own', () => {
  it.each(['SCA', 'EOA'])('of a token that an %s of the service has sent', async (type) => {
    const from = type === 'SCA' ? sca : eoa;
    const sent = await send(from, { tokenAddress: eurc, amounts: ['1.50'] });
    const [received] = await settledArrivals(sent.txHash, to);
    const { walletId: _, ...other } = sent;
    expect(received).toEqual({
      id: received?.id,
      blockchain,
      walletId: to.id,
      tokenId: other.tokenId,
      sourceAddress: from.address,
      destinationAddress: to.address,
      transactionType: 'INBOUND',
      custodyType: 'DEVELOPER',
      state: 'COMPLETE',
      transactionScreeningEvaluation: expect.anything(),
      amounts: ['1.5'],
      nfts: null,
      txHash: other.txHash,
      blockHash: other.blockHash,
      blockHeight: other.blockHeight,
      networkFee: '',
      firstConfirmDate: received?.firstConfirmDate,
      operation: 'TRANSFER',
      abiParameters: null,
      createDate: received?.createDate,
      updateDate: received?.updateDate,
    });
    expect(received?.id).not.toBe(sent.id);
  });

  it('of the native coin, from an EOA and from an SCA', async () => {
    const fromEoa = await send(eoa, { tokenAddress: '', amounts: ['0.5'] });
    const fromSca = await send(sca, { tokenAddress: '', amounts: ['0.25'] });
    expect(await arrival(fromEoa.txHash, 'native')).toMatchObject({
      walletId: to.id,
      sourceAddress: eoa.address,
      amounts: ['0.5'],
      tokenId: fromEoa.tokenId,
    });
    expect(await arrival(fromSca.txHash, fromSca.userOpHash)).toMatchObject({
      walletId: to.id,
      sourceAddress: sca.address,
      amounts: ['0.25'],
      txHash: fromSca.txHash,
    });
  });

  it('of what is minted to it, of a token that nobody has sent yet', async () => {
    const token = await deployToken(sandbox.client, sca, { symbol: 'NEW' });
    const { txHash } = await sandbox.call(sca, {
      to: token.address,
      signature: 'mintTo(address,uint256)',
      parameters: [to.address, '3000000000000000000'],
    });
    const [received] = await settledArrivals(txHash, to);
    expect(received).toMatchObject({ amounts: ['3'], sourceAddress: zeroAddress });
    const known = await sandbox.client.getToken({ id: received?.tokenId ?? '' });
    expect(known.token).toMatchObject({ symbol: 'NEW', tokenAddress: token.address });
  });

  it('of a drip of the faucet: one for each coin, though USDC is the native coin', async () => {
    const before = await sandbox.chain.client.getBlockNumber();
    const fresh = await sandbox.wallet();
    if (fresh === undefined) throw new Error('No wallet was created.');
    const { address } = fresh;
    await sandbox.client.requestDrip({ address, blockchain, usdc: true, eurc: true });
    const logs = await sandbox.chain.client.getLogs({ fromBlock: before + 1n });
    const minted = readTransfers(logs).filter((one) => one.to === getAddress(address));
    const received = await Promise.all(
      minted.map((one) => arrival(one.transactionHash, one.logIndex ?? 0)),
    );
    const tokens = await Promise.all(
      received.map(({ tokenId }) => sandbox.client.getToken({ id: tokenId ?? '' })),
    );
    expect(tokens.map(({ token }) => token.tokenAddress)).toEqual([usdc, eurc.toLowerCase()]);
    const { transactions } = await sandbox.client.listTransactions({ walletIds: fresh.id });
    expect(transactions.map(({ id }) => id).toSorted()).toEqual(
      received.map(({ id }) => id).toSorted(),
    );
    expect(transactions).toMatchObject([{ amounts: ['20'] }, { amounts: ['20'] }]);
  });
});

describe('no record', () => {
  it('is made of what leaves for an address that is no wallet of the service', async () => {
    const order = transferOf(sca, stranger, { tokenAddress: eurc });
    const record = await sandbox.settled((await sandbox.client.createTransfer(order)).id);
    const [log] = await movements(record.txHash);
    await expect(arrival(record.txHash, log?.logIndex ?? 0)).rejects.toMatchObject({
      code: 156003,
    });
  });

  it('answers to the other type', async () => {
    const sent = await send(sca, { tokenAddress: eurc });
    const [received] = await settledArrivals(sent.txHash, to);
    const asked = { id: sent.id, txType: 'INBOUND' as const };
    await expect(sandbox.client.getTransaction(asked)).rejects.toMatchObject({ code: 156003 });
    const other = { id: received?.id ?? '', txType: 'OUTBOUND' as const };
    await expect(sandbox.client.getTransaction(other)).rejects.toMatchObject({ code: 156003 });
  });

  it('is made twice, however often a block is read', async () => {
    const { txHash } = await send(eoa, { tokenAddress: eurc });
    const receipt = await sandbox.chain.client.getTransactionReceipt({ hash: asHex(txHash) });
    const { store, tokens } = emptyBooks();
    for (const _time of [1, 2]) {
      recordArrivals({ store, tokens }, { receipt, raw: undefined, carried: [] });
    }
    expect(store.transactions.where('txHash', receipt.transactionHash)).toHaveLength(1);
    store.close();
  });

  it('is made of a batch whose calls share bytes, and of any other one is of each call', async () => {
    const { txHash } = await send(eoa, { tokenAddress: eurc });
    const receipt = await sandbox.chain.client.getTransactionReceipt({ hash: asHex(txHash) });
    const [from, payee] = [getAddress(sca.address), getAddress(to.address)];
    const batchOf = (count: number) =>
      encodeFunctionData({
        abi: accountAbi,
        functionName: 'executeBatch',
        args: [
          Array.from({ length: count }, () => ({ to: payee, value: 1n, data: '0x' as const })),
        ],
      });
    const recorded = (data: Hex) => {
      const { store, tokens } = emptyBooks();
      const row: TransactionRow = {
        id: '1',
        walletId: sca.id,
        stage: 'CONFIRMED',
        createdAtMs: 0,
        updatedAtMs: 0,
        operation: 'CONTRACT_EXECUTION',
        amounts: [],
        sourceAddress: from,
        txHash: receipt.transactionHash,
        userOpHash: zeroHash,
        call: { to: from, value: '0', data },
      };
      const mined = { receipt: { ...receipt, logs: [] }, raw: undefined, carried: [row] };
      recordArrivals({ store, tokens }, mined);
      const records = store.transactions.where('txHash', receipt.transactionHash);
      store.close();
      return records.length;
    };
    expect(recorded(batchOf(2))).toBe(2);
    expect(recorded(sharedCalls(batchOf(1)))).toBe(0);
  });

  it('is lost when the sandbox ends', async () => {
    const sent = await send(sca, { tokenAddress: eurc });
    const before = await settledArrivals(sent.txHash, to);
    await sandbox.restart();
    expect(await settledArrivals(sent.txHash, to)).toEqual(before);
  });
});

/** A store with no more than the receiving wallet. */
function emptyBooks() {
  const store = openStore(undefined);
  const tokens = createTokens({ chain: sandbox.chain, store, blockchain });
  store.wallets.insert({
    id: to.id,
    walletSetId: to.walletSetId,
    index: 0,
    accountType: 'EOA',
    address: getAddress(to.address),
    blockchain,
    name: undefined,
    refId: undefined,
    createdAtMs: 0,
  });
  return { store, tokens };
}

async function send(from: Wallet, fields: object): Promise<Transaction> {
  const record = await sandbox.pay(from, to.address, fields);
  expect(record.state).toBe('COMPLETE');
  return record;
}

/** The records of the movements of tokens that a transaction has brought to a wallet, settled. */
async function settledArrivals(txHash: string | undefined, wallet: Wallet) {
  const logs = await movements(txHash);
  const own = logs.filter((log) => log.to === getAddress(wallet.address));
  return Promise.all(own.map((log) => sandbox.settled(inboundId(txHash ?? '', log.logIndex ?? 0))));
}

async function movements(txHash: string | undefined) {
  const receipt = await sandbox.chain.client.getTransactionReceipt({ hash: asHex(txHash) });
  return readTransfers(receipt.logs);
}

async function arrival(txHash: string | null | undefined, movement: string | number | undefined) {
  const id = inboundId(txHash ?? '', movement ?? '');
  const { transaction } = await sandbox.client.getTransaction({ id, txType: 'INBOUND' });
  return transaction;
}

function asHex(text = '0x'): Hex {
  return `0x${text.slice(2)}`;
}
