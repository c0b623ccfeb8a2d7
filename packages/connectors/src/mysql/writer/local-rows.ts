import { Readable } from 'node:stream';

/** What the server is sent at once: below the smallest packet that any takes. */
const packetBytes = 64 * 1024;

/** Rows that `LOAD DATA LOCAL` asks for by a name of ours. */
export type LocalRows = { readonly name: string; readonly rows: Buffer };

/**
 * Answers the server's request for a local file. It may ask for any: it is given the rows of the statement under the name
 * that the statement has, and nothing under any other. No file is ever opened.
 */
export const answerRequest =
  ({ name, rows }: LocalRows) =>
  (asked: string): Readable =>
    asked === name
      ? Readable.from(packetsOf(rows), { objectMode: false })
      : new Readable({
          read() {
            this.destroy(new Error('The server asked for another file than the rows that it was offered.'));
          },
        });

function* packetsOf(rows: Buffer): Generator<Buffer> {
  for (let at = 0; at < rows.length; at += packetBytes) yield rows.subarray(at, at + packetBytes);
}
