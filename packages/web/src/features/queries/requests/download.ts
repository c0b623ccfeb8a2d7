import { type BodyOf, type ExportFormat, exportQuery } from '@svc/contract';
import { callRaw } from '../../../lib/call.ts';

const releaseAfterMs = 60_000;

/** Runs a saved query and hands its whole result to the browser as a file. */
export async function downloadResult(
  id: number,
  format: ExportFormat,
  parameters: NonNullable<BodyOf<typeof exportQuery>['parameters']>,
  name: string,
): Promise<void> {
  const answer = await callRaw(exportQuery, { params: { id }, body: { format, parameters } });
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replaceAll(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'result'}.${format.toLowerCase()}`;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), releaseAfterMs);
}
