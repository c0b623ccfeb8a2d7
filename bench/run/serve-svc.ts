import { once } from 'node:events';
import { createServer } from 'node:http';
import { type ConfigSources, createSvc, loadConfig } from '@svc/server';
import type pg from 'pg';

export type ServiceConfig = {
  readonly connection: pg.ClientConfig;
  readonly settings: NonNullable<ConfigSources['values']>;
  /** Folder of the built UI, for measurements of its pages. */
  readonly pages?: string;
};

/** Serves the service on a loopback port. Only its settings differ from production. */
export async function serveSvc({ connection, settings, pages }: ServiceConfig) {
  const { config } = loadConfig({ values: { 'Svc:Logging:Level': 'warn', ...settings } });
  const svc = await createSvc({
    config,
    database: connection,
    ...(pages !== undefined && { pages: { folder: pages } }),
  });
  const server = createServer((request, response) => svc.handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await svc.start();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service listens on no port.');
  return {
    ready: { origin: `http://127.0.0.1:${address.port}` },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await svc.close();
    },
  };
}
