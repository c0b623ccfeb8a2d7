import { createHash, randomBytes } from 'node:crypto';
import type { BenchDatabase } from './database.ts';

export const setupToken = 'setup-token-of-the-benchmarks-0123456789';
export const password = 'Correct-horse-7-battery';

async function post(origin: string, path: string, body: unknown): Promise<Response> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

/** Completes the setup of a fresh service and adds an Editor with the same password. */
export async function addEditor(origin: string, database: BenchDatabase): Promise<number> {
  await post(origin, '/svc/api/setup/superadmin', {
    setupToken,
    userName: 'root',
    displayName: 'Root',
    email: 'root@example.org',
    password,
    confirmPassword: password,
  });
  const [editor] = await database.sql<{ id: number }>(
    `insert into svc.users (user_name, display_name, kind, password_hash)
     select 'editor', 'Editor', 'Internal', password_hash from svc.users where user_name = 'root' returning id`,
  );
  if (!editor) throw new Error('The editor was not stored.');
  await database.sql(`insert into svc.user_roles (user_id, role) values ($1, 'Editor')`, [editor.id]);
  return editor.id;
}

/** Signs in and returns the `Cookie` header of the session. */
export async function cookieOf(origin: string, username: string): Promise<string> {
  const response = await post(origin, '/svc/api/auth/login', { username, password });
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** Adds a key that reads every project of its owner and returns its `Authorization` header. */
export async function addKey(database: BenchDatabase, ownerId: number): Promise<string> {
  const key = `sk-sem_${randomBytes(32).toString('hex')}`;
  await database.sql(
    `insert into svc.api_keys (name, key_hash, prefix, owner_user_id, scopes, allowed_project_ids, expires_at)
     values ('bench', $1, $2, $3, '{Read}', null, now() + interval '1 day')`,
    [createHash('sha256').update(key).digest(), key.slice(0, 16), ownerId],
  );
  return `Bearer ${key}`;
}

/** Returns a function that calls the API with a session and its antiforgery token. */
export function apiOf(origin: string, cookie: string) {
  return async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const csrf = await fetch(`${origin}/svc/api/csrf`, { headers: { cookie } });
    const { token } = (await csrf.json()) as { token: string };
    const more = csrf.headers.getSetCookie().map((line) => line.split(';')[0]);
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: {
        cookie: [cookie, ...more].join('; '),
        'x-xsrf-token': token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text === '' ? 'null' : text) as Answer;
  };
}
