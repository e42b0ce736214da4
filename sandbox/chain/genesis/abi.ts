import { parseAbi } from 'viem';

/** The smart account of a wallet. */
export const accountAbi = parseAbi([
  'function initialize(address owner)',
  'function execute(address to, uint256 value, bytes data)',
  'function executeBatch((address to, uint256 value, bytes data)[] calls)',
]);

/** Creates smart accounts at addresses that are known before. */
export const accountFactoryAbi = parseAbi([
  'function createAccount(address owner, uint256 salt) returns (address)',
  'function getAddress(address owner, uint256 salt) view returns (address)',
]);

/** Pays for user operations that its signer has agreed to. */
export const paymasterAbi = parseAbi([
  'constructor(address entryPoint, address verifyingSigner)',
  'function deposit() payable',
  'function addStake(uint32 unstakeDelayS) payable',
  'function getDeposit() view returns (uint256)',
  'function senderNonce(address sender) view returns (uint256)',
]);

/** Beyond the ERC-20 functions. */
export const stablecoinAbi = parseAbi([
  'function initialize(string name, string symbol, address owner)',
  'function mint(address to, uint256 amount)',
]);
