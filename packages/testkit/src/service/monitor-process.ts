import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A monitor that waits for heartbeats, as a process of its own: it tells its parent of each request, and answers with
 * the status that the address ends in (`/ping/503`), else with 200.
 */

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  const [, status = '200'] = /\/(\d{3})$/.exec(url) ?? [];
  response.writeHead(Number(status)).end();
  process.send?.({ method, url });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
