import { decodeErrorResult, type Hex, parseAbi, size } from 'viem';

/** The call would revert, or did: `reason` is what the contract says, as a reader wants it. */
export class CallRevertedError extends Error {
  override readonly name = 'CallRevertedError';
  readonly reason: string;
  readonly data: Hex | undefined;

  constructor(facts: { reason: string; data?: Hex | undefined }) {
    super(`The call reverts: ${facts.reason}`);
    this.reason = facts.reason;
    this.data = facts.data;
  }
}

const tooLittleToken = /exceeds balance|ERC20InsufficientBalance/;

/** True when the call reverts since the sender has less of a token than it is to send. */
export function lacksTokens({ reason }: CallRevertedError): boolean {
  return tooLittleToken.test(reason);
}

/** The sender has less of the native coin than it is to send, or to pay for gas. */
export class InsufficientNativeBalanceError extends Error {
  override readonly name = 'InsufficientNativeBalanceError';
  readonly balance: bigint;
  readonly required: bigint;

  constructor(facts: { balance: bigint; required: bigint }) {
    super(`The native balance is too low.\nHas: ${facts.balance}\nNeeds: ${facts.required}`);
    this.balance = facts.balance;
    this.required = facts.required;
  }
}

/** `Error` and `Panic` of the language, and the custom errors that tokens in use revert with. */
const knownErrors = parseAbi([
  'error Error(string message)',
  'error Panic(uint256 code)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 id)',
  'error ERC1155MissingApprovalForAll(address operator, address owner)',
  'error OwnableUnauthorizedAccount(address account)',
  'error AccessControlUnauthorizedAccount(address account, bytes32 role)',
  'error InvalidInitialization()',
  'error FailedOp(uint256 opIndex, string reason)',
  'error MemoFailed(bytes returnData)',
]);

/** Any contract chooses its data. Longer data counts as unknown, and a longer reason is cut. */
const dataBytesMax = 16_384;
const reasonCharactersMax = 1_000;
/** The memos of one call within another that a reason is looked for in. */
const memosMax = 4;

/** The data of a revert in words: the beginning of the message itself where there is one. */
export function decodeRevertReason(data: Hex): string {
  return wordsOf(data, memosMax).slice(0, reasonCharactersMax);
}

function wordsOf(data: Hex, memosLeft: number): string {
  if (data === '0x') return 'reverted without a reason';
  const isReadable = size(data) <= dataBytesMax && memosLeft >= 0;
  const error = isReadable ? decoded(data) : undefined;
  if (error === undefined) return `unknown error ${data.slice(0, 10)}`;
  if (error.errorName === 'MemoFailed') return wordsOf(error.args[0], memosLeft - 1);
  const { errorName, args = [] } = error;
  if (errorName === 'Error') return String(args[0]);
  if (errorName === 'Panic') return `Panic(0x${args[0]?.toString(16)})`;
  return `${errorName}(${args.join(', ')})`;
}

function decoded(data: Hex) {
  try {
    return decodeErrorResult({ abi: knownErrors, data });
  } catch {
    return undefined;
  }
}
