import { toBaseUnits } from '../../custody/objects/amount';
import { plain } from '../judge';
import { type Limit, policyDecimals } from './policy';

type MaxFee = NonNullable<Limit['maxFee']>;

/**
 * The largest sum of fees of a rule that gives none, where no window counts them. The service lets
 * no transaction cost more than one coin.
 */
export const usualFee = toBaseUnits('10', policyDecimals);

/** Tells that a rule has no number for its fees. */
export function usualFeeWords({ amount, hours }: Pick<MaxFee, 'amount' | 'hours'>): string {
  const most = `${plain(amount)} in ${hours} hours`;
  return `no number of it bounds the fees, so they are at most ${most}. Give maxFeePerWindow.`;
}
