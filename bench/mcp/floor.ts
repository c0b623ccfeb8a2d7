import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import pg from 'pg';
import { runSubject } from '../run/subject-process.ts';

/**
 * Minimal answer of the tool `query`: looks up the key, runs the statement in a read-only transaction, resets the
 * connection, and writes one audit event. No masking, no caps, no cancellation and no projects. `sdk` answers through
 * the SDK's bare handler, `json-rpc` with hand-written code.
 */
export type FloorConfig = {
  readonly kind: 'sdk' | 'json-rpc';
  readonly connection: pg.ClientConfig;
  readonly shop: pg.ClientConfig;
};

const keyStatement = {
  name: 'key',
  text: `select k.id, k.key_hash from svc.api_keys k join svc.users u on u.id = k.owner_user_id
    where k.key_hash = $1 and k.revoked_at is null and k.expires_at > now()
      and k.owner_generation = u.api_key_generation and u.is_enabled and u.archived_at is null`,
};
const auditStatement = {
  name: 'audit',
  text: `insert into svc.audit_events (event, actor_kind, api_key_id, detail) values ('bench.called', 'api_key', $1, $2)`,
};
/** Concurrent statements per data source, as in the service. */
const shopConnections = 4;
/** Catalog query for the origin of a result column. */
const origins = 'select attrelid, attnum, attname from pg_attribute where attrelid = $1';
const inputSchema = fromJsonSchema<{ sql: string }>({
  type: 'object',
  properties: { sql: { type: 'string' } },
  required: ['sql'],
});

runSubject(async ({ kind, connection, shop }: FloorConfig) => {
  const pool = new pg.Pool({ ...connection, max: 20 });
  const sources = new pg.Pool({ ...shop, max: shopConnections });

  const keyOf = async (request: IncomingMessage): Promise<number | undefined> => {
    const hash = createHash('sha256')
      .update((request.headers.authorization ?? '').slice(7))
      .digest();
    const { rows } = await pool.query<{ id: number; key_hash: Buffer }>({ ...keyStatement, values: [hash] });
    return rows[0] && timingSafeEqual(rows[0].key_hash, hash) ? rows[0].id : undefined;
  };
  const read = async (text: string) => {
    const client = await sources.connect();
    try {
      await client.query('begin transaction read only');
      await client.query(origins, [0]);
      return await client.query<unknown[]>({ text, rowMode: 'array' });
    } finally {
      await client.query('rollback');
      await client.query('discard all');
      client.release();
    }
  };
  const runTool = async (sql: string, keyId: number) => {
    const { rows, fields } = await read(sql);
    const columns = fields.map(({ name }) => ({ name }));
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    await pool.query({ ...auditStatement, values: [keyId, JSON.stringify({ rowCount: rows.length })] });
    return {
      content: [{ type: 'text' as const, text: `${JSON.stringify(columns)}\n${lines}` }],
      structuredContent: { columns, rows, rowCount: rows.length },
    };
  };
  const handler = createMcpHandler(({ authInfo }) => {
    const server = new McpServer({ name: 'floor', version: '1' });
    server.registerTool('query', { description: 'Runs a SELECT.', inputSchema }, async ({ sql }) =>
      runTool(sql, Number(authInfo?.clientId)),
    );
    return server;
  });

  const viaSdk = async (
    request: IncomingMessage,
    body: unknown,
    keyId: number,
  ): Promise<[number, string]> => {
    const headers = new Headers(request.headers as Record<string, string>);
    const web = new Request(`http://floor${request.url}`, { method: 'POST', headers });
    const authInfo = { token: '', clientId: String(keyId), scopes: [] };
    const response = await handler.fetch(web, { parsedBody: body, authInfo });
    return [response.status, await response.text()];
  };
  const byHand = async (body: unknown, keyId: number): Promise<[number, string]> => {
    // The load sends only one kind of message.
    const { id, params } = body as { id: number; params: { arguments: { sql: string } } };
    const result = { ...(await runTool(params.arguments.sql, keyId)), resultType: 'complete' };
    return [200, JSON.stringify({ jsonrpc: '2.0', id, result })];
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const keyId = await keyOf(request);
    if (keyId === undefined) return void response.writeHead(401).end();
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body: unknown = JSON.parse(Buffer.concat(parts).toString());
    const [status, text] = kind === 'sdk' ? await viaSdk(request, body, keyId) : await byHand(body, keyId);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The floor listens on no port.');
  return {
    ready: { origin: `http://127.0.0.1:${address.port}` },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await pool.end();
      await sources.end();
    },
  };
});
