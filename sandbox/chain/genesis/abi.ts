import { erc20Abi, parseAbi } from 'viem';

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

/** A coin, as everybody may use it. */
export const coinAbi = [
  ...erc20Abi,
  ...parseAbi([
    'function isBlacklisted(address account) view returns (bool)',
    'event Blacklisted(address indexed account)',
    'event UnBlacklisted(address indexed account)',
  ]),
] as const;

/** Functions of a coin for its owner, the faucet, alone. */
export const stablecoinAbi = parseAbi([
  'function initialize(string name, string symbol, address owner)',
  'function mint(address to, uint256 amount)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
]);
