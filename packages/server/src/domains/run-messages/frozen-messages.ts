import type { Attachment, Message } from '@svc/channels';
import { type MessageKey, messageWordOf, type RunKey } from '../../gateways/send/index.ts';
import { type KeyRing, open, openBytes, type Randomness, seal } from '../../platform/crypto/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { type AttachmentHead, inParts } from './attachment.ts';
import {
  beginAttachment,
  completeAttachment,
  deleteAttachment,
  deleteAttachments,
  findAttachment,
  insertPart,
  readPart,
} from './attachment-store.ts';
import { presentForm, type StoredMessage } from './stored-message.ts';

/** Bytes per sealed and stored part. */
const partBytes = 65_536;

/** Returns the place of a message. Message 0 is in the row of its run. */
const messagePlace = ({ run, messageNo }: MessageKey) =>
  messageNo === 0
    ? { table: 'runs', column: 'message_sealed', rowId: run.id }
    : { table: 'run_messages', column: 'message_sealed', rowId: `${run.id}/${messageNo}` };
const partPlace = ({ run, messageNo }: MessageKey, part: number) => ({
  table: 'run_attachment_parts',
  column: 'data_sealed',
  rowId: messageNo === 0 ? `${run.id}/${part}` : `${run.id}/${messageNo}/${part}`,
});

/** The file exceeds the size limit of attachments. */
export class AttachmentTooLarge extends Error {
  override readonly name = 'AttachmentTooLarge';
}

/**
 * Masked and sealed messages of runs. A resumed run and a repeated delivery send the stored message, never a newer one.
 */
export type FrozenMessages = {
  /** Seals a message without the bytes of its file. */
  readonly seal: (key: MessageKey, message: Message) => string;
  /** @throws Error when the envelope does not open: another key, or a changed row. */
  readonly open: (key: MessageKey, sealed: string) => Message;
  /**
   * Stores a file part by part, so that neither its size nor a slow database increases the memory of the process.
   *
   * @param rowCount  read when the file is complete.
   * @throws AttachmentTooLarge after deleting the stored parts.
   */
  readonly keepFile: (
    key: MessageKey,
    head: AttachmentHead,
    file: AsyncIterable<Buffer>,
    rowCount: () => number,
  ) => Promise<Attachment>;
  readonly dropFile: (key: MessageKey) => Promise<void>;
  /** Deletes the files of all messages of a run. */
  readonly dropFiles: (run: RunKey) => Promise<void>;
};

export function createFrozenMessages(deps: {
  readonly executor: Executor;
  readonly keys: KeyRing;
  readonly random: Randomness;
  /** `Svc:Notifications:AttachmentMaxBytes`. */
  readonly fileBytesMax: number;
}): FrozenMessages {
  const { executor, keys, random, fileBytesMax } = deps;

  const readFile = async (key: MessageKey): Promise<Buffer> => {
    const stored = await findAttachment(executor, key);
    if (!stored) throw new Error(`The file of run ${messageWordOf(key)} is no longer kept.`);
    const bytes = Buffer.alloc(stored.byteCount);
    let at = 0;
    for (let part = 0; at < stored.byteCount; part += 1) {
      const sealed = await readPart(executor, key, part);
      const opened = sealed === undefined ? undefined : openBytes(keys, sealed, partPlace(key, part));
      if (!opened || opened.length === 0)
        throw new Error(`Part ${part} of the file of run ${messageWordOf(key)} cannot be read.`);
      at += opened.copy(bytes, at);
    }
    return bytes;
  };

  /** Returns an attachment whose file is read once for all recipients. Its bytes are freed with the message. */
  const attachmentOf = (key: MessageKey, head: AttachmentHead & { rowCount: number }): Attachment => {
    let reading: Promise<Buffer> | undefined;
    return {
      name: head.name,
      contentType: head.contentType,
      rowCount: head.rowCount,
      read: () => {
        reading ??= readFile(key);
        return reading;
      },
    };
  };

  return {
    seal: (key, message) => seal(keys, JSON.stringify(message), messagePlace(key), random),

    open: (key, sealed) => {
      const opened = open(keys, sealed, messagePlace(key));
      if (!opened.ok)
        throw new Error(`The frozen message of run ${messageWordOf(key)} cannot be read: ${opened.failure}.`);
      // `seal` of some version wrote this text, and the envelope authenticates it.
      const { attachment, ...message } = presentForm(JSON.parse(opened.secret.reveal()) as StoredMessage);
      return { ...message, ...(attachment && { attachment: attachmentOf(key, attachment) }) };
    },

    keepFile: async (key, head, file, rowCount) => {
      await beginAttachment(executor, key, head);
      let byteCount = 0;
      let part = 0;
      try {
        for await (const bytes of inParts(file, partBytes)) {
          byteCount += bytes.length;
          if (byteCount > fileBytesMax) throw new AttachmentTooLarge();
          await insertPart(executor, key, part, seal(keys, bytes, partPlace(key, part), random));
          part += 1;
        }
      } catch (error) {
        await deleteAttachment(executor, key);
        throw error;
      }
      await completeAttachment(executor, key, { rowCount: rowCount(), byteCount });
      return attachmentOf(key, { ...head, rowCount: rowCount() });
    },

    dropFile: (key) => deleteAttachment(executor, key),

    dropFiles: (run) => deleteAttachments(executor, run),
  };
}
