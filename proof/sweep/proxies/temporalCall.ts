import { gunzipSync } from 'node:zlib';
import { temporal } from '@temporalio/proto';

const {
  workflowservice: { v1: service },
} = temporal.api;

/** Finds the order and the name of a call to Temporal. */
export type Names = {
  /** Undefined for a call that belongs to no order, or that is made by the clock. */
  ofRequest(path: string, body: Buffer): { order: string; name: string } | undefined;
  /** Notes from an answer which activity a task belongs to. */
  learn(path: string, body: Buffer): void;
};

/** Long polls, and calls that are made from time to time. */
const bySheerTime = /^(Poll|Get|RecordActivityTaskHeartbeat|RespondQuery|Query|Shutdown)/;

/** Finds the names of the calls of one user, whose own ones begin with a word. */
export function createNames(word: string, orderIn: (bytes: Buffer) => string | undefined): Names {
  /** Types of activities by their tasks' tokens. */
  const activities = new Map<string, string>();
  const note = (task: {
    taskToken?: Uint8Array | null;
    activityType?: { name?: string | null } | null;
  }) => {
    activities.set(tokenOf(task), task.activityType?.name ?? '');
  };
  return {
    ofRequest: (path, body) => {
      const method = methodOf(path);
      if (bySheerTime.test(method)) return undefined;
      const asked = message(body);
      const order = orderIn(asked);
      const name = nameOf(method, asked, activities) ?? `${word} ${method}`;
      return order === undefined ? undefined : { order, name };
    },
    learn: (path, body) => {
      const method = methodOf(path);
      if (method === 'PollActivityTaskQueue') {
        note(service.PollActivityTaskQueueResponse.decode(message(body)));
      }
      if (method === 'RespondWorkflowTaskCompleted') {
        // Tasks may come with the answer, without a poll.
        const { activityTasks } = service.RespondWorkflowTaskCompletedResponse.decode(
          message(body),
        );
        for (const task of activityTasks) note(task);
      }
    },
  };
}

function nameOf(method: string, body: Buffer, activities: Map<string, string>): string | undefined {
  switch (method) {
    case 'RespondActivityTaskCompleted': {
      const done = service.RespondActivityTaskCompletedRequest.decode(body);
      return `activity ${activities.get(tokenOf(done))} completed`;
    }
    case 'RespondActivityTaskFailed': {
      const failed = service.RespondActivityTaskFailedRequest.decode(body);
      return `activity ${activities.get(tokenOf(failed))} failed`;
    }
    case 'RespondWorkflowTaskCompleted': {
      const done = service.RespondWorkflowTaskCompletedRequest.decode(body);
      return `workflow task: ${commandsOf(done)}`;
    }
    default:
      return undefined;
  }
}

type Commands = temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedRequest;

/**
 * The next commands of a workflow, without those that only show its progress. Only some runs answer
 * an update beside a command, so the answer names the task only where it is alone.
 */
function commandsOf({ commands, messages }: Commands): string {
  const words = (commands ?? []).flatMap((command) => {
    const { scheduleActivityTaskCommandAttributes: activity } = command;
    if (activity) return [`schedule ${activity.activityType?.name}`];
    const { signalExternalWorkflowExecutionCommandAttributes: signal } = command;
    if (signal) return [`signal ${signal.signalName}`];
    if (command.startTimerCommandAttributes) return ['start a timer'];
    if (command.cancelTimerCommandAttributes) return ['cancel a timer'];
    if (command.completeWorkflowExecutionCommandAttributes) return ['complete'];
    if (command.continueAsNewWorkflowExecutionCommandAttributes) return ['continue as new'];
    if (command.failWorkflowExecutionCommandAttributes) return ['fail'];
    if (command.cancelWorkflowExecutionCommandAttributes) return ['close as cancelled'];
    if (command.requestCancelActivityTaskCommandAttributes) return ['cancel an activity'];
    return [];
  });
  if (words.length > 0) return words.join(', ');
  return (messages ?? []).length > 0 ? 'answer an update' : 'nothing new';
}

function tokenOf({ taskToken }: { taskToken?: Uint8Array | null }): string {
  return Buffer.from(taskToken ?? []).toString('base64');
}

function methodOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const prefixBytes = 5;

/** The one message of a body: a flag says whether it is compressed, four bytes how long it is. */
function message(body: Buffer): Buffer {
  if (body.length < prefixBytes) return Buffer.alloc(0);
  const content = body.subarray(prefixBytes, prefixBytes + body.readUInt32BE(1));
  return body[0] === 1 ? gunzipSync(content) : content;
}
