import {
  type Address,
  concat,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  parseEther,
  toHex,
  zeroHash,
} from 'viem';
import type { NodeCall } from '../node/callNode';
import type { Operators } from '../node/operators';
import { paymasterAbi, stablecoinAbi } from './abi';
import { type Artifacts, revertingCode, templates } from './artifacts';
import {
  accountFactoryCode,
  accountImplementationCode,
  arcPrecompiles,
  type Contracts,
  deterministicDeployer,
  upgradedSalt,
} from './contracts';

export type GenesisOptions = {
  artifacts: Artifacts;
  contracts: Contracts;
  operators: Operators;
  chainId: number;
  baseFeePerGas: bigint;
};

const operatorBalance = parseEther('1000000000000');
const paymasterDeposit = parseEther('100000000000');
const paymasterStake = parseEther('100');
const unstakeDelayS = 86_400;

/**
 * The state before the first block: balances of the operators, and code at the addresses that
 * contracts have on Arc.
 */
export function genesisState(options: GenesisOptions): NodeCall[] {
  const { artifacts, contracts, operators } = options;
  const { Stablecoin, NativeStablecoin, NativeLogger, Memo } = artifacts;
  const { Multicall3, Multicall3From, Permit2 } = artifacts;
  const balance = toHex(operatorBalance);
  return [
    ...Object.values(operators).map(({ address }) => ({
      method: 'anvil_setBalance',
      params: [address, balance],
    })),
    ...[
      { at: contracts.usdc, code: NativeStablecoin },
      { at: contracts.eurc, code: Stablecoin },
      { at: contracts.nativeLogger, code: NativeLogger },
      { at: contracts.multicall3, code: Multicall3 },
      { at: contracts.permit2, code: Permit2 },
      { at: contracts.multicall3From, code: Multicall3From },
      { at: contracts.memo, code: Memo },
    ].map(({ at, code }) => ({ method: 'anvil_setCode', params: [at, code.deployedBytecode] })),
    // No call of what is not there may look like a success.
    ...arcPrecompiles.map((at) => ({ method: 'anvil_setCode', params: [at, revertingCode] })),
  ];
}

type GenesisStep = { to?: Address; data: Hex; value?: bigint; gas: bigint };

/** The first block: every contract put on the chain and made ready, in signed transactions. */
export async function genesisTransactions(options: GenesisOptions): Promise<Hex[]> {
  const { deployer } = options.operators;
  return Promise.all(
    genesisSteps(options).map((step, nonce) =>
      deployer.signTransaction({
        type: 'eip1559',
        chainId: options.chainId,
        nonce,
        maxFeePerGas: options.baseFeePerGas,
        maxPriorityFeePerGas: 0n,
        ...step,
      }),
    ),
  );
}

/** Enough for the largest contract. Not all would fit, but a block counts the gas that is used. */
const deploymentGas = 6_000_000n;
/** Enough for any other step, and little enough for what the contracts leave of the block. */
const callGas = 300_000n;

function genesisSteps({ artifacts, contracts, operators }: GenesisOptions): GenesisStep[] {
  const faucet = operators.faucet.address;
  return [
    {
      // First of all, because its address follows from the nonce.
      data: encodeDeployData({
        abi: paymasterAbi,
        bytecode: artifacts.VerifyingPaymaster.bytecode,
        args: [contracts.entryPoint, operators.paymasterSigner.address],
      }),
      gas: deploymentGas,
    },
    deterministicDeployment(artifacts.EntryPoint.bytecode),
    deterministicDeployment(accountImplementationCode(artifacts)),
    deterministicDeployment(accountImplementationCode(artifacts), upgradedSalt),
    deterministicDeployment(accountFactoryCode(artifacts)),
    deterministicDeployment(artifacts.TemplateFactory.bytecode),
    deterministicDeployment(artifacts.CodeDeployer.bytecode),
    ...Object.values(templates).map(({ bytecode }) => deterministicDeployment(bytecode)),
    {
      to: contracts.paymaster,
      data: encodeFunctionData({ abi: paymasterAbi, functionName: 'deposit' }),
      value: paymasterDeposit,
      gas: callGas,
    },
    {
      to: contracts.paymaster,
      data: encodeFunctionData({
        abi: paymasterAbi,
        functionName: 'addStake',
        args: [unstakeDelayS],
      }),
      value: paymasterStake,
      gas: callGas,
    },
    initialization(contracts.usdc, ['USDC', 'USDC', faucet]),
    initialization(contracts.eurc, ['EURC', 'EURC', faucet]),
  ];
}

function deterministicDeployment(bytecode: Hex, salt: Hex = zeroHash): GenesisStep {
  return { to: deterministicDeployer, data: concat([salt, bytecode]), gas: deploymentGas };
}

function initialization(coin: Address, args: [string, string, Address]): GenesisStep {
  return {
    to: coin,
    data: encodeFunctionData({ abi: stablecoinAbi, functionName: 'initialize', args }),
    gas: callGas,
  };
}
