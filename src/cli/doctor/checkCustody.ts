import { randomUUID } from 'node:crypto';
import type { CustodyConfig } from '../../config';
import { createCustodyClient } from '../../custody/client';
import type { CustodyApi } from '../../custody/endpoints';
import { publicKeySha256, readPublicKey } from '../../custody/entitySecret';
import { RefusedError } from '../../custody/errors';
import { checkStuck } from '../../health/checkStuck';
import {
  broken,
  fine,
  firstLine,
  type HealthFinding,
  misconfigured,
  skipped,
} from '../../health/finding';
import { checkNetworks } from './service/checkNetworks';

const deadlineMs = 5_000;

/** The service's codes for an entity secret that it refuses. */
const secretFaults: Readonly<Record<number, string>> = {
  156013: 'is not the one that is registered',
  156016: 'was never registered in the environment of this key (TEST_ and LIVE_ have one each)',
  156019: 'has to be rotated first',
  177604: 'is not the one that is registered',
  177605: 'was never registered',
  177606: 'has to be rotated first',
};
/** A test key used on the real network, or a real key on the test network. */
const wrongEnvironmentCode = 156006;
const noTransactionCode = 156003;

/** Checks that the service answers and accepts API key and entity secret. Moves nothing. */
export async function checkCustody(config: CustodyConfig): Promise<HealthFinding[]> {
  const { host } = new URL(config.baseUrl);
  const api = createCustodyClient({ ...config, deadlineMs });
  const answers = fine('Service', `${host} answers`);
  let digest: string;
  try {
    digest = publicKeySha256(readPublicKey((await api.getPublicKey({})).publicKey));
  } catch (error) {
    const isKey = error instanceof RefusedError && refusesKey(error);
    const service = isKey
      ? [answers, keyRefused(host, error)]
      : [
          noService(host, error),
          skipped('API key', 'not checked: the service has to answer first'),
        ];
    return [...service, skipped('Entity secret', 'well-formed; not checked at the service')];
  }
  const key = checkKey(digest, config);
  const account = await checkAccount(api, host);
  const secret =
    config.entitySecret === undefined
      ? skipped('Entity secret', 'not checked: its variable has to be fixed first')
      : await checkSecret(api);
  const served = await checkNetworks(api, config.blockchain);
  return [answers, account, key, secret, ...served, ...(await checkStuck(api))];
}

/** The service has answered with the key before, so that other faults than a refusal are not its own. */
async function checkAccount(api: CustodyApi, host: string): Promise<HealthFinding> {
  try {
    const { appId } = await api.getEntityConfig({});
    return fine('API key', `the service accepts it; STEADFAST_ENTITY_ID is ${appId}`);
  } catch (error) {
    if (error instanceof RefusedError && refusesKey(error)) return keyRefused(host, error);
    const words = `the service accepts it; the account is not told: ${firstLine(error)}`;
    return fine('API key', words);
  }
}

function checkKey(digest: string, { publicKeySha256: expected }: CustodyConfig): HealthFinding {
  const name = 'Public key';
  if (expected === digest) return fine(name, `SHA-256 ${digest}, as expected`);
  if (expected === undefined) {
    return fine(name, `SHA-256 ${digest}, which CUSTODY_PUBLIC_KEY_SHA256 would pin`);
  }
  return misconfigured(
    name,
    `SHA-256 ${digest}, and CUSTODY_PUBLIC_KEY_SHA256 is ${expected}`,
    'Find out why the key has changed before you change the digest: a false service could ask so.',
  );
}

function refusesKey({ status, code }: RefusedError): boolean {
  return status === 401 || status === 403 || code === wrongEnvironmentCode;
}

function keyRefused(host: string, error: unknown): HealthFinding {
  return misconfigured(
    'API key',
    `${host} refuses it: ${firstLine(error)}`,
    'Set CUSTODY_API_KEY to a key of this service, and restart the worker with it.',
  );
}

function noService(host: string, error: unknown): HealthFinding {
  return broken(
    'Service',
    `${host} gives no usable answer: ${firstLine(error)}`,
    'Check CUSTODY_BASE_URL, or start the sandbox with "npx --no-install steadfast sandbox".',
  );
}

/**
 * Asks to cancel a transaction under a random id. This moves nothing, yet needs the entity secret.
 * Only a refusal of the secret is certain: the service may look up the transaction first.
 */
async function checkSecret(api: CustodyApi): Promise<HealthFinding> {
  const name = 'Entity secret';
  try {
    await api.cancelTransaction({ id: randomUUID(), idempotencyKey: randomUUID() });
    return skipped(name, 'well-formed; the service says that it has cancelled what is not there');
  } catch (error) {
    const code = error instanceof RefusedError ? error.code : undefined;
    const fault = code === undefined ? undefined : secretFaults[code];
    if (fault !== undefined) {
      return misconfigured(
        name,
        `the service says that it ${fault} (code ${code})`,
        'Set CUSTODY_ENTITY_SECRET to the one that is registered for this account.',
      );
    }
    if (code !== noTransactionCode) {
      return skipped(name, `well-formed; the service does not tell more: ${firstLine(error)}`);
    }
    return fine(name, 'well-formed, and not refused in a call that moves nothing');
  }
}
