import { make } from '../client/make.ts';
import { createKey, createUser } from '../people/users.ts';
import { type DeliveryFixtureOptions, startDeliveryFixture } from '../runs/delivery-fixture.ts';
import type { Compared } from './compared.ts';
import { compareFiles, compareMcp } from './direct-ways.ts';
import { compareMessages } from './message-ways.ts';
import { createReport, type ValueReport } from './report.ts';
import { createFolder, openValueSource, type ValueEngine } from './sources.ts';
import { compareJoins, compareSample } from './statement-ways.ts';

export const valueWays = ['files', 'mcp', 'messages', 'sample', 'joins'] as const;
export type ValueWay = (typeof valueWays)[number];

const comparisons: Readonly<Record<ValueWay, (compared: Compared) => Promise<void>>> = {
  files: compareFiles,
  mcp: compareMcp,
  messages: compareMessages,
  sample: compareSample,
  joins: compareJoins,
};

type CompareOptions = {
  /** Number of rows: first the values at the bounds, then random values. */
  readonly rowCount: number;
  readonly seed: number;
  /** Default: all. */
  readonly ways?: readonly ValueWay[];
};

type ValueService = {
  /** Compares the values of an engine with the values that the service returns. Callable once per engine. */
  readonly compare: (engine: ValueEngine, options: CompareOptions) => Promise<ValueReport>;
  readonly close: () => Promise<void>;
};

/** Starts a service that reads sources with values at and beyond the bounds of all types. */
export async function startValueService(options: DeliveryFixtureOptions = {}): Promise<ValueService> {
  const { folder, remove } = createFolder();
  const fixture = await startDeliveryFixture({
    ...options,
    config: { 'Svc:Query:FileFolders': [folder] },
    svc: { email: async () => undefined },
  });
  const { root, projectId, svc } = fixture;
  const owner = await createUser(svc.database, 'values', 'Editor');
  await root.post(`/svc/api/projects/${projectId}/members`, { userName: 'values', role: 'Editor' });
  const key = await createKey(svc.database, owner, { scopes: ['Execute'], projectIds: [projectId] });
  const { tlsMode: _tlsMode, ...postgresql } = fixture.source.connection;
  return {
    compare: async (engine, { rowCount, seed, ways = valueWays }) => {
      const source = await openValueSource(engine, { rowCount, seed, folder, postgresql });
      try {
        const body = { name: `Values of ${engine}`, ...source.body };
        const { id } = await make(root, '/svc/api/data-sources', body);
        await root.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId: id });
        const report = createReport();
        const { authorization } = key;
        for (const way of ways)
          await comparisons[way]({ root, authorization, fixture, source, sourceId: id, report });
        return report.report();
      } finally {
        await source.close();
      }
    },
    close: async () => {
      await fixture.close();
      remove();
    },
  };
}
