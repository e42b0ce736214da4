import { isThere } from '../../client/find/shortName';
import { workflowIdOf } from '../../orders/input/orderId';
import type { Call } from '../call';
import { InputError } from '../exit';
import type { TakenOrder } from './takeOrder';

/**
 * Refuses the id "order-1001" of a new order where "transfer:order-1001" is there. Commands read
 * the short id as the full one, and a second order would pay again.
 */
export async function refuseNamesake(
  { id, namesake }: Pick<TakenOrder, 'id' | 'namesake'>,
  { connect }: Call,
): Promise<void> {
  if (namesake === undefined) return;
  const { client, config } = await connect();
  const isKnown = (one: string) => isThere(client, workflowIdOf(one, config.keyScope));
  if (!(await isKnown(namesake)) || (await isKnown(id))) return;
  throw new InputError(`--id: ${namesake} is there. Give its id in full, or another one.`);
}
