const releaseAfterMs = 60_000;

/**
 * Saves a response as a file in the browser. Removes characters from `name` that file systems do not permit. `onBytes`
 * receives the number of received bytes.
 */
export async function saveFile(
  answer: Response,
  name: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const blob = await new Response(counted(answer, onBytes), {
    headers: { 'content-type': answer.headers.get('content-type') ?? 'application/octet-stream' },
  }).blob();
  const [, stem = '', ending = ''] = /^(.*)(\.\w+)$/s.exec(name) ?? [];
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = `${stem.replaceAll(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'result'}${ending}`;
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
