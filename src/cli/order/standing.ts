import { BadOrderError, type OrderStatus, type Steadfast } from '../../client/client';
import type { Call } from '../call';
import type { TakenOrder } from './takeOrder';

/** The state of an order that may have been started before. Undefined for one that was not. */
export async function standingOf(
  steadfast: Steadfast,
  id: string,
): Promise<OrderStatus | undefined> {
  try {
    return await steadfast.status(id);
  } catch (error) {
    if (error instanceof BadOrderError) return undefined;
    throw error;
  }
}

/**
 * True if exactly this order, which was given no id, is under way or was carried out before. That
 * is told. To go on with it pays nothing more, so that nothing is asked.
 */
export async function isRepeat(
  { id, isNamedByContent }: Pick<TakenOrder, 'id' | 'isNamedByContent'>,
  { connect, voice }: Call,
): Promise<boolean> {
  if (!isNamedByContent) return false;
  const { steadfast } = await connect();
  const standing = (await standingOf(steadfast, id))?.execution;
  if (standing !== 'RUNNING' && standing !== 'COMPLETED') return false;
  const before = standing === 'RUNNING' ? 'is under way already' : 'was carried out before';
  voice.note(`Exactly this order ${before}, as ${id}. It is not carried out twice. ${another}`);
  return true;
}

const another = 'For a second one, say so with an --id of your own.';
