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
  'function implementation() view returns (address)',
]);

/** Pays for user operations that its signer has agreed to. */
export const paymasterAbi = parseAbi([
  'constructor(address entryPoint, address verifyingSigner)',
  'function deposit() payable',
  'function addStake(uint32 unstakeDelayS) payable',
  'function getDeposit() view returns (uint256)',
  'function senderNonce(address sender) view returns (uint256)',
]);

/** Arc's contract that calls several others in the name of an account. */
export const multicall3FromAbi = parseAbi([
  'struct Call { address target; bytes callData; }',
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate(Call[] calls) returns (uint256 blockNumber, bytes[] returnData)',
  'function aggregate3(Call3[] calls) returns (Result[] returnData)',
  'function tryAggregate(bool requireSuccess, Call[] calls) returns (Result[] returnData)',
  'function blockAndAggregate(Call[] calls) returns (uint256 blockNumber, bytes32 blockHash, Result[] returnData)',
  'function tryBlockAndAggregate(bool requireSuccess, Call[] calls) returns (uint256 blockNumber, bytes32 blockHash, Result[] returnData)',
  'function getBlockHash(uint256 blockNumber) view returns (bytes32 blockHash)',
  'function getBlockNumber() view returns (uint256 blockNumber)',
  'function getCurrentBlockCoinbase() view returns (address coinbase)',
  'function getCurrentBlockDifficulty() view returns (uint256 difficulty)',
  'function getCurrentBlockGasLimit() view returns (uint256 gaslimit)',
  'function getCurrentBlockTimestamp() view returns (uint256 timestamp)',
  'function getEthBalance(address addr) view returns (uint256 balance)',
  'function getLastBlockHash() view returns (bytes32 blockHash)',
  'function getBasefee() view returns (uint256 basefee)',
  'function getChainId() view returns (uint256 chainid)',
]);

/** Arc's contract that attaches a memo to a call of an account. */
export const memoAbi = parseAbi([
  'function memo(address target, bytes data, bytes32 memoId, bytes memoData)',
  'function memoIndex() view returns (uint256)',
  'event BeforeMemo(uint256 indexed memoIndex)',
  'event Memo(address indexed sender, address indexed target, bytes32 callDataHash, bytes32 indexed memoId, bytes memo, uint256 memoIndex)',
  'error MemoFailed(bytes returnData)',
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
