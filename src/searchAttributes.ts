import type { Connection } from '@temporalio/client';
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
