import { Readable } from 'node:stream';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { runSubject } from '../run/subject-process.ts';
import { serveCsv } from './serve.ts';
import { statement } from './statement.ts';

/**
 * Minimal implementation: a cursor of `pg` without value parsing, and a writer that quotes by RFC 4180. No limits, no
 * cancellation, no masking, no protection against formulas.
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
