import type { z } from 'zod';
import type { KeyParts } from '../idempotencyKey';
import type { Grounds } from '../objects/grounds';
import { configuration } from './configuration';
import { contractEvents } from './contractEvents';
import { contracts } from './contracts';
import { holdings } from './holdings';
import { monitoring } from './monitoredTokens';
import { notifications } from './notifications';
import { screening } from './screening';
import { signing } from './signing';
import { transactions } from './transactions';
import { wallets } from './wallets';

export type { AbiParameter, Endpoint, RateClass } from './endpoint';

/**
 * Every endpoint, in the hosted service's wire form. The client speaks this table and the sandbox
 * implements it.
 */
export const endpoints = {
  ...configuration,
  ...monitoring,
  ...wallets,
  ...holdings,
  ...screening,
  ...signing,
  ...transactions,
  ...contracts,
  ...contractEvents,
  ...notifications,
};

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

/** Every endpoint by its name. `Object.keys` forgets the type of keys. */
export const endpointNames = Object.keys(endpoints) as EndpointName[];
export type Input<Name extends EndpointName> = z.input<Endpoints[Name]['input']>;
export type Output<Name extends EndpointName> = z.output<Endpoints[Name]['output']>;

export type CallOptions = {
  /** Ends the wait for an answer. A request that was sent stays sent. */
  signal?: AbortSignal;
  /** A UUID by which the service knows the call, in its own logs too. */
  requestId?: string;
  /** The call's place in a trace: a W3C `traceparent`. */
  traceparent?: string | undefined;
  /** The parts that the key of a write is made of. A policy checks the key against them. */
  parts?: KeyParts;
  /** The signatures that a write carries. A policy reads them, and believes nothing else of them. */
  authority?: unknown;
  /** Hears if another page follows the one that is read. Not called if the service does not tell. */
  paged?: (links: { next?: string | undefined }) => void;
  /**
   * Makes the best of an item of a list that is not the interface. If it returns undefined, or is
   * not given, the whole page is refused.
   */
  salvage?: (item: unknown) => unknown;
  /** Hears why a policy lets a write out, before it is sent. */
  onLetOut?: (grounds: Grounds) => void;
};

/** The custody service as a caller sees it: the client speaks it, the sandbox implements it. */
export type CustodyApi = {
  [Name in EndpointName]: (input: Input<Name>, options?: CallOptions) => Promise<Output<Name>>;
};

/** A call of any endpoint. */
export type AnyCall = (input: never, options?: CallOptions) => Promise<unknown>;

/** The same service, with each of its calls made in another way. */
export function withCalls(
  custody: CustodyApi,
  made: (name: EndpointName, call: AnyCall) => AnyCall,
): CustodyApi {
  const calls = endpointNames.map((name) => [name, made(name, custody[name])]);
  return Object.fromEntries(calls);
}
