import type { Client } from '@temporalio/client';
import type { Signer } from '../writer/signing/sign';

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
  /** Signs each order that is started here, where the policy of the workers wants that. */
  signing?: RequestSigning | undefined;
  /**
   * Milliseconds that Temporal has for each call that waits for no order. Without them, a call ends
   * when Temporal's own client gives up.
   */
  timeoutMs?: number | undefined;
};

/** The key that signs requests, and the place that they are made for. */
export type RequestSigning = {
  sign: Signer;
  /** The account at the service, as `steadfast doctor` tells it. */
  entity: string;
  blockchain: string;
  /** Hours for which a request lets something new be sent. The default is a day. */
  hours?: number;
};
