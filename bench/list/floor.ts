import { createHash, timingSafeEqual } from 'node:crypto';
import { listProjects } from '@svc/contract';
import { type FastifyRequest, fastify } from 'fastify';
import pg from 'pg';
import { runSubject } from '../run/subject-process.ts';

/**
 * Minimal answer to `GET /svc/api/projects` for an authenticated caller. It is bare Fastify with named statements for
 * the key or session, for the page and for the count. The last use of a key is written once a second. It has no roles,
 * no project rights and no refusals except 401.
 */
const lastUsedIntervalMs = 1_000;
const pageSize = 20;
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const keyStatement = {
  name: 'key',
  text: `select k.id, k.key_hash from svc.api_keys k join svc.users u on u.id = k.owner_user_id
    where k.key_hash = $1 and k.revoked_at is null and k.expires_at > now()
      and k.owner_generation = u.api_key_generation and u.is_enabled and u.archived_at is null`,
};
const sessionStatement = {
  name: 'session',
  text: `select s.id from svc.sessions s join svc.users u on u.id = s.user_id
    where s.token_hash = $1 and s.ended_at is null and s.expires_at > now()
      and s.security_stamp = u.security_stamp and u.is_enabled and u.archived_at is null`,
};
const pageStatement = {
  name: 'page',
  text: `select p.id, p.name, p.description, p.access_mode as "accessMode", 'Read' as "right",
      p.is_demo as "isDemo", p.created_time as "createdTime", p.updated_at as "updatedAt",
      (select count(*)::int from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id
        where l.project_id = p.id and d.archived_at is null) as "dataSourceCount",
      (select count(*)::int from svc.queries q where q.project_id = p.id and q.archived_at is null) as "queryCount"
    from svc.projects p where p.archived_at is null order by p.created_time desc, p.id limit $1 offset $2`,
};
const countStatement = {
  name: 'count',
  text: 'select count(*)::int as count from svc.projects where archived_at is null',
};

runSubject(async ({ connection }: { connection: pg.ClientConfig }) => {
  const pool = new pg.Pool({ ...connection, max: 20 });
  const used = new Set<number>();
  const writer = setInterval(() => {
    if (used.size === 0) return;
    const ids = [...used];
    used.clear();
    pool
      .query('update svc.api_keys set last_used_at = now() where id = any($1)', [ids])
      .catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }, lastUsedIntervalMs);

  const isKnown = async ({ headers }: FastifyRequest): Promise<boolean> => {
    const { authorization, cookie } = headers;
    if (authorization !== undefined) {
      const hash = hashOf(authorization.slice('Bearer '.length));
      const [key] = (await pool.query<{ id: number; key_hash: Buffer }>({ ...keyStatement, values: [hash] }))
        .rows;
      if (!key || !timingSafeEqual(key.key_hash, hash)) return false;
      used.add(key.id);
      return true;
    }
    const [, token] = /(?:^|; )Svc\.Auth=([^;]+)/.exec(cookie ?? '') ?? [];
    if (token === undefined) return false;
    return (await pool.query({ ...sessionStatement, values: [hashOf(token)] })).rows.length > 0;
  };

  const app = fastify();
  app.get(
    listProjects.path,
    { schema: { response: { 200: listProjects.responses[200] } } },
    async (request) => {
      if (!(await isKnown(request))) throw Object.assign(new Error('Unauthorized'), { statusCode: 401 });
      const [page, count] = await Promise.all([
        pool.query({ ...pageStatement, values: [pageSize, 0] }),
        pool.query<{ count: number }>(countStatement),
      ]);
      const totalCount = count.rows[0]?.count ?? 0;
      return { items: page.rows, totalCount, pageCount: Math.ceil(totalCount / pageSize) };
    },
  );
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ready: { origin },
    stop: async () => {
      clearInterval(writer);
      await app.close();
      await pool.end();
    },
  };
});
