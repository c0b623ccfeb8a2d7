import path from 'node:path';
import type pg from 'pg';
import { type Subject, startSubject } from '../run/subject.ts';
import { mcpServiceSettings } from './prepare.ts';

const folder = import.meta.dirname;

/** Starts the service, its floors, DBHub and the load generator, each in a separate process. */
export async function startContenders(to: {
  /** The service's metadata database. */
  readonly connection: pg.ClientConfig;
  /** The watched database. */
  readonly shop: pg.ClientConfig;
}): Promise<{ service: Subject; subjects: readonly Subject[]; generator: Subject }> {
  const { connection, shop } = to;
  const service = await startSubject('service', path.join(folder, '../run/service.ts'), {
    connection,
    settings: mcpServiceSettings,
  });
  const floor = (kind: 'sdk' | 'json-rpc') =>
    startSubject(kind, path.join(folder, 'floor.ts'), { kind, connection, shop });
  return {
    service,
    subjects: [
      await floor('sdk'),
      await floor('json-rpc'),
      await startSubject('dbhub', path.join(folder, 'dbhub.ts'), { shop }),
      service,
    ],
    generator: await startSubject('generator', path.join(folder, '../run/http-load.ts'), {}),
  };
}
