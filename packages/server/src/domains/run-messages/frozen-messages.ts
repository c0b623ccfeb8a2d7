import type { Attachment, Message } from '@svc/channels';
import { type KeyRing, open, openBytes, type Randomness, seal } from '../../platform/crypto/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { type AttachmentHead, inParts } from './attachment.ts';
import {
  beginAttachment,
  completeAttachment,
  deleteAttachment,
  findAttachment,
  insertPart,
  readPart,
} from './attachment-store.ts';

/** Bytes that are sealed and stored at a time. */
const partBytes = 65_536;

const messagePlace = (runId: number) => ({ table: 'runs', column: 'message_sealed', rowId: runId });
const partPlace = (runId: number, part: number) => ({
  table: 'run_attachment_parts',
  column: 'data_sealed',
  rowId: `${runId}/${part}`,
});

/** The file grew beyond what may be attached. */
export class AttachmentTooLarge extends Error {
  override readonly name = 'AttachmentTooLarge';
}

/**
 * What a run has to tell, masked, frozen and sealed: a run that is taken up again, and a delivery that is made again,
 * sends this and nothing newer.
 */
export type FrozenMessages = {
  /** The message without the bytes of its file, for the run's row. */
  readonly seal: (runId: number, message: Message) => string;
  /** @throws Error when the envelope does not open: another key, or a changed row. */
  readonly open: (runId: number, sealed: string) => Message;
  /**
   * Stores a file part by part, so that neither its size nor a slow database makes the process grow.
   *
   * @param rowCount  read when the file is complete.
   * @throws AttachmentTooLarge; nothing of the file stays.
   */
  readonly keepFile: (
    runId: number,
    head: AttachmentHead,
    file: AsyncIterable<Buffer>,
    rowCount: () => number,
  ) => Promise<Attachment>;
  readonly dropFile: (runId: number) => Promise<void>;
};

export function createFrozenMessages(deps: {
  readonly executor: Executor;
  readonly keys: KeyRing;
  readonly random: Randomness;
  /** `Svc:Notifications:AttachmentMaxBytes`. */
  readonly fileBytesMax: number;
}): FrozenMessages {
  const { executor, keys, random, fileBytesMax } = deps;

  const readFile = async (runId: number): Promise<Buffer> => {
    const stored = await findAttachment(executor, runId);
    if (!stored) throw new Error(`The file of run ${runId} is no longer kept.`);
    const bytes = Buffer.alloc(stored.byteCount);
    let at = 0;
    for (let part = 0; at < stored.byteCount; part += 1) {
      const sealed = await readPart(executor, runId, part);
      const opened = sealed === undefined ? undefined : openBytes(keys, sealed, partPlace(runId, part));
      if (!opened || opened.length === 0)
        throw new Error(`Part ${part} of the file of run ${runId} cannot be read.`);
      at += opened.copy(bytes, at);
    }
    return bytes;
  };

  /** Read once for all who get it, and let go with the message. */
  const attachmentOf = (runId: number, head: AttachmentHead & { rowCount: number }): Attachment => {
    let reading: Promise<Buffer> | undefined;
    return {
      name: head.name,
      contentType: head.contentType,
      rowCount: head.rowCount,
      read: () => {
        reading ??= readFile(runId);
        return reading;
      },
    };
  };

  return {
    seal: (runId, message) => seal(keys, JSON.stringify(message), messagePlace(runId), random),

    open: (runId, sealed) => {
      const opened = open(keys, sealed, messagePlace(runId));
      if (!opened.ok)
        throw new Error(`The frozen message of run ${runId} cannot be read: ${opened.failure}.`);
      // Written by `seal`, and authenticated.
      const { timestamp, attachment, ...message } = JSON.parse(opened.secret.reveal()) as Omit<
        Message,
        'timestamp'
      > & { timestamp: string };
      return {
        ...message,
        timestamp: new Date(timestamp),
        ...(attachment && { attachment: attachmentOf(runId, attachment) }),
      };
    },

    keepFile: async (runId, head, file, rowCount) => {
      await beginAttachment(executor, runId, head);
      let byteCount = 0;
      let part = 0;
      try {
        for await (const bytes of inParts(file, partBytes)) {
          byteCount += bytes.length;
          if (byteCount > fileBytesMax) throw new AttachmentTooLarge();
          await insertPart(executor, runId, part, seal(keys, bytes, partPlace(runId, part), random));
          part += 1;
        }
      } catch (error) {
        await deleteAttachment(executor, runId);
        throw error;
      }
      await completeAttachment(executor, runId, { rowCount: rowCount(), byteCount });
      return attachmentOf(runId, { ...head, rowCount: rowCount() });
    },

    dropFile: (runId) => deleteAttachment(executor, runId),
  };
}
