import { once } from 'node:events';
import { createServer } from 'node:https';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { runSubject } from '../run/subject-process.ts';

const waitMaxMs = 60_000;

/** An HTTPS receiver on loopback that counts requests and reports when the expected number has arrived. */
runSubject(async () => {
  const authority = await createTestAuthority();
  let count = 0;
  let lastBody = '';
  let onArrival: () => void = () => undefined;
  let answersAfterMs = 0;
  const server = createServer(await authority.issue('127.0.0.1'), (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      lastBody = Buffer.concat(chunks).toString('utf8');
      const answer = () => response.writeHead(200).end();
      if (answersAfterMs > 0) setTimeout(answer, answersAfterMs);
      else answer();
      count += 1;
      onArrival();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver listens on no port.');

  /** Waits for `wanted` requests since the last call, each answered after `answersAfterMs`. Returns the time of the last. */
  const waitFor = async (order: { wanted: number; answersAfterMs: number }) => {
    const { wanted } = order;
    ({ answersAfterMs } = order);
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${count} of ${wanted} arrived in time.`)), waitMaxMs);
      onArrival = () => {
        if (count < wanted) return;
        clearTimeout(late);
        resolve();
      };
      onArrival();
    });
    count = 0;
    onArrival = () => undefined;
    return { atMs: performance.timeOrigin + performance.now(), body: lastBody };
  };

  return {
    ready: { origin: `https://127.0.0.1:${address.port}`, certificate: authority.certificate },
    act: waitFor,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
});
