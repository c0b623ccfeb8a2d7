import path from 'node:path';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import type { Load, LoadResult } from '../run/http-load.ts';
import { addEditor, password, setupToken } from '../run/people.ts';
import { printCase } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import { inTurns } from '../run/rounds.ts';
import { startSubject } from '../run/subject.ts';

const folder = import.meta.dirname;
/** The service hashes a bounded number of passwords concurrently; further callers wait in a short queue. */
const connectionCounts = [1, 2];

/** Measures the cost of a sign-in in addition to the password hash, which is slow by design. */
export const bench: Bench = {
  purpose: 'POST /svc/api/auth/login against PBKDF2 (100,000 iterations) alone',
  run: async ({ rounds, roundMs }) => {
    const database = await startBenchDatabase();
    const settings = {
      'Svc:UserManagement:SetupToken': setupToken,
      'Svc:EncryptionKey': 'k'.repeat(32),
      // Each request has a different client address. Otherwise the throttle would be measured.
      'Svc:ForwardedHeaders:KnownProxies': ['127.0.0.1'],
    };
    const { connection } = database;
    const service = await startSubject('service', path.join(folder, '../run/service.ts'), {
      connection,
      settings,
    });
    const floor = await startSubject('floor', path.join(folder, 'floor.ts'), {});
    const generator = await startSubject('generator', path.join(folder, '../run/http-load.ts'), {});
    const figures: Figure[] = [];
    try {
      const origin = String(service.ready['origin']);
      await addEditor(origin, database);
      for (const connections of connectionCounts) {
        const load: Load = {
          origin,
          path: '/svc/api/auth/login',
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'editor', password }),
          connections,
          durationMs: roundMs,
          status: 200,
          hasOwnAddressEach: true,
        };
        const measureService = async () => ({ ...((await generator.act(load)) as LoadResult) });
        const measureFloor = async () =>
          (await floor.act({ connections, durationMs: roundMs })) as { requests: number; perSecond: number };
        const turns = await inTurns(
          [
            { name: floor.name, measure: measureFloor },
            { name: service.name, measure: measureService },
          ],
          rounds,
        );
        figures.push(
          ...printCase(
            `${connections} concurrent`,
            turns,
            floor.name,
            [{ title: 'sign-ins/s', number: 'perSecond', digits: 1 }],
            { number: 'perSecond', isMoreBetter: true },
          ),
        );
      }
      return figures;
    } finally {
      await Promise.all([generator.stop(), floor.stop(), service.stop()]);
      await database.stop();
    }
  },
};
