import pg from 'pg';
import type { BenchDatabase } from '../run/database.ts';
import { addEditor, addKey, apiOf, cookieOf, setupToken } from '../run/people.ts';

/** Settings of a service that receives calls without pause. The cap is high, since the benchmark does not measure it. */
export const mcpServiceSettings = {
  'Svc:UserManagement:SetupToken': setupToken,
  'Svc:EncryptionKey': 'k'.repeat(32),
  'Svc:Mcp:Ceilings:MaxCallsPerMinute': 100_000,
};

/** Fills the watched database and creates a project for it. @returns the headers of a call with the key. */
export async function prepareMcp(origin: string, database: BenchDatabase, shop: pg.ClientConfig) {
  const client = new pg.Client(shop);
  await client.connect();
  await client.query('create table orders (id int primary key, name text, amount numeric)');
  await client.query(`insert into orders select n, 'Order ' || n, n * 1.5 from generate_series(1, 1000) n`);
  await client.end();
  const editor = await addEditor(origin, database);
  const api = apiOf(origin, await cookieOf(origin, 'root'));
  const project = await api<{ id: number }>('/svc/api/projects', { name: 'Bench' });
  const source = await api<{ id: number }>('/svc/api/data-sources', {
    name: 'Shop',
    engine: 'PostgreSQL',
    connection: { ...shop, tlsMode: 'Disable' },
  });
  await api(`/svc/api/projects/${project.id}/data-sources`, { dataSourceId: source.id });
  const authorization = await addKey(database, editor);
  await database.sql(`update svc.api_keys set scopes = '{Read,Execute}'`);
  await database.sql(
    `insert into svc.mcp_settings (values) values ('{"maxCallsPerMinute": 100000, "maxConcurrentCalls": 100}')`,
  );
  return {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
  };
}

/** Returns a tool call with a statement, in the protocol version of 2026-07-28. */
export const callMessage = (tool: string, sql: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: tool,
      arguments: { sql },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
