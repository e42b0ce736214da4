import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  numberToHex,
  parseAbi,
} from 'viem';
import { entryPoint06Abi, entryPoint06Address } from 'viem/account-abstraction';
import { z } from 'zod';
import { encodeCall } from '../../../src/custody/abi/callData';
import { functionOf } from '../../../src/custody/abi/functionOf';
import { multicallFrom, paymentData } from '../../../src/custody/batch';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import { hashOf, type Ledger, type Transfer } from './ledger';
import { blockAt, blockMs, operationHash } from './records';
import { tokens } from './tokens';

const requestForm = z.object({
  id: z.unknown(),
  method: z.string(),
  params: z.array(z.unknown()).optional(),
});
const callForm = z.object({ to: z.string(), data: z.string() });

const multicallAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) returns (Result[] returnData)',
]);

/** The sender of all operations. */
const bundler = `0x${'b0'.repeat(20)}` as const;
const noMethod = -32_601;

/** Answers one JSON-RPC request, or several in a list, as a node would. */
export function answerChain(ledger: Ledger, request: object): object {
  return Array.isArray(request)
    ? request.map((one) => answerOne(ledger, one))
    : answerOne(ledger, request);
}

/**
 * The chain has settled transfers and their receipts, the heads of its blocks, and a Multicall3From
 * through which an allowance can be asked for. Its blocks hold no receipts: what proves that a
 * payment failed alone is never asked for, since every payment of the stub succeeds.
 */
function answerOne(ledger: Ledger, request: object): object {
  const { id, method, params: [first] = [] } = requestForm.parse(request);
  const answered = (result: unknown) => ({ jsonrpc: '2.0', id, result });
  switch (method) {
    case 'eth_blockNumber':
      return answered(numberToHex(blockAt(Date.now())));
    case 'eth_getBlockByNumber':
      return answered(blockOf(String(first)));
    case 'eth_getCode':
      return answered(String(first).toLowerCase() === multicallFrom.toLowerCase() ? '0xfe' : '0x');
    case 'eth_call':
      return answered(throughMulticall(callForm.parse(first)));
    case 'eth_getTransactionByHash':
      return answered(transactionOf(ledger.mined(String(first))));
    case 'eth_getTransactionReceipt':
      return answered(receiptOf(ledger.mined(String(first))));
    default: {
      const message = `The stub's chain has no ${method}.`;
      return { jsonrpc: '2.0', id, error: { code: noMethod, message } };
    }
  }
}

/** The answers of calls of a token through the contract, in the name of the caller. */
function throughMulticall({ to, data }: z.output<typeof callForm>): Hex {
  if (to.toLowerCase() !== multicallFrom.toLowerCase()) return '0x';
  const { args } = decodeFunctionData({ abi: multicallAbi, data: hex(data) });
  let allowance = 0n;
  const result = args[0].map(({ callData }) => {
    const call = decodeFunctionData({ abi: erc20Abi, data: callData });
    if (call.functionName === 'approve') {
      [, allowance] = call.args;
      return { success: true, returnData: encodeAbiParameters([{ type: 'bool' }], [true]) };
    }
    const isAllowance = call.functionName === 'allowance';
    const returnData = encodeAbiParameters([{ type: 'uint256' }], [isAllowance ? allowance : 0n]);
    return { success: isAllowance, returnData };
  });
  return encodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', result });
}

/** The head of a block, by its number or a tag. The newest one is final. */
function blockOf(name: string): object | null {
  const newest = blockAt(Date.now());
  const number = name.startsWith('0x') ? Number(name) : newest;
  if (number > newest) return null;
  return {
    number: numberToHex(number),
    hash: hashOf(String(number)),
    parentHash: hashOf(String(number - 1)),
    timestamp: numberToHex(Math.floor((number * blockMs) / 1_000)),
    transactions: [],
  };
}

function placeOf({ id, settlesAtMs }: Transfer) {
  const block = blockAt(settlesAtMs);
  return {
    blockHash: hashOf(String(block)),
    blockNumber: numberToHex(block),
    transactionIndex: '0x0',
    hash: hashOf(id),
  };
}

/** The sender and the called contract. Operations go through the entry point. */
function partiesOf({ wallet, call, tokenId }: Transfer): { from: string; to: string } {
  if (wallet.accountType === 'SCA') return { from: bundler, to: entryPoint06Address };
  return { from: wallet.address, to: call?.contractAddress ?? tokenOf(tokenId).address };
}

/** The call of an account with a key. A smart account's call stays inside its bundle, unread. */
function inputOf({ wallet, call, tokenId, payments }: Transfer): Hex {
  if (wallet.accountType === 'SCA') return '0x';
  if (call !== undefined) {
    const abi = functionOf(call.abiFunctionSignature);
    return abi === undefined ? '0x' : encodeCall(abi, call.abiParameters);
  }
  const { decimals } = tokenOf(tokenId);
  const [data = ''] = payments.map(({ to, amount }) =>
    paymentData({ to, baseUnits: `${toBaseUnits(amount, decimals)}` }),
  );
  return `0x${data}`;
}

function transactionOf(transfer: Transfer | undefined): object | null {
  if (transfer === undefined) return null;
  return {
    ...placeOf(transfer),
    ...partiesOf(transfer),
    type: '0x2',
    nonce: '0x0',
    value: '0x0',
    input: inputOf(transfer),
    gas: '0x0',
  };
}

function receiptOf(transfer: Transfer | undefined): object | null {
  if (transfer === undefined) return null;
  const { hash: transactionHash, ...place } = placeOf(transfer);
  const isOperation = transfer.wallet.accountType === 'SCA';
  const events = [...transfersOf(transfer), ...(isOperation ? [operationOf(transfer)] : [])];
  const logs = events.map((event, at) => {
    return { ...event, ...place, transactionHash, logIndex: numberToHex(at), removed: false };
  });
  return {
    ...place,
    transactionHash,
    logs,
    status: '0x1',
    type: '0x2',
    contractAddress: null,
    gasUsed: '0x0',
    cumulativeGasUsed: '0x0',
    effectiveGasPrice: '0x0',
    ...partiesOf(transfer),
  };
}

function transfersOf({ wallet, tokenId, payments }: Transfer) {
  const { address, decimals } = tokenOf(tokenId);
  return payments.map(({ to, amount }) => ({
    address,
    topics: encodeEventTopics({
      abi: erc20Abi,
      eventName: 'Transfer',
      args: { from: hex(wallet.address), to: hex(to) },
    }),
    data: numberToHex(toBaseUnits(amount, decimals), { size: 32 }),
  }));
}

/** The event with which the entry point ends a successful operation. */
function operationOf({ id, wallet }: Transfer) {
  const args = { userOpHash: operationHash(id), sender: hex(wallet.address), paymaster: bundler };
  return {
    address: entryPoint06Address,
    topics: encodeEventTopics({ abi: entryPoint06Abi, eventName: 'UserOperationEvent', args }),
    data: encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'bool' }, { type: 'uint256' }, { type: 'uint256' }],
      [0n, true, 0n, 0n],
    ),
  };
}

function tokenOf(tokenId: string): { address: string; decimals: number } {
  const token = tokens.find(({ id }) => id === tokenId);
  return { address: token?.tokenAddress ?? '', decimals: token?.decimals ?? 0 };
}

function hex(text: string): Hex {
  return `0x${text.slice(2)}`;
}
