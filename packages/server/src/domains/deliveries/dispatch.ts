import type { Message } from '@svc/channels';
import {
  type DeliveryKey,
  type Dispatch,
  type MessageKey,
  messageWordOf,
  type Send,
} from '../../gateways/send/index.ts';

/** Returns the same id for every attempt to deliver a message of a run, so that receivers can detect repetitions. */
const messageIdOf = (key: DeliveryKey): string => `run-${messageWordOf(key)}-${key.recipientId}`;

/** Returns the send parameters of one attempt. */
export const dispatchOf = (delivery: DeliveryKey, message: Message, signal: AbortSignal): Dispatch => ({
  delivery,
  messageId: messageIdOf(delivery),
  message,
  signal,
});

/**
 * Returns the function that sends a run's message to each recipient. When it resolves, every attempt is in the ledger.
 */
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
