import path from 'node:path';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import { printCase } from '../run/report.ts';
import { inTurns } from '../run/rounds.ts';
import { startSubject } from '../run/subject.ts';
import { bounds, columns, download } from './measure.ts';
import { createTable, statement } from './statement.ts';

const folder = import.meta.dirname;
const target = 0.4;

/** Measures a result of a million rows as a CSV download. */
export const bench: Bench = {
  purpose:
    'a query of a million rows to CSV (target 0.4, under 150 MB above idle, no event-loop block over 50 ms) against a bare cursor',
  run: async ({ rounds }) => {
    const database = await startBenchDatabase();
    const { connection } = database;
    await database.sql(createTable);
    await database.sql('vacuum analyze orders');
    const service = await startSubject('service', path.join(folder, 'service.ts'), {
      engine: 'PostgreSQL',
      connection,
      server: connection,
      statement,
    });
    const floor = await startSubject('floor', path.join(folder, 'floor.ts'), { connection });
    const client = await startSubject('client', path.join(folder, 'download.ts'), {});
    try {
      const contenders = [];
      for (const subject of [floor, service]) {
        // Idle size, before the subject has served a request.
        const { rssBytes: idleBytes } = await subject.usage();
        contenders.push({ name: subject.name, measure: () => download(subject, client, idleBytes) });
      }
      const turns = await inTurns(contenders, rounds);
      const rate = { number: 'rowsPerSecond', isMoreBetter: true, target };
      return printCase('one download', turns, floor.name, columns, rate, bounds);
    } finally {
      await Promise.all([client.stop(), floor.stop(), service.stop()]);
      await database.stop();
    }
  },
};
