import { request } from 'undici';
import { runSubject } from '../run/subject-process.ts';

/** Downloads a file completely and counts its lines. */
async function download({
  origin,
}: {
  origin: string;
}): Promise<{ seconds: number; lines: number; bytes: number }> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(origin);
  if (statusCode !== 200) throw new Error(`The download answered ${statusCode}.`);
  const newline = 0x0a;
  let lines = 0;
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1;
  }
  return { seconds: (performance.now() - startedAt) / 1_000, lines, bytes };
}

runSubject(async () => ({ ready: {}, act: download, stop: async () => undefined }));
