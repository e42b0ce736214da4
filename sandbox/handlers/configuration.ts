import { randomUUID } from 'node:crypto';
import type { Store } from '../store/store';
import type { SandboxApi, Service } from './service';

/** The service itself, and the entity that it serves. */
export function configurationHandlers({ store, entitySecret }: Service) {
  const appId = appIdOf(store);
  return {
    ping: async () => ({ message: 'pong' }),
    getPublicKey: async () => ({ publicKey: entitySecret.publicKey }),
    getEntityConfig: async () => ({ appId }),
    registerEntitySecret: async ({ entitySecretCiphertext }) => ({
      recoveryFile: await entitySecret.register(entitySecretCiphertext),
    }),
  } satisfies Partial<SandboxApi>;
}

/** Stays the same for as long as the records do. */
function appIdOf(store: Pick<Store, 'setting' | 'setSetting'>): string {
  const appId = store.setting('appId') ?? randomUUID();
  store.setSetting('appId', appId);
  return appId;
}
