import { type Message, type MessageRowChanges, previewRowsMax } from '@svc/channels';
import { type RowChange, rowMessagesMax } from '@svc/contract';
import type { MessageKey, RunKey } from '../../doors/send/index.ts';
import type { Executor } from '../../platform/db/index.ts';

/** A message that some recipients of a run get in place of message 0. */
export type OwnMessage = {
  readonly no: number;
  /** Null: every recipient. */
  readonly recipientId: number | null;
  readonly message: Message;
};

/** The place of the message that holds the rows beyond those that have their own. */
export const restNo = rowMessagesMax + 1;

/** Rows that are kept of a result whose rows get messages of their own: theirs, and the preview of the rest. */
export const perRowKept = rowMessagesMax + previewRowsMax;

/** Numbers of messages that each recipient has where recipients get rows of their own. */
const numbersEach = restNo;

/** The number of the message of one recipient, by its place, that its file goes with. */
export const ownFileNo = (place: number, isPerRow: boolean): number =>
  place * numbersEach + (isPerRow ? restNo : 1);

/**
 * The messages that one recipient gets of its own rows.
 *
 * @param digest   The message of all of these.
 * @param perRow   The first rows, where each gets a message; null: they come in one.
 */
export function ownRowMessages(
  digest: Message,
  { place, recipientId }: { readonly place: number; readonly recipientId: number },
  perRow: { readonly rows: readonly (readonly unknown[])[]; readonly maxRows: number | null } | null,
): OwnMessage[] {
  const messages = perRow
    ? perRowMessages(digest, perRow.rows, perRow.maxRows)
    : [{ no: 1, recipientId: null, message: digest }];
  return messages.map(({ no, message }) => ({ no: place * numbersEach + no, recipientId, message }));
}

/**
 * One message for each of the first rows, and one for what is left.
 *
 * @param digest  The message of all rows.
 * @param rows    The first rows of the result, with what became of each in the last cell.
 */
export function perRowMessages(
  digest: Message,
  rows: readonly (readonly unknown[])[],
  maxRows: number | null,
): OwnMessage[] {
  const { attachment, ...bare } = digest;
  const single = rows.slice(0, Math.min(rowMessagesMax, maxRows ?? rowMessagesMax));
  const messages = single.map((row, index) => ({
    ...{ no: index + 1, recipientId: null },
    message: { ...bare, totalRows: 1, rows: [row], rowChanges: countsOf([row]) },
  }));
  const rest = less(digest.rowChanges ?? {}, countsOf(single));
  if (Object.values(rest).every((count) => count === 0)) return messages;
  const message: Message = {
    ...bare,
    totalRows: Math.max(0, (digest.totalRows ?? 0) - single.length),
    rows: rows.slice(single.length, single.length + Math.min(previewRowsMax, maxRows ?? previewRowsMax)),
    rowChanges: rest,
    ...(attachment && { attachment }),
  };
  return [...messages, { no: restNo, recipientId: null, message }];
}

const memberOf: { readonly [change in RowChange]: 'new' | 'changed' | 'vanished' } = {
  New: 'new',
  Changed: 'changed',
  Vanished: 'vanished',
};

function countsOf(rows: readonly (readonly unknown[])[]): MessageRowChanges {
  const counts: { new?: number; changed?: number; vanished?: number } = {};
  for (const row of rows) {
    const member = memberOf[row.at(-1) as RowChange];
    counts[member] = (counts[member] ?? 0) + 1;
  }
  return counts;
}

/** What is left of the counts of a message; kinds that it does not tell stay out. */
function less(all: MessageRowChanges, some: MessageRowChanges): MessageRowChanges {
  const left = (name: keyof MessageRowChanges) => (all[name] ?? 0) - (some[name] ?? 0);
  return {
    ...(all.new !== undefined && { new: left('new') }),
    ...(all.changed !== undefined && { changed: left('changed') }),
    ...(all.vanished !== undefined && { vanished: left('vanished') }),
  };
}

/** Messages that are read and sent at a time. */
const messagesAtOnce = 50;

/** Keeps the messages of a run that go to some of its recipients; what an interrupted attempt left behind goes. */
export async function saveOwnMessages(
  executor: Executor,
  run: RunKey,
  messages: readonly OwnMessage[],
  seal: (key: MessageKey, message: Message) => string,
): Promise<void> {
  await executor.query({
    name: 'run-messages-clear',
    text: 'delete from svc.run_messages where run_id = $1 and run_due_at = $2',
    values: [run.id, run.dueAt],
  });
  for (let at = 0; at < messages.length; at += messagesAtOnce) {
    const some = messages.slice(at, at + messagesAtOnce);
    await executor.query({
      name: 'run-messages-insert',
      text: `insert into svc.run_messages (run_id, run_due_at, no, recipient_id, message_sealed, row_count)
        select $1, $2, u.* from unnest($3::int[], $4::int[], $5::text[], $6::bigint[]) u`,
      values: [
        ...[run.id, run.dueAt, some.map(({ no }) => no), some.map(({ recipientId }) => recipientId)],
        some.map(({ no, message }) => seal({ run, messageNo: no }, message)),
        some.map(({ message }) => message.totalRows ?? 0),
      ],
    });
  }
}

export type SealedMessage = {
  readonly no: number;
  readonly recipientId: number | null;
  readonly messageSealed: string;
};

/** The messages of a run that go to some of its recipients, some at a time. */
export async function* ownMessages(executor: Executor, run: RunKey): AsyncGenerator<SealedMessage[]> {
  for (let after = 0; ; ) {
    const { rows } = await executor.query<SealedMessage>({
      name: 'run-messages-read',
      text: `select no, recipient_id as "recipientId", message_sealed as "messageSealed" from svc.run_messages
        where run_id = $1 and run_due_at = $2 and no > $3 and message_sealed is not null
        order by no limit ${messagesAtOnce}`,
      values: [run.id, run.dueAt, after],
    });
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.no ?? after;
    if (rows.length < messagesAtOnce) return;
  }
}
