import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { entryPoint06Abi, getUserOperationHash } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import { signBundle } from '../../sandbox/chain/account/bundle';
import type { UserOperation } from '../../sandbox/chain/account/operation';
import { sponsor } from '../../sandbox/chain/account/sponsor';
import { creationCode } from '../../sandbox/chain/account/userOperation';
import { accountAbi, paymasterAbi } from '../../sandbox/chain/genesis/abi';
import { accountSalt } from '../../sandbox/engine/keys';
import type { BareChain } from './bareChain';
import { freshAddress, requireTransfers } from './oracle';

const turns = 20;
/** Two bundles make a block. */
const perBundle = 25;

/**
 * Measures transfers of USDC per second as operations of 50 smart accounts, 25 in a bundle. The
 * paymaster signs before, the owners sign inline.
 */
export async function bundledTransfersPerS(bare: BareChain): Promise<number> {
  const { chain, owners, mine } = bare;
  await mine(await bundle(bare, await sponsored(bare, { to: freshAddress(), turns: 1 })));
  const to = freshAddress();
  const operations = await sponsored(bare, { to, turns });
  const start = performance.now();
  for (let first = 0; first < operations.length; first += owners.length) {
    await mine(await bundle(bare, operations.slice(first, first + owners.length)));
  }
  const ms = performance.now() - start;
  await requireTransfers(chain.client, { to, count: operations.length });
  return (operations.length * 1_000) / ms;
}

type Sponsored = { owner: LocalAccount; operation: UserOperation };

/** Makes operations that lack only the owners' signatures, one of each owner in turn. */
async function sponsored(
  bare: BareChain,
  { to, turns: count }: { to: Hex; turns: number },
): Promise<Sponsored[]> {
  const accounts = await Promise.all(bare.owners.map((owner) => readAccount(bare, owner)));
  const operations: Sponsored[] = [];
  for (let turn = 0n; turn < count; turn += 1n) {
    for (const account of accounts) {
      const unsigned = operationOf(bare, { account, turn, to });
      const paymasterNonce = account.paymasterNonce + turn;
      const agreed = { userOperation: unsigned, paymasterNonce };
      const paymasterAndData = await sponsor(bare.chain, agreed);
      operations.push({ owner: account.owner, operation: { ...unsigned, paymasterAndData } });
    }
  }
  return operations;
}

type Account = { owner: LocalAccount; nonce: bigint; paymasterNonce: bigint; initCode: Hex };

async function readAccount({ chain }: BareChain, owner: LocalAccount): Promise<Account> {
  const sender = chain.accountAddress(owner.address, accountSalt);
  const { entryPoint, paymaster } = chain.contracts;
  const [code, nonce, paymasterNonce] = await Promise.all([
    chain.client.getCode({ address: sender }),
    chain.client.readContract({
      address: entryPoint,
      abi: entryPoint06Abi,
      functionName: 'getNonce',
      args: [sender, 0n],
    }),
    chain.client.readContract({
      address: paymaster,
      abi: paymasterAbi,
      functionName: 'senderNonce',
      args: [sender],
    }),
  ]);
  const account = { owner: owner.address, salt: accountSalt };
  const initCode = code === undefined ? creationCode(chain, account) : '0x';
  return { owner, nonce, paymasterNonce, initCode };
}

function operationOf(
  { chain, fees }: BareChain,
  { account, turn, to }: { account: Account; turn: bigint; to: Hex },
): UserOperation {
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] });
  const execution = [chain.contracts.usdc, 0n, transfer] as const;
  return {
    sender: chain.accountAddress(account.owner.address, accountSalt),
    nonce: account.nonce + turn,
    initCode: account.initCode,
    callData: encodeFunctionData({ abi: accountAbi, functionName: 'execute', args: execution }),
    callGasLimit: 120_000n,
    verificationGasLimit: account.initCode === '0x' ? 150_000n : 450_000n,
    preVerificationGas: 48_000n,
    ...fees,
    paymasterAndData: '0x',
    signature: '0x',
  };
}

/** Signs the operations, and the transactions of the bundler that carry them. */
async function bundle(bare: BareChain, sponsoredOnes: readonly Sponsored[]): Promise<Hex[]> {
  const { chain, fees } = bare;
  const first = await chain.client.getTransactionCount({
    address: chain.operators.bundler.address,
  });
  const transactions: Hex[] = [];
  for (let start = 0; start < sponsoredOnes.length; start += perBundle) {
    const userOperations: UserOperation[] = [];
    for (const one of sponsoredOnes.slice(start, start + perBundle)) {
      userOperations.push(await sign(bare, one));
    }
    const nonce = first + transactions.length;
    transactions.push((await signBundle(chain, { userOperations, nonce, fees })).transaction);
  }
  return transactions;
}

async function sign({ chain }: BareChain, { owner, operation }: Sponsored): Promise<UserOperation> {
  const raw = getUserOperationHash({
    chainId: chain.chainId,
    entryPointAddress: chain.contracts.entryPoint,
    entryPointVersion: '0.6',
    userOperation: operation,
  });
  return { ...operation, signature: await owner.signMessage({ message: { raw } }) };
}
