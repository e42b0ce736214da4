import type { Client, Connection } from '@temporalio/client';
import { SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import type { OrderKind } from './orders/kinds';
import type { AttributeName } from './orders/status';
import { attributeNames } from './orders/status';

type Operated = Pick<Connection, 'operatorService'>;

/** Whether the namespace knows our search attributes; where it will not say, orders run without. */
export async function hasSearchAttributes(connection: object, namespace: string): Promise<boolean> {
  if (!isOperated(connection)) return false;
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace,
    });
    return attributeNames.every((name) => Object.hasOwn(customAttributes, name));
  } catch {
    return false;
  }
}

/** A client may be given a connection of its own making, which knows only workflows. */
function isOperated(connection: object): connection is Operated {
  return 'operatorService' in connection;
}

/**
 * What an order is started with, so that it is found before its guard has said more. The namespace
 * is asked once which attributes it has; without ours, orders start without.
 */
export function firstAttributes(client: Client): (kind: OrderKind) => Promise<object> {
  let known: Promise<boolean> | undefined;
  return async (kind) => {
    known ??= hasSearchAttributes(client.connection, client.options.namespace);
    if (!(await known)) return {};
    const keyword = (name: AttributeName, value: string) => ({
      key: { name, type: SearchAttributeType.KEYWORD },
      value,
    });
    const pairs = [keyword('SteadfastStatus', 'Preparing'), keyword('SteadfastKind', kind)];
    return { typedSearchAttributes: new TypedSearchAttributes(pairs) };
  };
}
