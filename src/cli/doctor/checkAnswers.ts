import { lookup } from 'node:dns/promises';
import { allowed } from '../../client/answers/address';
import type { ReceiverSettings } from '../../client/answers/config';
import { broken, fine, firstLine, type HealthFinding } from '../../health/finding';

const name = 'Answers';
const mend = 'Orders end in any case, and are told later. See docs/how-to/tell-your-erp.md';

/** Checks that the receiver of the ends of orders has an address that may be called. Sends nothing. */
export async function checkAnswers(receiver: ReceiverSettings): Promise<HealthFinding> {
  const { host, hostname } = receiver.url;
  try {
    const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
    const { addresses, fault } = allowed(found, receiver);
    if (fault !== undefined) return broken(name, `${host}: ${fault}`, mend);
    return fine(name, `${host} is told of the ends of orders, at ${addresses[0]?.address}`);
  } catch (error) {
    return broken(name, `${host} cannot be found: ${firstLine(error)}`, mend);
  }
}
