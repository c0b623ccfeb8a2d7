import { type BodyOf, type ExportFormat, exportQuery } from '@svc/contract';
import { callRaw } from '../../../lib/call.ts';
import { saveFile } from '../../../lib/save-file.ts';

type Wanted = {
  readonly id: number;
  readonly format: ExportFormat;
  readonly parameters: NonNullable<BodyOf<typeof exportQuery>['parameters']>;
  /** Name of the file, without its extension. */
  readonly name: string;
};

/**
 * Runs a saved query and saves its whole result as a file in the browser. An abort stops the statement at the data
 * source. `onBytes` receives the number of received bytes.
 */
export async function downloadResult(
  { id, format, parameters, name }: Wanted,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const answer = await callRaw(exportQuery, { params: { id }, body: { format, parameters } }, { signal });
  await saveFile(answer, `${name}.${format.toLowerCase()}`, onBytes);
}
