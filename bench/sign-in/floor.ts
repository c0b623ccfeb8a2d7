import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { runSubject } from '../run/subject-process.ts';

/** The minimum work of a sign-in: PBKDF2 with the cost of the service. */
const derive = promisify(pbkdf2);
const iterations = 100_000;
const keyBytes = 32;

async function hashFor({ connections, durationMs }: { connections: number; durationMs: number }) {
  const salt = randomBytes(keyBytes);
  const startedAt = performance.now();
  let requests = 0;
  const work = async (): Promise<void> => {
    while (performance.now() - startedAt < durationMs) {
      await derive('Correct-horse-7-battery', salt, iterations, keyBytes, 'sha256');
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { requests, perSecond: (requests * 1_000) / (performance.now() - startedAt) };
}

runSubject(async () => ({ ready: {}, act: hashFor, stop: async () => undefined }));
