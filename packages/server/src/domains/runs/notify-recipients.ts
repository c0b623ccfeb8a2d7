import type { Logger } from '../../platform/log/index.ts';
import { deliveryResults, markInterruptedDeliveries, outcomeOf } from '../deliveries/index.ts';
import type { FrozenMessages } from '../run-messages/index.ts';
import type { RunEnding } from './ending.ts';
import { createSendMessages, type Outgoing, type SendMessagesDeps } from './send-messages.ts';
import type { RunToExecute } from './store/load-run.ts';
import { timedOutReason, timeoutSecondsOf } from './timed-out.ts';

export type NotifyRecipientsDeps = SendMessagesDeps & {
  readonly log: Logger;
  readonly messages: Pick<FrozenMessages, 'open' | 'dropFiles'>;
  readonly ending: Pick<RunEnding, 'end'>;
  readonly limits: { readonly timeoutSeconds: number };
};

/** Creates the function that sends the messages of a run, and ends the run by the results of the deliveries. */
export function createNotifyRecipients(deps: NotifyRecipientsDeps) {
  const { database, ending } = deps;
  const sendMessages = createSendMessages(deps);

  return async (run: RunToExecute, outgoing: Outgoing, signal: AbortSignal): Promise<void> => {
    await sendMessages(run, outgoing, signal);
    // An attempt without a stored outcome is unknown. It must not count as a success.
    await markInterruptedDeliveries(database, run);
    const results = await deliveryResults(database, run);
    const { status, reason } = outcomeOf(results, { hasTask: run.createTasks });
    if (status === 'Skipped')
      deps.log.warn({ runId: run.id, subscriptionId: run.subscriptionId }, 'a run notified nobody');
    if (outgoing.message.timedOut) {
      const seconds = timeoutSecondsOf(run, deps.limits);
      await ending.end(run, 'Timeout', timedOutReason(seconds, status === 'Silenced' ? null : reason));
    } else await ending.end(run, status, reason);
    // All recipients have the file, so it cannot be sent again.
    if (run.attachmentFormat !== null && results.every(({ state }) => state === 'Sent'))
      await deps.messages.dropFiles(run);
  };
}
