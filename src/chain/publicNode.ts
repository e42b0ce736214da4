import { type Network, networks } from '../custody/networks/networks';

/** The limits of the node at an origin, if it is the public one of a network. */
export function publicLimits(origin: string): Network['publicNode'] | undefined {
  return Object.values(networks)
    .map(({ publicNode }) => publicNode)
    .find(({ urls }) => urls.includes(origin));
}
