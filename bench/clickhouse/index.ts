import path from 'node:path';
import { startClickhouse } from '@svc/testkit/database/clickhouse.ts';
import { bounds, columns, download } from '../csv/measure.ts';
import { createTable, rowCount, statement } from '../csv/statement.ts';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import { printCase } from '../run/report.ts';
import { inTurns } from '../run/rounds.ts';
import { startSubject } from '../run/subject.ts';

const folder = path.join(import.meta.dirname, '../csv');
const target = 0.5;

/** Same columns as the table of the PostgreSQL benchmark. */
const createSame = `create table orders (order_number UInt32, customer String, amount Decimal(18, 2), is_paid Bool,
    status LowCardinality(String), ordered_at DateTime('UTC'), remark Nullable(String))
  engine = MergeTree order by order_number as
  select number + 1 as n, concat('Customer ', toString(n % 5000)), toDecimal64((n * 7919 % 1000000) / 100, 2), n % 3 = 0,
    arrayElement(['open', 'paid', 'overdue', 'cancelled'], 1 + n % 4), toDateTime('2026-01-01 00:00:00', 'UTC') + n,
    multiIf(n % 10 = 0, 'He said "hello, there"', n % 4 = 0, null, 'A remark of ordinary length')
  from numbers(${rowCount})`;

/** Measures a ClickHouse result of a million rows as a CSV download. */
export const bench: Bench = {
  purpose:
    'a million rows of ClickHouse to CSV (target 0.5, at most 100 MB above idle, no event-loop block over 50 ms) against the same of PostgreSQL',
  run: async ({ rounds }) => {
    const database = await startBenchDatabase();
    const clickhouse = await startClickhouse();
    const { connection } = database;
    await database.sql(createTable);
    await database.sql('vacuum analyze orders');
    await clickhouse.query('create database shop');
    await clickhouse.query(createSame, 'shop');
    const subjects = [
      await startSubject('PostgreSQL', path.join(folder, 'service.ts'), {
        engine: 'PostgreSQL',
        connection,
        server: connection,
        statement,
      }),
      await startSubject('ClickHouse', path.join(folder, 'service.ts'), {
        engine: 'ClickHouse',
        connection: { port: clickhouse.port, database: 'shop', user: 'default', password: '' },
        server: { host: '127.0.0.1', port: clickhouse.port },
        statement,
      }),
    ];
    const client = await startSubject('client', path.join(folder, 'download.ts'), {});
    try {
      const contenders = [];
      for (const subject of subjects) {
        // Idle size, before the subject has served a request.
        const { rssBytes: idleBytes } = await subject.usage();
        contenders.push({ name: subject.name, measure: () => download(subject, client, idleBytes) });
      }
      const turns = await inTurns(contenders, rounds);
      const rate = { number: 'rowsPerSecond', isMoreBetter: true, target };
      const own = bounds.map((bound) =>
        bound.number === 'aboveIdleMb' ? { ...bound, valueMax: 100 } : bound,
      );
      return printCase('one download', turns, 'PostgreSQL', columns, rate, own);
    } finally {
      await Promise.all([client, ...subjects].map((subject) => subject.stop()));
      await Promise.all([clickhouse.stop(), database.stop()]);
    }
  },
};
