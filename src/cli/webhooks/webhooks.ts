import type { CustodyApi } from '../../custody/endpoints';
import { RefusedError } from '../../custody/errors';
import type { Subscription } from '../../custody/objects/subscription';
import { subscribe, unsubscribe } from '../../notices/subscriptions';
import { shown } from '../../orders/input/shown';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { reachService, serviceFault } from '../reachService';
import { inColumns } from '../show/columns';

const outcomes = {
  made: 'Subscribed',
  enabled: 'Enabled again',
  unchanged: 'Subscribed before',
} as const;

/** Subscribes an address. A subscription that is there is kept. */
export async function subscribeTo(url: string, { terminal, voice }: Call): Promise<ExitCode> {
  if (!URL.canParse(url)) {
    throw new InputError(`url: ${shown(url)} is no URL. Give one as https://hooks.example.org/`);
  }
  const { subscription, outcome } = await calling(terminal, (api) =>
    subscribe(api, url).catch((error: unknown) => {
      throw error instanceof RefusedError && error.status === 400 ? unheard(url, error) : error;
    }),
  );
  voice.answer({ outcome, subscription }, [
    `${outcomes[outcome]}: ${subscription.endpoint} (${subscription.id})`,
  ]);
  return exitCodes.done;
}

/** The service refuses an address that does not answer it. */
function unheard(url: string, { message }: RefusedError): InputError {
  return new InputError(
    `url: the service refused ${url}: ${message.replace(/\.$/, '')}. ` +
      'It asks the address with HEAD first: start the receiver there, then repeat',
  );
}

/** Lists all subscriptions of the account. */
export async function listSubscriptions({ terminal, voice }: Call): Promise<ExitCode> {
  const subscriptions = await calling(terminal, (api) => api.listSubscriptions({}));
  const rows = inColumns(subscriptions.map(cellsOf));
  const lines = rows.map((row) => row.join('  '));
  voice.answer({ subscriptions }, lines.length === 0 ? ['There are no subscriptions.'] : lines);
  return exitCodes.done;
}

function cellsOf({ id, endpoint, enabled, notificationTypes = ['*'] }: Subscription): string[] {
  return [id, enabled ? 'enabled' : 'disabled', endpoint, notificationTypes.join(', ')];
}

/**
 * Removes a subscription by its id or its address. A subscription that is not there is no fault.
 */
export async function unsubscribeFrom(id: string, { terminal, voice }: Call): Promise<ExitCode> {
  const removed = await calling(terminal, (api) => unsubscribe(api, id));
  const lines = removed.map((one) => `Removed: ${one.endpoint} (${one.id})`);
  voice.answer({ removed }, lines.length === 0 ? [`There is no subscription ${id}.`] : lines);
  return exitCodes.done;
}

async function calling<T>(
  terminal: Call['terminal'],
  call: (api: CustodyApi) => Promise<T>,
): Promise<T> {
  const { api, host } = reachService(terminal);
  try {
    return await call(api);
  } catch (error) {
    throw serviceFault(error, host);
  }
}
