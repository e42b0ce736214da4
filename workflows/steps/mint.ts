import { ApplicationFailure } from '@temporalio/workflow';
import type { ViewCall } from '../../activities/contracts';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { MintReceipt } from '../../src/orders/mint';
import { mintOf } from '../../src/orders/progress/doing';
import type { LiveOrder } from '../order/liveOrder';
import { readSurely } from '../order/read';
import { finished } from '../order/show';
import { pause } from '../order/wait';
import { settleDelayMs } from '../write/delays';
import { type Execution, execute } from './execute';
import { readBefore } from './readBefore';

export type Mint = {
  wallet: { walletId: string; address: string };
  contractAddress: string;
  to: string;
  /** In the token's own units. */
  amount: string;
  feeLevel: FeeLevel;
};

/** Mints an amount of a fungible token. Returns the supply once the mint has settled. */
export async function mint(live: LiveOrder, ordered: Mint): Promise<MintReceipt> {
  const { contractAddress, to, amount } = ordered;
  const { blockchain } = live.opened;
  const number = (signature: string) => ({ address: contractAddress, blockchain, signature });
  const decimals = Number(await readBefore(live, number('decimals()')));
  const before = await readBefore(live, number('totalSupply()'));
  let after = before;
  const settlement = await execute(live, {
    ...minting(ordered, baseUnits(amount, decimals).toString()),
    afterwards: async () => {
      // The supply that was read before may include the mint of an earlier run.
      const isOurs = live.carried.writes['mint/1']?.isFound !== true;
      const least = BigInt(before) + (isOurs ? baseUnits(amount, decimals) : 0n);
      after = await supplyOf(live, { ...number('totalSupply()'), least });
      finished(live, `supply of ${contractAddress}: ${inUnits(after, decimals)}`);
    },
  });
  return {
    ...settlement,
    contractAddress,
    to,
    amount,
    supply: { before: inUnits(before, decimals), after: inUnits(after, decimals) },
  };
}

/** Number of polls until the supply is accepted as it is. Something may have been burnt. */
const looksUntilTaken = 5;

/**
 * The supply once it shows the mint. The mint has settled, so no fault of this read may change the
 * order's end.
 */
async function supplyOf(live: LiveOrder, wanted: ViewCall & { least: bigint }): Promise<string> {
  const { least, ...number } = wanted;
  for (let look = 1; ; look++) {
    const supply = await readSurely(live, `supply of ${number.address} after the mint`, (from) =>
      from.readNumber(number),
    );
    if (BigInt(supply) >= least || look === looksUntilTaken) return supply;
    await pause(live, settleDelayMs(look), `until the supply of ${number.address} shows the mint`);
  }
}

function minting(ordered: Mint, units: string): Execution {
  const { wallet, contractAddress, to, amount, feeLevel } = ordered;
  return {
    step: 'mint',
    doing: mintOf(amount, to),
    wallet,
    feeLevel,
    call: {
      contractAddress,
      abiFunctionSignature: 'mintTo(address,uint256)',
      abiParameters: [to, units],
    },
    effect: { kind: 'mint', contractAddress, to, baseUnits: units },
  };
}

function inUnits(baseUnits: string, decimals: number): string {
  return fromBaseUnits(BigInt(baseUnits), decimals);
}

function baseUnits(amount: string, decimals: number): bigint {
  try {
    return toBaseUnits(amount, decimals);
  } catch (error) {
    const message = `amount: ${error instanceof Error ? error.message : error}`;
    throw ApplicationFailure.nonRetryable(message, 'Refused');
  }
}
