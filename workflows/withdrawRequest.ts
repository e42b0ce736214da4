import { setCurrentDetails } from '@temporalio/workflow';
import type { KeptWithdrawal, Signed } from '../src/orders/input/signed';
import { handsToWriter, refusal, thrownBy } from './order/activities';

/**
 * Hands a signed withdrawal to a writer, however long none is there. Its order may be over, or may
 * never have been started. Returns nothing where the writer has no policy.
 */
export async function withdrawRequest(signed: Signed): Promise<KeptWithdrawal | undefined> {
  try {
    const kept = await handsToWriter('keep the withdrawal').keepWithdrawal(signed);
    const words = kept && `${kept.person} has withdrawn what was signed for ${kept.order}`;
    setCurrentDetails(`**Done**: ${words ?? 'nothing is kept, since the writer has no policy'}.`);
    return kept;
  } catch (error) {
    const cause = thrownBy(error);
    if (cause === undefined) throw error;
    setCurrentDetails(`**Refused**: ${cause.message}`);
    throw refusal(cause.message);
  }
}
