import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';

/**
 * Runs statements without any check of the service or restriction of the engine, as a faulty gate would. Only the
 * confinement of the process remains. Arguments: engine, file, a JSON file of statements, the writable folder. Prints
 * the number of statements that the engine accepted.
 */
const [engine, file = '', listFile = '', folder = ''] = process.argv.slice(2);
// List of texts that the test wrote.
const statements: string[] = JSON.parse(readFileSync(listFile, 'utf8'));

async function openDuckdb(): Promise<(sql: string) => Promise<unknown>> {
  const instance = await DuckDBInstance.create(':memory:', { temp_directory: folder, threads: '2' });
  const connection = await instance.connect();
  await connection.run(`create view customer as select * from read_csv('${file}')`);
  return (sql) => connection.runAndReadAll(sql);
}

function openSqlite(): (sql: string) => Promise<unknown> {
  const database = new DatabaseSync(file);
  return async (sql) => database.exec(sql);
}

const run = engine === 'duckdb' ? await openDuckdb() : openSqlite();
let accepted = 0;
for (const sql of statements) {
  await run(sql).then(
    () => accepted++,
    () => undefined,
  );
}
process.stdout.write(`accepted ${accepted}`);
