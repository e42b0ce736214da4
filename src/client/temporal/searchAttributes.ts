import type { Client, Connection } from '@temporalio/client';
import type { OrderKind } from '../../orders/kinds';
import type { AttributeName } from '../../orders/progress/status';
import { attributeNames } from '../../orders/progress/status';
import { firstPairs } from '../../orders/starting';

type Operated = Pick<Connection, 'operatorService' | 'workflowService'>;

/** Temporal's number for the type of all our search attributes. */
const keywordType = 2;

/** Our search attributes that a namespace lacks, and those that have another type there. */
type Lacking = { missing: AttributeName[]; mistyped: AttributeName[] };

/** Reads which search attributes a namespace has. Throws where the server does not tell. */
export async function lackingAttributes(
  { operatorService }: Pick<Operated, 'operatorService'>,
  namespace: string,
): Promise<Lacking> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const isThere = (name: AttributeName) => Object.hasOwn(customAttributes, name);
  return {
    missing: attributeNames.filter((name) => !isThere(name)),
    mistyped: attributeNames.filter(
      (name) => isThere(name) && customAttributes[name] !== keywordType,
    ),
  };
}

/** Registers search attributes that a namespace lacks. Throws where that is not allowed. */
export async function registerAttributes(
  { operatorService }: Pick<Operated, 'operatorService'>,
  namespace: string,
  names: readonly AttributeName[],
): Promise<void> {
  const searchAttributes = Object.fromEntries(names.map((name) => [name, keywordType]));
  await operatorService.addSearchAttributes({ namespace, searchAttributes });
}

/**
 * True when the namespace has our search attributes. If it does not answer, orders run without
 * them.
 */
export async function hasSearchAttributes(connection: object, namespace: string): Promise<boolean> {
  if (!isOperated(connection)) return false;
  try {
    const { missing, mistyped } = await lackingAttributes(connection, namespace);
    return missing.length + mistyped.length === 0;
  } catch {
    // Some API keys may use the attributes of a namespace, but not list them.
    return takesQuery(connection, namespace);
  }
}

/** True when the server accepts a query that uses all of our attributes. */
async function takesQuery({ workflowService }: Operated, namespace: string): Promise<boolean> {
  const query = attributeNames.map((name) => `${name} = 'any'`).join(' OR ');
  return workflowService.countWorkflowExecutions({ namespace, query }).then(
    () => true,
    () => false,
  );
}

/** A client may be given a connection of its own making, which knows only workflows. */
function isOperated(connection: object): connection is Operated {
  return 'operatorService' in connection && 'workflowService' in connection;
}

/**
 * The search attributes that an order starts with, so that a list shows it at once. The namespace
 * is asked once for its attributes. Without ours, orders start without any.
 */
export function firstAttributes(client: Client): (kind: OrderKind) => Promise<object> {
  let known: Promise<boolean> | undefined;
  return async (kind) => {
    known ??= hasSearchAttributes(client.connection, client.options.namespace);
    if (!(await known)) return {};
    return { typedSearchAttributes: firstPairs(kind) };
  };
}
