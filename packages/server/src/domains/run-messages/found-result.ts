import type { Attachment } from '@svc/channels';
import type { RunResult } from '../../gateways/run-sql/index.ts';
import { attachmentHead, fileOf, firstRows } from './attachment.ts';
import type { FrozenMessages } from './frozen-messages.ts';
import { type CollectedResult, collect } from './result.ts';
import type { MessageSubject } from './subject.ts';

/** Result of a query: the collected rows, and the file if the subscription includes one. */
export type FoundResult = {
  readonly collected: CollectedResult;
  readonly attachment: Attachment | undefined;
};

/**
 * Reads a result once: counts it and collects its first rows. Writes its file, up to Max rows, if the subscription
 * includes one.
 *
 * @param fileOfMessage  Number of the message with the file.
 */
export async function findResult(
  messages: Pick<FrozenMessages, 'keepFile'>,
  run: Pick<MessageSubject, 'id' | 'dueAt' | 'queryName' | 'attachmentFormat' | 'maxRows'>,
  result: RunResult,
  { keptRows, fileOfMessage = 0 }: { readonly keptRows: number; readonly fileOfMessage?: number },
): Promise<FoundResult> {
  const { attachmentFormat: format } = run;
  if (format === null) return { collected: await collect(result, keptRows), attachment: undefined };
  let attachment: Attachment | undefined;
  const collected = await collect(result, keptRows, async (batches) => {
    let rowCount = 0;
    const counted = async function* () {
      for await (const batch of firstRows(batches, run.maxRows ?? Number.MAX_SAFE_INTEGER)) {
        rowCount += batch.rowCount;
        yield batch;
      }
    };
    const file = fileOf(format, result.columns, counted());
    attachment = await messages.keepFile(
      { run, messageNo: fileOfMessage },
      attachmentHead(run.queryName, format),
      file,
      () => rowCount,
    );
  });
  return { collected, attachment };
}
