/**
 * A process of its own: a server that speaks the protocol of SQL Server (TDS 7.4), written from its documentation, over
 * the rows of a shop in SQLite. It is no SQL Server: of T-SQL it knows what statements of the tests hold.
 *
 * Arguments: the file of the rows, and the files of a key and a certificate where connections are to be encrypted.
 * Prints its port on the first line, then what happens, a line each.
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
// Its parent's end is its own.
process.stdin.on('close', () => process.exit(0));
process.stdin.resume();
