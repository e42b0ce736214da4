import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

/** Something that others can read, and where it was found. */
export type Evidence = { where: string; text: string | Uint8Array };

const { workflowservice } = temporal.api;
const queries = ['progress', '__stack_trace', '__temporal_workflow_metadata'];

/**
 * All that Temporal tells of all workflows: the lists, descriptions with memos, search attributes
 * and pending activities, whole histories, as bytes and with payloads decoded, and queries.
 */
export async function readHistories(client: Client): Promise<Evidence[]> {
  const { workflowService: service } = client;
  const namespace = client.options.namespace;
  const list = await service.listWorkflowExecutions({ namespace, pageSize: 1_000 });
  const listed = workflowservice.v1.ListWorkflowExecutionsResponse.encode(list).finish();
  const found = [
    { where: 'the list of workflows', text: listed },
    ...decoded('its payloads', list),
  ];
  for (const { execution, status } of list.executions) {
    const id = execution?.workflowId ?? '';
    const request = { namespace, execution: execution ?? null };
    const described = await service.describeWorkflowExecution(request);
    const bytes = workflowservice.v1.DescribeWorkflowExecutionResponse.encode(described).finish();
    found.push({ where: `description of ${id}`, text: bytes });
    found.push(...decoded(`description of ${id}`, described));
    found.push(...(await readHistory(client, request)));
    const isRunning =
      status === temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    if (isRunning) found.push(...(await readQueries(client, id)));
  }
  return found;
}

type Named = { namespace: string; execution: temporal.api.common.v1.IWorkflowExecution | null };

async function readHistory(client: Client, { namespace, execution }: Named): Promise<Evidence[]> {
  const { GetWorkflowExecutionHistoryResponse: Page } = workflowservice.v1;
  const where = `history of ${execution?.workflowId}`;
  const found: Evidence[] = [];
  let nextPageToken: Uint8Array | undefined;
  do {
    const request = { namespace, execution, ...(nextPageToken && { nextPageToken }) };
    const page = await client.workflowService.getWorkflowExecutionHistory(request);
    found.push({ where, text: Page.encode(page).finish() }, ...decoded(where, page));
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken !== undefined);
  return found;
}

async function readQueries(client: Client, id: string): Promise<Evidence[]> {
  const handle = client.workflow.getHandle(id);
  return Promise.all(
    queries.map(async (query) => {
      // Nobody answers where the worker is gone, which is no find.
      const answer = await handle.query(query).catch((error) => String(error));
      return { where: `${query} of ${id}`, text: strings(answer).join('\n') };
    }),
  );
}

/** The texts inside the payloads of a message, without the escapes of JSON. */
function decoded(where: string, message: unknown): Evidence[] {
  const texts = payloads(message).flatMap((data) => strings(parse(Buffer.from(data).toString())));
  return texts.length === 0 ? [] : [{ where: `${where}, payloads`, text: texts.join('\n') }];
}

function payloads(value: unknown): Uint8Array[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value && value.data instanceof Uint8Array) {
    return [value.data];
  }
  return Object.values(value).flatMap(payloads);
}

/** Every text in a value, names of fields included, and every text in a text that is JSON. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') {
    const inner = parse(value);
    return [value, ...(typeof inner === 'object' ? strings(inner) : [])];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [name, ...strings(field)]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
