import { Readable } from 'node:stream';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { runSubject } from '../run/subject-process.ts';
import { serveCsv } from './serve.ts';
import { statement } from './statement.ts';

/**
 * The least that could do it: a cursor of `pg` whose values stay the text that PostgreSQL sent, and a writer that
 * quotes what RFC 4180 says must be quoted. No limits, no cancelling, no masking, no guard against formulas.
 */
const rowsAtOnce = 1_000;
const needsQuotes = /[",\r\n]/;

const field = (value: string | null): string =>
  value === null ? '' : needsQuotes.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

async function* csvOf(connection: pg.ClientConfig): AsyncGenerator<string> {
  const client = new pg.Client({ ...connection, types: { getTypeParser: () => (text: string) => text } });
  await client.connect();
  try {
    const cursor = client.query(new Cursor<(string | null)[]>(statement, [], { rowMode: 'array' }));
    for (;;) {
      const rows = await cursor.read(rowsAtOnce);
      if (rows.length === 0) return;
      let text = '';
      for (const row of rows) text += `${row.map(field).join(',')}\r\n`;
      yield text;
    }
  } finally {
    await client.end();
  }
}

runSubject(async ({ connection }: { connection: pg.ClientConfig }) => {
  const server = await serveCsv(async () => Readable.from(csvOf(connection), { objectMode: false }));
  return { ready: { origin: server.origin }, stop: server.close };
});
