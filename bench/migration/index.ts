import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hasMariaDb, startMariaDb } from '@svc/testkit/database/mariadb.ts';
import { createTable } from '../csv/statement.ts';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import { printPairs } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import { inPairs } from '../run/rounds.ts';
import { type Subject, startSubject } from '../run/subject.ts';
import { copiedRows, type MigrationConfig, type Place, places } from './destination.ts';

const folder = import.meta.dirname;
const mebibyte = 1_048_576;
/** A copy takes long, so a few pairs are enough. */
const pairCount = 8;
/** Minimum share of the floor's speed. It corresponds to 1.15, 2, 2, 1.5 and 1.3 times the floor's duration. */
const targets: Readonly<Record<Place, number>> = {
  Equal: 0.87,
  Wider: 0.5,
  Read: 0.5,
  MariaDB: 0.667,
  Parquet: 0.77,
};
const floors: Readonly<Record<Place, string>> = {
  Equal: 'binary COPY, piped',
  Wider: 'text COPY, piped',
  Read: 'text COPY, piped',
  MariaDB: 'LOAD DATA, piped',
  Parquet: 'CSV into DuckDB',
};
const aboveIdleMbMax = 64;
/** Maximum processor time in s of our process per million rows, when it only forwards them. */
const cpuSecondsMax = 0.9;

const titles: Readonly<Record<Place, string>> = {
  Equal: 'into PostgreSQL, equal types',
  Wider: 'into PostgreSQL, wider types',
  Read: 'into PostgreSQL, rows that are read',
  MariaDB: 'into MariaDB',
  Parquet: 'into Parquet',
};

const round = (seconds: number): number => Math.round(seconds * 100) / 100;

/** Measures copies from PostgreSQL. */
export const bench: Bench = {
  purpose:
    'a copy of 500000 rows (1.15 × the time of a piped binary COPY where types are equal, else 2 × a piped text COPY, 1.5 × LOAD DATA, 1.3 × CSV into Parquet; 64 MB above idle) against the engines’ own bulk forms',
  run: async () => {
    const files = mkdtempSync(path.join(os.tmpdir(), 'svc-bench-copies-'));
    const database = await startBenchDatabase();
    const maria = hasMariaDb() ? await startMariaDb() : undefined;
    await database.sql(createTable);
    await database.sql(`delete from orders where order_number > ${copiedRows}`);
    await database.sql('vacuum full analyze orders');
    const config: MigrationConfig = {
      connection: { ...database.loopback, database: database.connection.database },
      mariaSocket: maria?.socketPath,
      folder: files,
    };
    const floor = await startSubject('floor', path.join(folder, 'floor.ts'), config);
    const gateway = await startSubject('copy', path.join(folder, 'gateway.ts'), config);
    try {
      const figures: Figure[] = [];
      for (const place of places) {
        if (place !== 'MariaDB' || maria) figures.push(...(await compare(floor, gateway, place)));
      }
      return figures;
    } finally {
      await Promise.all([floor.stop(), gateway.stop()]);
      await maria?.stop();
      await database.stop();
      rmSync(files, { recursive: true, force: true });
    }
  },
};

async function compare(floor: Subject, gateway: Subject, place: Place): Promise<Figure[]> {
  // Memory that remains from an earlier destination does not count.
  const { rssBytes: idleBytes } = await gateway.usage();
  const measure = (subject: Subject) => async () => {
    await subject.usage();
    const { seconds } = (await subject.act({ place })) as { seconds: number };
    const { cpuMicros, rssPeakBytes } = await subject.usage();
    return {
      rowsPerSecond: copiedRows / seconds,
      cpuSeconds: cpuMicros / 1e6,
      aboveIdleMb: (rssPeakBytes - idleBytes) / mebibyte,
    };
  };
  const pairs = await inPairs(
    { name: floor.name, measure: measure(floor) },
    { name: gateway.name, measure: measure(gateway) },
    pairCount,
  );
  const names = { floor: floors[place], contender: 'copy' };
  const compared = printPairs(titles[place], names, pairs, columns, {
    number: 'rowsPerSecond',
    isMoreBetter: true,
    target: targets[place],
  });
  const memory: Figure = {
    title: titles[place],
    unit: 'MB above idle',
    against: null,
    floorValues: [],
    ratios: [],
    values: [Math.round(pairs.contender['aboveIdleMb'] ?? Number.NaN)],
    target: { valueMax: aboveIdleMbMax },
    pairs: pairs.count,
  };
  const cpu: Figure = {
    title: titles[place],
    unit: 's of CPU per million rows',
    against: null,
    floorValues: [],
    ratios: [],
    values: [round(((pairs.contender['cpuSeconds'] ?? Number.NaN) * 1_000_000) / copiedRows)],
    target: { valueMax: cpuSecondsMax },
    pairs: pairs.count,
  };
  return place === 'Equal' ? [compared, memory, cpu] : [compared, memory];
}

const columns = [
  { title: 'rows/s', number: 'rowsPerSecond', digits: 0 },
  { title: 's CPU', number: 'cpuSeconds', digits: 2 },
  { title: 'MB above idle', number: 'aboveIdleMb', digits: 0 },
];
