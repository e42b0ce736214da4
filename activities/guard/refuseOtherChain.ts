import { networks } from '../../src/custody/networks/networks';
import { BadOrderError } from '../../src/orders/input/read';
import type { OrderKind, ReadOrder } from '../../src/orders/kinds';
import type { OrderSettings } from './settings';

/** An order is carried out on the network of its workers, or not at all. */
export function refuseOtherChain(settings: OrderSettings, order: ReadOrder<OrderKind>): void {
  const { blockchain = settings.blockchain } = order;
  if (blockchain !== settings.blockchain) {
    throw new BadOrderError(
      `blockchain: is ${blockchain}, and these workers are for ${settings.blockchain}. ` +
        `Start it on the task queue of ${workersOf(blockchain)}.`,
    );
  }
  const network = networks[blockchain];
  if (network === undefined) {
    const known = Object.keys(networks).join(', ');
    throw new BadOrderError(`CUSTODY_BLOCKCHAIN: "${blockchain}" is not known. Known: ${known}.`);
  }
  if (network.faucet === undefined && 'source' in order && order.source === 'faucet') {
    throw new BadOrderError(
      `source: is faucet, and ${blockchain} has none. Give a wallet that pays, or "external".`,
    );
  }
}

/** The workers that carry out orders on a network, in words. */
export function workersOf(blockchain: string): string {
  return `workers with CUSTODY_BLOCKCHAIN=${blockchain}`;
}
