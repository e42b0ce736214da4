import { randomBytes } from 'node:crypto';
import { encodeFunctionData, type Hex, parseUnits, toHex } from 'viem';
import { generatePrivateKey, type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { type Chain, startChain } from '../../sandbox/chain/chain';
import type { Fees } from '../../sandbox/chain/estimateCall';
import { stablecoinAbi } from '../../sandbox/chain/genesis/abi';
import { loadArtifacts } from '../../sandbox/chain/genesis/artifacts';
import { fixBaseFee } from '../../sandbox/chain/node/mineBlock';
import { signTransaction } from '../../sandbox/chain/transaction';
import { feesOf } from '../../sandbox/engine/broadcast/fees';
import { accountSalt } from '../../sandbox/engine/keys';

/** The sandbox's chain without the sandbox: the bound for a program without durability. */
export type BareChain = {
  chain: Chain;
  fees: Fees;
  /** Each owns native coin and USDC, and a smart account that owns USDC. */
  owners: LocalAccount[];
  /** Sends signed transactions in one batch, and mines a block. */
  mine(transactions: readonly Hex[]): Promise<void>;
};

const ownersCount = 50;
const mintGas = 120_000n;

/** Starts a chain and makes its 50 owners rich. */
export async function startBareChain(cacheFolder: string): Promise<BareChain> {
  const artifacts = await loadArtifacts(cacheFolder);
  const chain = await startChain({ seed: toHex(randomBytes(32)), artifacts });
  const owners = Array.from({ length: ownersCount }, () =>
    privateKeyToAccount(generatePrivateKey()),
  );
  const fees = feesOf('MEDIUM', chain.baseFeePerGas);
  const mine: BareChain['mine'] = async (transactions) => {
    await sendBatch(chain, transactions);
    await chain.ask([{ method: 'evm_mine', params: [] }]);
  };
  for (const { address } of owners) {
    const params = [address, toHex(parseUnits('1000', 18))];
    await chain.ask([{ method: 'anvil_setBalance', params }]);
  }
  const rich = owners.flatMap(({ address }) => [
    address,
    chain.accountAddress(address, accountSalt),
  ]);
  await mine(await Promise.all(rich.map((to, nonce) => signMint(chain, { to, nonce, fees }))));
  return { chain, fees, owners, mine };
}

async function signMint(
  chain: Chain,
  { to, nonce, fees }: { to: Hex; nonce: number; fees: Fees },
): Promise<Hex> {
  const account = chain.operators.faucet;
  const args = [to, parseUnits('1000', 6)] as const;
  const data = encodeFunctionData({ abi: stablecoinAbi, functionName: 'mint', args });
  const call = { to: chain.contracts.usdc, value: 0n, data };
  return (await signTransaction(chain, { account, call, nonce, gas: mintGas, fees })).transaction;
}

async function sendBatch(chain: Chain, transactions: readonly Hex[]): Promise<void> {
  const calls = [
    fixBaseFee(chain),
    ...transactions.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })),
  ];
  const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  const text = JSON.stringify(await chain.relay(body));
  if (text.includes('"error"')) throw new Error(`The node refused: ${text.slice(0, 500)}`);
}
