import { type BodyOf, type ExportFormat, exportQuery } from '@svc/contract';
import { callRaw } from '../../../lib/call.ts';

const releaseAfterMs = 60_000;

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
  const blob = await new Response(counted(answer, onBytes), {
    headers: { 'content-type': answer.headers.get('content-type') ?? 'application/octet-stream' },
  }).blob();
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replaceAll(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'result'}.${format.toLowerCase()}`;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), releaseAfterMs);
}

function counted(answer: Response, onBytes: (bytes: number) => void): ReadableStream<Uint8Array> | null {
  let bytes = 0;
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (part, controller) => {
      bytes += part.byteLength;
      onBytes(bytes);
      controller.enqueue(part);
    },
  });
  return answer.body?.pipeThrough(count) ?? null;
}
