import { type Address, concat, getContractAddress, type Hex, pad, toHex, zeroHash } from 'viem';
import { networks, usualNetwork } from '../../../src/custody/networks/networks';
import { type Artifacts, precompiled, type TemplateName, templates } from './artifacts';

/** The addresses of the sandbox's contracts on its chain. */
export type Contracts = {
  usdc: Address;
  eurc: Address;
  /** The account that tells of each movement of the native coin. */
  nativeLogger: Address;
  /** Calls others in its own name, at the address that it has on most chains. */
  multicall3: Address;
  /** Payments by signature, at the address that it has on most chains. */
  permit2: Address;
  multicall3From: Address;
  memo: Address;
  entryPoint: Address;
  accountFactory: Address;
  /** The implementation that every smart account delegates to. */
  accountImplementation: Address;
  /** The implementation of upgraded accounts: the same code at another address. */
  upgradedImplementation: Address;
  paymaster: Address;
  templateFactory: Address;
  codeDeployer: Address;
  /** The implementation that the clones of each template delegate to. */
  templates: Record<TemplateName, Address>;
};

/** The addresses that the coins have on Arc testnet. */
export const stablecoinAddresses = {
  usdc: '0x3600000000000000000000000000000000000000',
  eurc: '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a',
} as const;

/** The system's account that tells of each movement of the native coin, as on Arc. */
export const nativeLogger = '0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE';

/** A precompile of the node that moves the native coin for its caller. Only USDC may call it. */
export const nativeMover = '0x00000000000000000000000000000000000000fd';

/** Arc's own precompiles. None of them works here. */
export const arcPrecompiles = networks[usualNetwork].reserved.filter(
  (address) => address !== nativeLogger.toLowerCase(),
);

/** The address of Multicall3 on most chains, Arc among them. */
export const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** The address of Permit2 on most chains, Arc among them. */
export const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

/** The contracts that Arc lets call others in the name of an account. `CallFrom.sol` has them too. */
export const callFromAddresses = networks[usualNetwork].callsFrom;

/** Turns a salt and creation code into a contract, at the same address on every chain. */
export const deterministicDeployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** The canonical address of version 0.6, since the code is the canonical one. */
export const entryPointAddress = deterministicAddress(precompiled.EntryPoint.bytecode);

/** Tells the second place of the same code from the first. */
export const upgradedSalt = toHex(1, { size: 32 });

/** Creation code of what accounts delegate to, with its only argument, the entry point. */
export function accountImplementationCode({ SmartAccount }: Artifacts): Hex {
  return concat([SmartAccount.bytecode, pad(entryPointAddress)]);
}

/** Creation code of what creates accounts, with its only argument, what they delegate to. */
export function accountFactoryCode(artifacts: Artifacts): Hex {
  const implementation = deterministicAddress(accountImplementationCode(artifacts));
  return concat([artifacts.SmartAccountFactory.bytecode, pad(implementation)]);
}

/** The implementations of the templates, at the same addresses in every sandbox. */
const templateAddresses = {
  TokenERC20: deterministicAddress(templates.TokenERC20.bytecode),
  TokenERC721: deterministicAddress(templates.TokenERC721.bytecode),
  TokenERC1155: deterministicAddress(templates.TokenERC1155.bytecode),
  Airdrop: deterministicAddress(templates.Airdrop.bytecode),
};

/**
 * All addresses. They follow from the code and, for the paymaster alone, from the deployer, who has
 * to own it. So they are known without asking the chain.
 */
export function contractAddresses(artifacts: Artifacts, deployer: Address): Contracts {
  return {
    ...stablecoinAddresses,
    nativeLogger,
    multicall3,
    permit2,
    ...callFromAddresses,
    entryPoint: entryPointAddress,
    accountFactory: deterministicAddress(accountFactoryCode(artifacts)),
    accountImplementation: deterministicAddress(accountImplementationCode(artifacts)),
    upgradedImplementation: deterministicAddress(
      accountImplementationCode(artifacts),
      upgradedSalt,
    ),
    paymaster: getContractAddress({ from: deployer, nonce: 0n }),
    templateFactory: deterministicAddress(artifacts.TemplateFactory.bytecode),
    codeDeployer: deterministicAddress(artifacts.CodeDeployer.bytecode),
    templates: templateAddresses,
  };
}

/** The address at which the deterministic deployer puts this code. */
function deterministicAddress(bytecode: Hex, salt: Hex = zeroHash): Address {
  return getContractAddress({ opcode: 'CREATE2', from: deterministicDeployer, salt, bytecode });
}
