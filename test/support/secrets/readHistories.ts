import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

/** A text that others can read, and its place. */
export type Evidence = { where: string; text: string | Uint8Array };

const { workflowservice } = temporal.api;
const queries = ['progress', '__stack_trace', '__temporal_workflow_metadata'];

/**
 * Everything that Temporal shows of all workflows: lists, descriptions with memos, search
 * attributes and pending activities, queries, and whole histories. Histories are given as bytes and
 * with decoded payloads.
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
      // Without a worker a query has no answer, and that is no leak.
      const answer = await handle.query(query).catch((error) => String(error));
      return { where: `${query} of ${id}`, text: strings(answer).join('\n') };
    }),
  );
}

/** The texts in the payloads of a message, without JSON's escapes. */
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

/** Every text in a value, field names included. A text that is JSON is searched too. */
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
