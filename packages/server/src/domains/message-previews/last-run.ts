import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { conflict } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { visibleRuns } from '../run-history/index.ts';
import { type FrozenMessages, sealedMessageOf, withoutRows } from '../run-messages/index.ts';
import { chosenOf, type Previewed } from './previewed.ts';
import { findLastMessage, ownMessagesOf } from './store.ts';

export type LastRunDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly messages: Pick<FrozenMessages, 'open'>;
};

/** Identifies a message of an earlier run. */
export type AskedMessage = {
  readonly subscriptionId: number;
  /** Null means the last run with a stored message. */
  readonly runId: number | null;
  /** Null means the message of the first recipient, when each recipient has its own. */
  readonly recipientId: number | null;
};

/** Creates the preview of a frozen message from an earlier run that the caller may see. */
export const createFromLastRun =
  ({ database, rights, messages }: LastRunDeps) =>
  async (caller: Caller, { subscriptionId, runId, recipientId }: AskedMessage): Promise<Previewed> => {
    const visible = visibleRuns(caller, await rights.readableIds(database, caller));
    const run = await findLastMessage(database, { subscriptionId, runId }, visible);
    if (!run)
      throw conflict('no-message', 'No message of an earlier run is kept. Preview a dry run instead.');
    const preview = { outcome: 'Notify', notificationId: run.id } as const;
    const forAll = messages.open({ run, messageNo: 0 }, run.messageSealed);
    const ownMessages = await ownMessagesOf(database, run);
    if (ownMessages.length === 0) return { ...preview, message: forAll, routed: null };
    const shownRecipientId = chosenOf(ownMessages, recipientId);
    const { unroutedCount } = run;
    const first = ownMessages.find((each) => each.recipientId === shownRecipientId);
    const sealed = first && (await sealedMessageOf(database, { run, messageNo: first.no }));
    if (!first || !sealed) {
      const message = withoutRows(forAll);
      return {
        ...preview,
        message,
        routed: { shares: ownMessages, unroutedCount, recipientId: shownRecipientId, isSent: false },
      };
    }
    return {
      ...preview,
      message: messages.open({ run, messageNo: first.no }, sealed),
      routed: { shares: ownMessages, unroutedCount, recipientId: shownRecipientId, isSent: true },
    };
  };
