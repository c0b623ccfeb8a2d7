import type { Message } from '@svc/channels';
import { plural } from '@svc/contract';
import type { MessageKey, RunKey } from '../../gateways/send/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { pendingRecipients } from '../deliveries/index.ts';
import { type FrozenMessages, readOwnMessages } from '../run-messages/index.ts';
import type { RunToExecute } from './store/load-run.ts';

/** Message of a run. `hasOwnMessages`: the recipients get the stored messages of their own instead. */
export type Outgoing = { readonly message: Message; readonly hasOwnMessages: boolean };

export type SendMessagesDeps = {
  readonly database: Database;
  readonly messages: Pick<FrozenMessages, 'open'>;
  /**
   * Sends the message to each recipient through the send gateway. When it resolves, the ledger contains every attempt.
   */
  readonly deliver: (options: {
    key: MessageKey;
    message: Message;
    recipientIds: readonly number[];
    signal: AbortSignal;
  }) => Promise<void>;
};

/** Maximum number of concurrent messages of one run. */
const sendingMax = 50;

/** Returns the key of the message for recipients without their own message. */
export const messageForAll = (run: RunKey): MessageKey => ({
  run: { id: run.id, dueAt: run.dueAt },
  messageNo: 0,
});

/** Creates the function that sends the messages of a run to the recipients without an attempt. */
export function createSendMessages({ database, messages, deliver }: SendMessagesDeps) {
  /** @param onlyId  Null: every attached recipient. */
  const send = async (
    run: RunToExecute,
    key: MessageKey,
    onlyId: number | null,
    open: () => Message,
    signal: AbortSignal,
  ): Promise<void> => {
    const pending = () => pendingRecipients(database, key, run.subscriptionId, onlyId);
    const recipientIds = await pending();
    if (recipientIds.length === 0) return;
    await deliver({ key, message: open(), recipientIds, signal });
    signal.throwIfAborted();
    const unsent = await pending();
    // The ledger has no entry for them, so nothing was sent. The job resumes the run.
    if (unsent.length > 0)
      throw new Error(
        `${plural(unsent.length, 'delivery', 'deliveries')} of run ${run.id} could not be written into the ledger.`,
      );
  };

  const sendOwn = async (run: RunToExecute, signal: AbortSignal): Promise<void> => {
    // An unresponsive destination must not delay the others.
    const sending = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    for await (const batch of readOwnMessages(database, run))
      for (const { no, recipientId, messageSealed } of batch) {
        while (sending.size >= sendingMax) await Promise.race(sending);
        if (failure) break;
        const key = { ...messageForAll(run), messageNo: no };
        const attempt = send(run, key, recipientId, () => messages.open(key, messageSealed), signal)
          .catch((error: unknown) => {
            failure ??= { error };
          })
          .finally(() => sending.delete(attempt));
        sending.add(attempt);
      }
    await Promise.all(sending);
    if (failure) throw failure.error;
  };

  return (run: RunToExecute, { message, hasOwnMessages }: Outgoing, signal: AbortSignal): Promise<void> =>
    hasOwnMessages ? sendOwn(run, signal) : send(run, messageForAll(run), null, () => message, signal);
}
