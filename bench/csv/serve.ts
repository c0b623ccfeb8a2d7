import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Serves one stream of CSV to every request, on a loopback port. */
export async function serveCsv(open: (response: ServerResponse) => Promise<Readable>): Promise<{
  readonly origin: string;
  readonly close: () => Promise<void>;
}> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/csv; charset=utf-8');
    open(response)
      .then((stream) => pipeline(stream, response))
      .catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        response.destroy();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
