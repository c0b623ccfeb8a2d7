import { Readable } from 'node:stream';

/** Chunk size for the server, below the smallest packet limit. */
const packetBytes = 64 * 1024;

/** Rows that `LOAD DATA LOCAL` requests by a name that we choose. */
export type LocalRows = { readonly name: string; readonly rows: Buffer };

/**
 * Answers the server's request for a local file. The server may request any name. It receives the rows of the
 * statement under the statement's own name, and nothing under any other. No file is ever opened.
 */
export const answerRequest =
  ({ name, rows }: LocalRows) =>
  (requestedName: string): Readable =>
    requestedName === name
      ? Readable.from(packetsOf(rows), { objectMode: false })
      : new Readable({
          read() {
            this.destroy(new Error('The server asked for another file than the rows that it was offered.'));
          },
        });

function* packetsOf(rows: Buffer): Generator<Buffer> {
  for (let at = 0; at < rows.length; at += packetBytes) yield rows.subarray(at, at + packetBytes);
}
