import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A contract to compile: the key of its source and its name in there. */
type ContractSource = { source: string; name: string };

/** Our own Solidity has this prefix as a source key. Everything else is a path in a package. */
const ownPrefix = 'steadfast/';
const ownFolder = join(__dirname, '..', '..', 'contracts');

/**
 * The contracts to compile: our own, and the one that our factory creates. All others come compiled
 * in their packages.
 */
export const contractSources = [
  { source: `${ownPrefix}CodeDeployer.sol`, name: 'CodeDeployer' },
  { source: `${ownPrefix}Memo.sol`, name: 'Memo' },
  { source: `${ownPrefix}Multicall3.sol`, name: 'Multicall3' },
  { source: `${ownPrefix}Multicall3From.sol`, name: 'Multicall3From' },
  { source: `${ownPrefix}SmartAccount.sol`, name: 'SmartAccount' },
  { source: `${ownPrefix}SmartAccountFactory.sol`, name: 'SmartAccountFactory' },
  { source: '@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol', name: 'ERC1967Proxy' },
  { source: `${ownPrefix}NativeCoin.sol`, name: 'NativeLogger' },
  { source: `${ownPrefix}NativeStablecoin.sol`, name: 'NativeStablecoin' },
  { source: `${ownPrefix}permit2/Permit2.sol`, name: 'Permit2' },
  { source: `${ownPrefix}Stablecoin.sol`, name: 'Stablecoin' },
  { source: `${ownPrefix}TemplateFactory.sol`, name: 'TemplateFactory' },
] as const satisfies readonly ContractSource[];

/** Our own Solidity that the others import, and that is no contract by itself. */
export const importedSources = [
  `${ownPrefix}BlockList.sol`,
  `${ownPrefix}CallFrom.sol`,
  `${ownPrefix}Multicall.sol`,
  `${ownPrefix}SignedTransfers.sol`,
  `${ownPrefix}permit2/AllowanceTransfer.sol`,
  `${ownPrefix}permit2/PermitSigner.sol`,
];

/** Packages that Solidity is read from. With their versions they stand for all of their files. */
export const sourcePackages = ['@openzeppelin/contracts', '@openzeppelin/contracts-upgradeable'];

/** The text of a source by its key, from our folder or from the package that the key names. */
export function readSource(key: string): string {
  if (key.startsWith(ownPrefix)) {
    return readFileSync(join(ownFolder, key.slice(ownPrefix.length)), 'utf8');
  }
  const packageName = key.split('/').slice(0, 2).join('/');
  return readFileSync(join(packageFolder(packageName), key.slice(packageName.length + 1)), 'utf8');
}

/**
 * The folder of an installed package, found as Node finds it, but without regard to its `exports`.
 */
export function packageFolder(packageName: string): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', packageName);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) {
      throw new Error(`The package ${packageName} is not installed: run npm ci.`);
    }
  }
}
