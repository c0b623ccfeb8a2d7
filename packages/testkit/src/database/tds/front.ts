/**
 * Child process: serves a shop's rows from SQLite through the protocol of SQL Server (TDS 7.4), written from its
 * documentation. It supports only the T-SQL of the tests' statements.
 *
 * Arguments: the database file and, for encrypted connections, the files of a key and a certificate.
 * Prints its port on the first line, then one event per line.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createTdsServer } from './server.ts';
import { createShop } from './shop.ts';

const [, , shopFile = '', key, cert] = process.argv;
createShop(shopFile);
const identity =
  key === undefined || cert === undefined
    ? {}
    : { identity: { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') } };
const server = createTdsServer({
  shopFile,
  ...identity,
  onEvent: (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
// This process ends with its parent.
process.stdin.on('close', () => process.exit(0));
process.stdin.resume();
