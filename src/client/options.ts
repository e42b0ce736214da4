import type { Client } from '@temporalio/client';

/** The connection of a client, and the names that it uses there. */
export type SteadfastOptions = {
  client: Client;
  taskQueue: string;
  /** Set where several systems share one custody account: it comes before the id of everything. */
  keyScope?: string;
  /**
   * True when the client's payloads are encrypted, as `readPrivacy` says. An id that contains an
   * encrypted field is then refused.
   */
  isPrivate?: boolean;
};
