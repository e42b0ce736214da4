import { ApplicationFailure } from '@temporalio/workflow';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/amount';
import type { FeeLevel } from '../../src/custody/transaction';
import type { DeployReceipt } from '../../src/orders/deploy';
import type { MintReceipt } from '../../src/orders/mint';
import { reads, writes } from '../custody';
import { finished, type Run } from '../run';
import { settle } from '../settle';
import { once, write } from '../write';

export type Mint = {
  wallet: { walletId: string; address: string };
  contractAddress: string;
  to: string;
  /** In the token's own units. */
  amount: string;
  feeLevel: FeeLevel;
};

/**
 * Mints an amount of a fungible token, and returns once it has settled, with the supply it led to.
 */
export async function mint(run: Run, ordered: Mint): Promise<MintReceipt> {
  const { wallet, contractAddress, to, amount, feeLevel } = ordered;
  const { blockchain } = run.opened;
  const token = { run, address: contractAddress };
  const decimals = Number(await readNumber(token, 'decimals()'));
  const before = await readNumber(token, 'totalSupply()');
  const call = {
    contractAddress,
    abiFunctionSignature: 'mintTo(address,uint256)',
    abiParameters: [to, baseUnits(amount, decimals).toString()],
  };
  const doing = `mint of ${amount} to ${to}`;
  const accepted = await write(run, { step: 'mint', item: '1', doing }, (identity) =>
    writes(`request the ${doing}`).executeContract({
      ...identity,
      walletId: wallet.walletId,
      ...call,
      feeLevel,
    }),
  );
  finished(run, `${doing}: accepted as ${accepted.transactionId}`);
  const expected = { blockchain, walletId: wallet.walletId, ...call };
  const settlement = await settle(run, { doing, accepted, expected });
  const after = await readNumber(token, 'totalSupply()', 'totalSupply() after the mint');
  return {
    ...settlement,
    contractAddress,
    to,
    amount,
    supply: { before: fromBaseUnits(before, decimals), after: fromBaseUnits(after, decimals) },
  };
}

/** Adds the initial supply to a deployment, where the order asks for one. */
export async function mintSupply(
  run: Run,
  deployed: DeployReceipt,
  ordered: {
    wallet: { walletId: string; address: string };
    mint?: { to?: string | undefined; amount: string } | undefined;
    feeLevel: FeeLevel;
  },
): Promise<DeployReceipt> {
  const { wallet, feeLevel } = ordered;
  if (ordered.mint === undefined) return deployed;
  const { amount, to = wallet.address } = ordered.mint;
  const { contractAddress } = deployed;
  const minted = await mint(run, { wallet, contractAddress, to, amount, feeLevel });
  return { ...deployed, supply: { ...minted.supply, mintTxHash: minted.txHash } };
}

/** A view function's single number; read once, so that a continued run goes on with the same. */
async function readNumber(
  token: { run: Run; address: string },
  signature: string,
  path = signature,
): Promise<bigint> {
  const { run, address } = token;
  const data = await once(run, `${address} ${path}`, () =>
    reads(`${path} of ${address}`).queryContract({
      address,
      blockchain: run.opened.blockchain,
      abiFunctionSignature: signature,
      abiParameters: [],
    }),
  );
  return BigInt(data);
}

function baseUnits(amount: string, decimals: number): bigint {
  try {
    return toBaseUnits(amount, decimals);
  } catch (error) {
    const message = `amount: ${error instanceof Error ? error.message : error}`;
    throw ApplicationFailure.nonRetryable(message, 'Refused');
  }
}
