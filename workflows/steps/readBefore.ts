import type { ViewCall } from '../../activities/contracts';
import { read } from '../read';
import type { Run } from '../run';
import { once } from '../write';

/**
 * A number that a contract tells before a write. Read once, so that a continued run goes on with
 * the same.
 */
export async function readBefore(run: Run, call: ViewCall): Promise<string> {
  const { address, signature, parameters = [] } = call;
  return once(run, [address, signature, ...parameters].join(' '), () =>
    read(run, `${signature} of ${address}`, (from) => from.readNumber(call)),
  );
}
