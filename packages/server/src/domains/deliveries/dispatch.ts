import type { Message } from '@svc/channels';
import {
  type DeliveryKey,
  type Dispatch,
  type MessageKey,
  messageWordOf,
  type Send,
} from '../../doors/send/index.ts';

/** The same for every attempt at the message of a run: what a receiver tells repetitions by. */
const messageIdOf = (key: DeliveryKey): string => `run-${messageWordOf(key)}-${key.recipientId}`;

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
    key: MessageKey;
    message: Message;
    recipientIds: readonly number[];
    signal: AbortSignal;
  }): Promise<void> => {
    const { key, message, recipientIds, signal } = options;
    await send.toRecipients(
      recipientIds.map((recipientId) => dispatchOf({ ...key, recipientId, attempt: 1 }, message, signal)),
    );
  };
