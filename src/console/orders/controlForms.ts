import type { OrderStatus } from '../../client/orderStatus';
import { isEnd, type Progress } from '../../orders/progress/status';
import type { Viewer } from '../page/frame';
import { type Html, html } from '../page/html';

/** The controls that the state of an order allows a person, each with what it does. */
export function controlForms(status: OrderStatus, viewer: Viewer): Html | undefined {
  const { isRequester = false, isApprover = false } = viewer;
  if (!isRequester && !isApprover) return undefined;
  const { workflowId: id, execution, progress, signedUntil } = status;
  const path = `/orders/${encodeURIComponent(id)}`;
  const isRunning = execution === 'RUNNING' && progress !== undefined && !isEnd(progress.status);
  const forms = [
    ...(isRunning ? running(path, progress) : []),
    ...(isRequester && (execution === 'RUNNING' || signedUntil !== undefined)
      ? [withdrawal(path, isRunning)]
      : []),
  ];
  return forms.length === 0 ? undefined : html`<h2>Controls</h2>${forms}`;
}

function running(path: string, progress: Progress): Html[] {
  const isCancelled = progress.exits?.some(({ command }) => /^steadfast cancel /.test(command));
  const { paused } = progress;
  return [
    paused === undefined
      ? control('Pause', {
          words: `Nothing more is sent until somebody resumes it. What was sent before settles, and
stays paid.`,
          button: stop(`${path}/pause`, 'Pause it now'),
        })
      : control('Resume', {
          words: `It was paused: ${paused.reason}. It goes on where it has stopped, and pays
nothing twice.`,
          button: html`<button type="button" data-action="resume"
 data-path="${path}/resume">Resume it now</button>`,
        }),
    ...(isCancelled === true
      ? [
          control('Cancel', {
            words: `${left(progress)} What was sent before settles, and stays paid. That withdraws
nothing of what was signed for it.`,
            button: stop(`${path}/cancel`, 'Cancel it now'),
          }),
        ]
      : []),
  ];
}

function withdrawal(path: string, isRunning: boolean): Html {
  const name = isRunning ? 'Cancel and withdraw what I signed' : 'Withdraw what I signed';
  return control(name, {
    words: `If you have requested it, nothing that was not sent before is sent because of your
signature, by no worker and under no restart. Your passkey signs that.`,
    button: html`<label>Reason <input name="reason" maxlength="1000"></label>
<button type="button" data-action="withdraw"
 data-path="${path}/withdraw">Withdraw with my passkey</button>`,
  });
}

/** The lines of a payout that a cancellation leaves. */
function left({ payout }: Progress): string {
  if (payout === undefined || payout.waiting === 0) return 'It ends, and sends nothing more.';
  return `It leaves up to ${payout.waiting} of ${payout.lines} lines unpaid.`;
}

function control(name: string, { words, button }: { words: string; button: Html }): Html {
  return html`<details><summary>${name}</summary>
<p>${words}</p><form class="actions">${button}</form></details>`;
}

function stop(path: string, words: string): Html {
  return html`<label>Reason <input name="reason" maxlength="1000"></label>
<button type="button" data-action="stop" data-path="${path}">${words}</button>`;
}
