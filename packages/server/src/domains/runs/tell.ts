import type { Message } from '@svc/channels';
import { plural } from '@svc/contract';
import type { MessageKey } from '../../doors/send/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { pendingRecipients } from '../deliveries/index.ts';
import { type FrozenMessages, ownMessages } from '../run-messages/index.ts';
import type { RunToExecute } from './store.ts';

export type TellDeps = {
  readonly database: Database;
  readonly messages: Pick<FrozenMessages, 'open'>;
  /** Sends the message to each recipient through the send door; every attempt is in the ledger when it resolves. */
  readonly deliver: (options: {
    key: MessageKey;
    message: Message;
    recipientIds: readonly number[];
    signal: AbortSignal;
  }) => Promise<void>;
};

/** Messages of one run that are sent at a time. */
const sendingMax = 50;

/** Sends the messages of a run to those to whom they have not been sent in any way yet. */
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
    const left = await pending();
    // Nothing was written for them, so nothing was sent: the job takes the run up again.
    if (left.length > 0)
      throw new Error(
        `${plural(left.length, 'delivery', 'deliveries')} of run ${run.id} could not be written into the ledger.`,
      );
  };

  return async (
    run: RunToExecute,
    told: { readonly message: Message; readonly hasOwnMessages: boolean },
    signal: AbortSignal,
  ): Promise<void> => {
    const key = { id: run.id, dueAt: run.dueAt };
    if (!told.hasOwnMessages) return send(run, { run: key, messageNo: 0 }, null, () => told.message, signal);
    // A destination that does not answer keeps none of the others waiting.
    const sending = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    for await (const some of ownMessages(database, key))
      for (const { no, recipientId, messageSealed } of some) {
        while (sending.size >= sendingMax) await Promise.race(sending);
        if (failure) break;
        const own = { run: key, messageNo: no };
        const sent = send(run, own, recipientId, () => messages.open(own, messageSealed), signal)
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
