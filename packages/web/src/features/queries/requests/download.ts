import { type BodyOf, type ExportFormat, exportQuery } from '@svc/contract';
import { callRaw } from '../../../lib/call.ts';
import { saveFile } from '../../../lib/save-file.ts';

type Wanted = {
  readonly id: number;
  readonly format: ExportFormat;
  readonly parameters: NonNullable<BodyOf<typeof exportQuery>['parameters']>;
  /** The file's name, without its ending. */
  readonly name: string;
};

/**
 * Runs a saved query and hands its whole result to the browser as a file. Aborting stops the statement at the data
 * source. `onBytes` is told how many bytes have come.
 */
export async function downloadResult(
  { id, format, parameters, name }: Wanted,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const answer = await callRaw(exportQuery, { params: { id }, body: { format, parameters } }, { signal });
  await saveFile(answer, `${name}.${format.toLowerCase()}`, onBytes);
}
