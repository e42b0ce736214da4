import { encodeFunctionData, erc20Abi, type Hex, keccak256, toHex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import {
  type SignedUserOperation,
  signUserOperation,
} from '../../../../sandbox/chain/account/userOperation';
import type { Chain } from '../../../../sandbox/chain/chain';
import type { WalletCall } from '../../../../sandbox/chain/estimateCall';
import { templates } from '../../../../sandbox/chain/genesis/artifacts';
import { predictClone, templateFactoryAbi } from '../../../../sandbox/chain/genesis/template';
import { account, fees, mineOperations, startTestChain } from '../testChain';

let chain: Chain;
beforeAll(async () => {
  chain = await startTestChain();
});

const sign = (owner: LocalAccount, call: WalletCall) =>
  signUserOperation(chain, { owner, salt: 0n, call, fees });
const mineBundle = (signed: SignedUserOperation[]) => mineOperations(chain, signed);

describe('a template', () => {
  const owner = account(50);
  const [admin, sales, fee, forwarder] = [51, 52, 53, 54].map((one) => account(one).address);

  const deployCall = (options: { salt: Hex; feeBasisPoints?: bigint }): WalletCall => {
    const initializer = encodeFunctionData({
      abi: templates.TokenERC20.abi,
      functionName: 'initialize',
      args: [
        admin,
        'Steadfast Points',
        'SFP',
        'ipfs://points',
        [forwarder],
        sales,
        fee,
        options.feeBasisPoints ?? 250n,
      ],
    });
    const data = encodeFunctionData({
      abi: templateFactoryAbi,
      functionName: 'deploy',
      args: [chain.contracts.templates.TokenERC20, initializer, options.salt],
    });
    return { to: chain.contracts.templateFactory, value: 0n, data };
  };

  it('is deployed by a smart account, at the predicted address, as it was told', async () => {
    const salt = keccak256(toHex('first'));
    const outcomes = await mineBundle([await sign(owner, deployCall({ salt }))]);
    expect(outcomes).toMatchObject([{ success: true }]);
    const implementation = chain.contracts.templates.TokenERC20;
    const address = predictClone(chain.contracts, { implementation, salt });
    const read = (functionName: string, args: unknown[] = []) =>
      chain.client.readContract({ address, abi: templates.TokenERC20.abi, functionName, args });
    expect(await read('name')).toBe('Steadfast Points');
    expect(await read('symbol')).toBe('SFP');
    expect(await read('contractURI')).toBe('ipfs://points');
    expect(await read('primarySaleRecipient')).toBe(sales);
    expect(await read('getPlatformFeeInfo')).toEqual([fee, 250]);
    expect(await read('isTrustedForwarder', [forwarder])).toBe(true);
    expect(await read('hasRole', [toHex(0, { size: 32 }), admin])).toBe(true);
    expect(
      await chain.client.readContract({
        address: chain.contracts.templateFactory,
        abi: templateFactoryAbi,
        functionName: 'predict',
        args: [implementation, salt],
      }),
    ).toBe(address);
  });

  it('is minted by its admin, and by nobody else', async () => {
    const salt = keccak256(toHex('minted'));
    await mineBundle([await sign(owner, deployCall({ salt }))]);
    const implementation = chain.contracts.templates.TokenERC20;
    const token = predictClone(chain.contracts, { implementation, salt });
    const data = encodeFunctionData({
      abi: templates.TokenERC20.abi,
      functionName: 'mintTo',
      args: [sales, 5n],
    });
    await expect(sign(owner, { to: token, value: 0n, data })).rejects.toMatchObject({
      reason: 'not minter.',
    });
    const supply = { address: token, abi: erc20Abi, functionName: 'totalSupply' } as const;
    expect(await chain.client.readContract(supply)).toBe(0n);
  });

  it('is refused with the words of its initializer, or when it is there already', async () => {
    const call = deployCall({ salt: keccak256(toHex('refused')), feeBasisPoints: 10_001n });
    await expect(sign(owner, call)).rejects.toMatchObject({ reason: 'exceeds MAX_BPS' });
    const twice = deployCall({ salt: keccak256(toHex('twice')) });
    await mineBundle([await sign(owner, twice)]);
    await expect(sign(owner, twice)).rejects.toMatchObject({ reason: 'ERC1167: create2 failed' });
  });
});
