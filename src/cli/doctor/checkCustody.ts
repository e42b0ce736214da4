import type { CustodyConfig } from '../../config';
import { createCustodyClient } from '../../custody/client';
import { RefusedError } from '../../custody/errors';
import { broken, type Finding, fine, reasonOf } from './finding';

const deadlineMs = 5_000;

/** Whether the service answers and takes our API key; asking for its public key moves nothing. */
export async function checkCustody(config: CustodyConfig): Promise<Finding> {
  const { host } = new URL(config.baseUrl);
  try {
    await createCustodyClient({ ...config, deadlineMs }).getPublicKey({});
    return fine('Service', `${host} answers and takes the API key`);
  } catch (error) {
    if (error instanceof RefusedError && (error.status === 401 || error.status === 403)) {
      return broken(
        'Service',
        `${host} answers, but refuses the API key`,
        'Set CUSTODY_API_KEY to a key of this service; a worker heals once it is mended.',
      );
    }
    return broken(
      'Service',
      `${host} gives no usable answer: ${reasonOf(error)}`,
      'Check CUSTODY_BASE_URL, or start the sandbox with "npm run sandbox".',
    );
  }
}
