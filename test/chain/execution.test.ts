import {
  decodeFunctionData,
  encodeFunctionData,
  getAbiItem,
  getAddress,
  type Hex,
  parseAbi,
  toEventSelector,
} from 'viem';
import { entryPoint06Abi } from 'viem/account-abstraction';
import { type Mined, operationExecution } from '../../src/chain/execution';
import { setUp } from '../support/jest/setUp';
import { inSandbox, transferOf } from '../support/sandbox';
import { someone } from '../support/stages';

const half = 5n * 10n ** 17n;
const modularAbi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'function executeBatch(Call[] calls)',
]);

let to: string;
let mined: Mined;
const sandbox = inSandbox();
const from = setUp(() => sandbox.usedWallet());
beforeAll(async () => {
  to = someone();
  const order = transferOf(from, to, { tokenAddress: '', amounts: ['0.5'] });
  const { id } = await sandbox.client.createTransfer(order);
  const hash = (await sandbox.settled(id)).txHash as Hex;
  const { client } = sandbox.chain;
  mined = {
    transaction: await client.getTransaction({ hash }),
    receipt: await client.getTransactionReceipt({ hash }),
  };
});

/** The same bundle, had its one operation been told in another way what to call. */
function calling(callData: Hex): Mined {
  const { transaction, receipt } = mined;
  const bundle = decodeFunctionData({ abi: entryPoint06Abi, data: transaction.input });
  if (bundle.functionName !== 'handleOps') throw new Error('It is no bundle.');
  const [operations, beneficiary] = bundle.args;
  const told = operations.map((operation) => ({ ...operation, callData }));
  const { functionName } = bundle;
  const input = encodeFunctionData({
    abi: entryPoint06Abi,
    functionName,
    args: [told, beneficiary],
  });
  return { transaction: { ...transaction, input }, receipt };
}

function calls(bundle: Mined) {
  const execution = operationExecution(bundle, { sender: from.address });
  return typeof execution === 'string' ? execution : execution.calls;
}

describe('the calls of a user operation', () => {
  it('are read from its bundle', () => {
    expect(calls(mined)).toEqual([{ to: getAddress(to), value: half, data: '0x' }]);
  });

  it('are read where an account makes several at a time', () => {
    const several = [
      { to: getAddress(someone()), value: 1n, data: '0x' },
      { to: getAddress(someone()), value: 2n, data: '0x12' },
    ] as const;
    const callData = encodeFunctionData({
      abi: modularAbi,
      args: [several.map(({ to: target, ...call }) => ({ target, ...call }))],
    });
    expect(calls(calling(callData))).toMatchObject(several);
  });

  it('are none where it only takes a nonce', () => {
    expect(calls(calling('0x'))).toEqual([]);
  });

  it('are not known where the account has a way of its own, or the bundler has', () => {
    expect(calls(calling('0x12345678'))).toBeUndefined();
    const { transaction, receipt } = mined;
    const elsewhere = { ...transaction, to: getAddress(someone()) };
    expect(calls({ transaction: elsewhere, receipt })).toBeUndefined();
    const other = { ...transaction, input: '0x12345678' as const };
    expect(calls({ transaction: other, receipt })).toBeUndefined();
  });
});

describe('two user operations of one sender in one bundle', () => {
  it('are told apart by their hashes alone', () => {
    const { transaction, receipt } = mined;
    const otherHash: Hex = `0x${'ab'.repeat(32)}`;
    const again = receipt.logs.map((log) => {
      const [event, hash, ...rest] = log.topics;
      const isEnd = event === toEventSelector(userOperationEvent) && hash !== undefined;
      return isEnd ? { ...log, topics: [event, otherHash, ...rest] as typeof log.topics } : log;
    });
    const twice = { transaction, receipt: { ...receipt, logs: [...receipt.logs, ...again] } };
    const { address: sender } = from;
    expect(operationExecution(twice, { sender })).toMatch(
      /carries 2 user operations of 0x\w+, and without a userOpHash nobody can tell/,
    );
    expect(operationExecution(twice, { sender, userOpHash: otherHash })).toMatchObject({
      sender,
      success: true,
    });
  });
});

const userOperationEvent = getAbiItem({ abi: entryPoint06Abi, name: 'UserOperationEvent' });
