import type { Message } from '@svc/channels';
import type { DeliveryKey, Dispatch, Send } from '../../doors/send/index.ts';

/** The same for every attempt at the message of a run: what a receiver tells repetitions by. */
const messageIdOf = ({ runId, recipientId }: Pick<DeliveryKey, 'runId' | 'recipientId'>): string =>
  `run-${runId}-${recipientId}`;

/** What one attempt of a delivery is sent with. */
export const dispatchOf = (delivery: DeliveryKey, message: Message, signal: AbortSignal): Dispatch => ({
  delivery,
  messageId: messageIdOf(delivery),
  message,
  signal,
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
    const { runId, message, recipientIds, signal } = options;
    await send.toRecipients(
      recipientIds.map((recipientId) => dispatchOf({ runId, recipientId, attempt: 1 }, message, signal)),
    );
  };
