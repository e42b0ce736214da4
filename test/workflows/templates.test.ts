import { randomUUID } from 'node:crypto';
import { decodeAbiParameters, getAddress } from 'viem';
import type { DeployOrder } from '../../src/orders/deploy';
import { stopLater } from '../support/jest/setUp';
import { type Orders, runOrders } from '../support/orders';
import { inSandbox } from '../support/sandbox';
import { someone } from '../support/stages';

const sandbox = inSandbox();
let orders: Orders;
let wallet: { id: string; address: string };
beforeAll(async () => {
  const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  orders = await runOrders(client, { baseUrl, chainRpcUrl });
  stopLater(() => orders.stop());
  wallet = await sandbox.fundedWallet('SCA');
});

function deploy(order: Partial<DeployOrder>) {
  const id = `deploy:${randomUUID()}`;
  const whole = { walletId: wallet.id, name: 'Harbour', parameters: {}, ...order };
  return orders.steadfast.execute('deployContract', id, whole);
}

async function ask(address: string, abiFunctionSignature: string, abiParameters: string[] = []) {
  const call = { address, blockchain: 'ARC-TESTNET', abiFunctionSignature, abiParameters };
  const { outputData } = await sandbox.client.queryContract(call);
  return outputData as `0x${string}`;
}

const [to, uri] = [someone(), 'ipfs://first'];
const parameters = { name: 'Harbour Item', royaltyPercent: 0.05 };

describe('deployContract, on a real chain', () => {
  test.concurrent('deploys unique items and mints the first one', async () => {
    const receipt = await deploy({ template: 'uniqueItem', parameters, mint: { to, uri } });
    expect(receipt.supply).toMatchObject({ before: '0', after: '1', tokenId: '0' });
    const owner = await ask(receipt.contractAddress, 'ownerOf(uint256)', ['0']);
    expect(decodeAbiParameters([{ type: 'address' }], owner)).toEqual([getAddress(to)]);
    const where = await ask(receipt.contractAddress, 'tokenURI(uint256)', ['0']);
    expect(decodeAbiParameters([{ type: 'string' }], where)).toEqual([uri]);
  });

  test.concurrent('deploys a multi-token contract and mints some of its first', async () => {
    const mint = { to, uri, amount: '250' };
    const receipt = await deploy({ template: 'multiToken', parameters, mint });
    expect(receipt.supply).toMatchObject({ before: '0', after: '250', tokenId: '0' });
    const held = await ask(receipt.contractAddress, 'balanceOf(address,uint256)', [to, '0']);
    expect(BigInt(held)).toBe(250n);
  });

  test.concurrent('deploys an airdrop contract that the wallet owns', async () => {
    const receipt = await deploy({ template: 'airdrop' });
    const owner = await ask(receipt.contractAddress, 'owner()');
    const [address] = decodeAbiParameters([{ type: 'address' }], owner);
    expect(address).toBe(getAddress(wallet.address));
    expect(receipt.supply).toBeUndefined();
  });
});

describe('executeContract, on a real chain', () => {
  test.concurrent('calls a function once, and returns the transaction', async () => {
    const { contractAddress } = await deploy({ parameters: { name: 'Harbour Credit' } });
    const call = {
      walletId: wallet.id,
      contractAddress,
      abiFunctionSignature: 'mintTo(address,uint256)',
      abiParameters: [to, '7'],
    };
    const id = `execute:${randomUUID()}`;
    const receipt = await orders.steadfast.execute('executeContract', id, call);
    expect(receipt).toMatchObject({
      state: 'COMPLETE',
      contractAddress: getAddress(contractAddress),
    });
    expect(await orders.steadfast.execute('executeContract', id, call)).toEqual(receipt);
    expect(BigInt(await ask(contractAddress, 'balanceOf(address)', [to]))).toBe(7n);
  });

  test.concurrent('is refused for an address without a contract', async () => {
    const contractAddress = someone();
    const call = {
      walletId: wallet.id,
      contractAddress,
      abiFunctionSignature: 'mintTo(address,uint256)',
      abiParameters: [to, '7'],
    };
    const executed = orders.steadfast.execute('executeContract', `execute:${randomUUID()}`, call);
    await expect(executed).rejects.toThrow(
      `contractAddress: ${getAddress(contractAddress)} holds no contract on ARC-TESTNET, so a ` +
        'call would do nothing. Check the address and the network.',
    );
  });

  test.concurrent("fails with the contract's reason, and has no effect", async () => {
    const { contractAddress } = await deploy({ parameters: { name: 'Harbour Credit' } });
    const stranger = await sandbox.fundedWallet('SCA');
    const call = {
      walletId: stranger.id,
      contractAddress,
      abiFunctionSignature: 'mintTo(address,uint256)',
      abiParameters: [to, '7'],
    };
    const id = `execute:${randomUUID()}`;
    await expect(orders.steadfast.execute('executeContract', id, call)).rejects.toThrow(
      /not minter|ESTIMATION_ERROR|FAILED/,
    );
    expect(BigInt(await ask(contractAddress, 'balanceOf(address)', [to]))).toBe(0n);
  });
});
