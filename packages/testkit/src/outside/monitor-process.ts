import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * Child process: a monitor that waits for heartbeats. It reports each request to its parent, and answers with the status
 * at the end of the URL (`/ping/503`) or with 200.
 */

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  const [, status = '200'] = /\/(\d{3})$/.exec(url) ?? [];
  response.writeHead(Number(status)).end();
  process.send?.({ method, url });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
