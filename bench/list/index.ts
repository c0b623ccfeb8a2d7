import assert from 'node:assert/strict';
import path from 'node:path';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import type { Load, LoadResult } from '../run/http-load.ts';
import { addEditor, addKey, cookieOf, setupToken } from '../run/people.ts';
import { printCase } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import { inTurns } from '../run/rounds.ts';
import { type Subject, startSubject } from '../run/subject.ts';

const folder = import.meta.dirname;
const connectionCounts = [1, 16, 64];
const projectCount = 200;
const listPath = '/svc/api/projects';
const target = 0.9;
/** Warm-up time of both subjects: freshly compiled code is not part of the comparison. */
const warmUpMs = 5_000;

/** Measures the list that every page of the UI first reads, by key and by cookie. */
export const bench: Bench = {
  purpose:
    'GET /svc/api/projects, 20 rows, by key and by cookie, against bare Fastify with three named statements',
  run: async ({ rounds, roundMs }) => {
    const database = await startBenchDatabase();
    const settings = { 'Svc:UserManagement:SetupToken': setupToken, 'Svc:EncryptionKey': 'k'.repeat(32) };
    const { connection } = database;
    const service = await startSubject('service', path.join(folder, '../run/service.ts'), {
      connection,
      settings,
    });
    const floor = await startSubject('floor', path.join(folder, 'floor.ts'), { connection });
    const generator = await startSubject('generator', path.join(folder, '../run/http-load.ts'), {});
    const figures: Figure[] = [];
    try {
      const editor = await addEditor(originOf(service), database);
      await database.sql(
        `insert into svc.projects (name, description, created_time)
         select 'Project ' || n, 'What project ' || n || ' is about', now() - make_interval(mins => n)
           from generate_series(1, ${projectCount}) n`,
      );
      await database.sql('analyze');
      const callers = {
        key: { authorization: await addKey(database, editor) },
        cookie: { cookie: await cookieOf(originOf(service), 'editor') },
      };
      for (const [kind, headers] of Object.entries(callers)) {
        await assertSameRows(service, floor, headers);
        for (const subject of [floor, service])
          await loadOf(subject, generator, { headers, connections: 16, durationMs: warmUpMs });
        for (const connections of connectionCounts) {
          const measure = (subject: Subject) => ({
            name: subject.name,
            measure: () => loadOf(subject, generator, { headers, connections, durationMs: roundMs }),
          });
          const turns = await inTurns([measure(floor), measure(service)], rounds);
          figures.push(
            ...printCase(`by ${kind}, ${connections} connections`, turns, floor.name, columns, {
              number: 'perSecond',
              isMoreBetter: true,
              target,
            }),
          );
        }
      }
      return figures;
    } finally {
      await Promise.all([generator.stop(), floor.stop(), service.stop()]);
      await database.stop();
    }
  },
};

const columns = [
  { title: 'requests/s', number: 'perSecond', digits: 0 },
  { title: 'ms median', number: 'medianMs', digits: 2 },
  { title: 'ms p99', number: 'p99Ms', digits: 2 },
  { title: 'µs CPU', number: 'cpuMicrosEach', digits: 0 },
];

const originOf = ({ ready }: Subject): string => String(ready['origin']);

async function loadOf(
  subject: Subject,
  generator: Subject,
  load: Pick<Load, 'headers' | 'connections' | 'durationMs'>,
): Promise<Record<string, number>> {
  await subject.usage();
  const request: Load = { origin: originOf(subject), path: listPath, method: 'GET', status: 200, ...load };
  const result = (await generator.act(request)) as LoadResult;
  const { cpuMicros } = await subject.usage();
  return { ...result, cpuMicrosEach: cpuMicros / result.requests };
}

/**
 * Throws when the answers differ, since only equal answers are comparable. Ignores `right`, which the floor cannot
 * determine.
 */
async function assertSameRows(one: Subject, other: Subject, headers: Record<string, string>): Promise<void> {
  const [first, second] = await Promise.all(
    [one, other].map(async (subject) => {
      const response = await fetch(originOf(subject) + listPath, { headers });
      const body = (await response.json()) as { items: { right?: string }[]; totalCount: number };
      return { ...body, items: body.items.map(({ right: _, ...item }) => item) };
    }),
  );
  assert.deepEqual(first, second);
  assert.equal(first?.items.length, 20);
  assert.equal(first?.totalCount, projectCount);
}
