import { type Message, type MessageRowChanges, previewRowsMax } from '@svc/channels';
import { type RowChange, rowMessagesMax } from '@svc/contract';
import type { MessageKey, RunKey } from '../../gateways/send/index.ts';
import type { Executor } from '../../platform/db/index.ts';

/** Message that some recipients of a run get instead of message 0. */
export type OwnMessage = {
  readonly no: number;
  /** Null: every recipient. */
  readonly recipientId: number | null;
  readonly message: Message;
};

/** Number of the message with the rows after the rows that have their own messages. */
export const restNo = rowMessagesMax + 1;

/** Rows to collect from a result with one message per row: for these messages, and for the preview of the rest. */
export const perRowKept = rowMessagesMax + previewRowsMax;

/** Message numbers per recipient, when recipients get their own rows. */
const numbersEach = restNo;

/** Returns the number of the message with the file of a recipient, by the recipient's place. */
export const ownFileNo = (place: number, isPerRow: boolean): number =>
  place * numbersEach + (isPerRow ? restNo : 1);

/**
 * Returns the messages of one recipient about its own rows.
 *
 * @param digest   Message about all of these rows.
 * @param perRow   First rows, each for its own message; null: one message contains all rows.
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
 * Returns one message for each of the first rows, and one message for the rest.
 *
 * @param digest  Message about all rows.
 * @param rows    First rows of the result, with their change in the last cell.
 */
export function perRowMessages(
  digest: Message,
  rows: readonly (readonly unknown[])[],
  maxRows: number | null,
): OwnMessage[] {
  const { attachment, ...bare } = digest;
  const single = rows.slice(0, Math.min(rowMessagesMax, maxRows ?? rowMessagesMax));
  const messages = single.map((row, index) => ({
    no: index + 1,
    recipientId: null,
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

/** Subtracts counts. Kinds that the message does not report remain absent. */
function less(all: MessageRowChanges, some: MessageRowChanges): MessageRowChanges {
  const remaining = (name: keyof MessageRowChanges) => (all[name] ?? 0) - (some[name] ?? 0);
  return {
    ...(all.new !== undefined && { new: remaining('new') }),
    ...(all.changed !== undefined && { changed: remaining('changed') }),
    ...(all.vanished !== undefined && { vanished: remaining('vanished') }),
  };
}

/** Messages per statement. */
const messagesAtOnce = 50;

/** Stores the messages of a run for some of its recipients. Deletes the remains of an interrupted attempt. */
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
        run.id,
        run.dueAt,
        some.map(({ no }) => no),
        some.map(({ recipientId }) => recipientId),
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

/** Yields the messages of a run for some of its recipients, in batches. */
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
