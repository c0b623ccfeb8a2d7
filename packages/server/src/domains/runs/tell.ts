import type { Message } from '@svc/channels';
import { plural } from '@svc/contract';
import type { MessageKey } from '../../gateways/send/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { pendingRecipients } from '../deliveries/index.ts';
import { type FrozenMessages, ownMessages } from '../run-messages/index.ts';
import type { RunToExecute } from './store.ts';

export type TellDeps = {
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

/** Creates the function that sends the messages of a run to the recipients without an attempt. */
export const createTell = ({ database, messages, deliver }: TellDeps) => {
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

  return async (
    run: RunToExecute,
    outgoing: { readonly message: Message; readonly hasOwnMessages: boolean },
    signal: AbortSignal,
  ): Promise<void> => {
    const key = { id: run.id, dueAt: run.dueAt };
    if (!outgoing.hasOwnMessages)
      return send(run, { run: key, messageNo: 0 }, null, () => outgoing.message, signal);
    // An unresponsive destination must not delay the others.
    const sending = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    for await (const some of ownMessages(database, key))
      for (const { no, recipientId, messageSealed } of some) {
        while (sending.size >= sendingMax) await Promise.race(sending);
        if (failure) break;
        const messageKey = { run: key, messageNo: no };
        const sent = send(
          run,
          messageKey,
          recipientId,
          () => messages.open(messageKey, messageSealed),
          signal,
        )
          .catch((error: unknown) => {
            failure ??= { error };
          })
          .finally(() => sending.delete(sent));
        sending.add(sent);
      }
    await Promise.all(sending);
    if (failure) throw failure.error;
  };
};
