import type { Message } from '@svc/channels';
import type { AttemptEnd, Dispatch, Ledger, Send } from '../../doors/send/index.ts';
import { databaseError, type Executor } from '../../platform/db/index.ts';

/** A delivery's id in the ledger: run, recipient and attempt. It is what a receiver may tell repetitions by. */
export const deliveryIdOf = (runId: number, recipientId: number, attempt = 1): string =>
  `run-${runId}-${recipientId}-${attempt}`;

function partsOf(deliveryId: string): { runId: number; attempt: number } {
  const [, runId, , attempt] = deliveryId.split('-').map(Number);
  if (runId === undefined || attempt === undefined || !Number.isSafeInteger(runId))
    throw new Error(`Not a delivery of a run: ${deliveryId}`);
  return { runId, attempt };
}

const foreignKeyViolation = '23503';

/** The ledger of deliveries: one row per run, recipient and attempt, committed before anything is sent. */
export const createLedger = (executor: Executor): Ledger => ({
  begin: async ({ deliveryId, recipientId }) => {
    const { runId, attempt } = partsOf(deliveryId);
    try {
      const { rowCount } = await executor.query({
        name: 'deliveries-begin',
        text: `insert into svc.deliveries (run_id, recipient_id, attempt, state, message_id)
          values ($1, $2, $3, 'Sending', $4) on conflict (run_id, recipient_id, attempt) do nothing`,
        values: [runId, recipientId, attempt, deliveryId],
      });
      return rowCount === 1 ? 'Started' : 'AlreadyAttempted';
    } catch (error) {
      if (databaseError(error)?.code === foreignKeyViolation) return 'RecipientMissing';
      throw error;
    }
  },
  finish: async ({ deliveryId, recipientId }, end: AttemptEnd) => {
    const { runId, attempt } = partsOf(deliveryId);
    await executor.query({
      name: 'deliveries-finish',
      text: `update svc.deliveries set state = $4, reason = $5, http_class = $6, bytes_sent = $7, duration_ms = $8,
          message_id = coalesce($9, message_id), finished_at = now()
        where run_id = $1 and recipient_id = $2 and attempt = $3 and state = 'Sending'`,
      values: [
        runId,
        recipientId,
        attempt,
        end.state,
        end.reason,
        end.httpClass,
        end.bytesSent,
        end.durationMs,
        end.remoteId,
      ],
    });
  },
});

/** Sends a run's message to each recipient; every attempt is in the ledger when it resolves. */
export const deliverWith =
  (send: Send) =>
  async (options: {
    runId: number;
    message: Message;
    recipientIds: readonly number[];
    signal: AbortSignal;
  }): Promise<void> => {
    const dispatches = options.recipientIds.map(
      (recipientId): Dispatch => ({
        deliveryId: deliveryIdOf(options.runId, recipientId),
        recipientId,
        message: options.message,
        signal: options.signal,
      }),
    );
    await send.toRecipients(dispatches);
  };
