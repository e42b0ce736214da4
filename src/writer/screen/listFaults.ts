import type { Screen } from '../file/policy';
import { addressList } from './addressList';

/** Any address will do: a list that cannot be used has no verdict about any. */
const anyAddress = `0x${'0'.repeat(40)}`;

/** The lists of a policy that cannot be used now, and why. Nothing is sent meanwhile. */
export async function listFaults(
  screens: readonly Screen[],
): Promise<{ id: string; words: string }[]> {
  const asked = screens.map(async ({ id, by }) => {
    if (by.kind !== 'list') return [];
    const { kind, words } = await addressList(by.path, by.hours)(anyAddress);
    return kind === 'unavailable' ? [{ id, words }] : [];
  });
  return (await Promise.all(asked)).flat();
}
