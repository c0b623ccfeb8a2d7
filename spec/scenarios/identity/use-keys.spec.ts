import { createHash, randomBytes } from 'node:crypto';
import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { logLevel } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const projects = '/svc/api/projects';

scenario(
  ['ID-1-09', 'ID-5.6-01', 'ID-5.6-03', 'ID-5.6-15'],
  'a key in the Authorization header authenticates, its prefix ignores case, and its use is recorded',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Used');
    const key = await addKey(root, { scopes: ['Read'], projects: [project] });
    const [before] = await svc.sql('select last_used_at from svc.api_keys where id = $1', [key.id]);
    expect(before).toEqual({ last_used_at: null });
    for (const prefix of ['Bearer ', 'bearer ', 'BEARER ']) {
      const answer = await svc.client(`${prefix}${key.text}`).get(`${projects}/${project}`);
      expect([prefix, answer.status]).toEqual([prefix, 200]);
    }
    // A prefix in another case makes an unknown key, but the service still processes it as a key.
    const rest = key.text.slice('sk-sem_'.length);
    for (const prefix of ['Bearer SK-SEM_', 'bearer Sk-Sem_', 'BEARER sK-sEM_']) {
      const { status, body } = await svc.client(`${prefix}${rest}`).get(projects);
      expect([prefix, status, body.code]).toEqual([prefix, 401, 'invalid-api-key']);
    }
    for (const header of [`Bearer sk-sem${rest}`, `Bearer  sk-sem_${rest}`, `Bearer x${key.text}`])
      expect((await svc.client(header).get(projects)).body.code).not.toBe('invalid-api-key');
    await expect
      .poll(async () => (await svc.sql('select last_used_at from svc.api_keys where id = $1', [key.id]))[0])
      .toEqual({ last_used_at: expect.any(Date) });
  },
);

scenario(
  ['ID-5.6-02', 'ID-5.6-04', 'ID-7-14'],
  'a key in another header or with another prefix is ignored, and the request is unauthenticated',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Other headers');
    const { text } = await addKey(root, { scopes: ['Read'], projects: [project] });
    const attempts: Record<string, string>[] = [
      { 'x-api-key': text },
      { 'api-key': text },
      { authorization: text },
      { authorization: `Basic ${text}` },
      { authorization: `ApiKey ${text}` },
      { authorization: `Bearer ${text.slice('sk-sem_'.length)}` },
      { cookie: `Svc.Auth=${text}` },
    ];
    for (const headers of attempts) {
      const answer = await svc.client().get(`${projects}/${project}`, { headers });
      expect([headers, answer.status, answer.body]).toEqual([
        headers,
        401,
        expect.objectContaining({ title: 'Unauthorized' }),
      ]);
    }
    expect((await svc.client().get(`${projects}?apiKey=${text}`)).status).toBe(401);
    // With a session, such a header has no effect: the cookie decides.
    for (const authorization of [`Basic ${text}`, `ApiKey ${text}`])
      expect((await root.get(projects, { headers: { authorization } })).status).toBe(200);
  },
);

scenario(
  ['ID-3.2-02', 'ID-3.2-03', 'ID-5.6-07', 'ID-5.6-31', 'ID-4-30'],
  'a revoked key is refused on the next request',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Revoked');
    const owner = await signIn(svc, await addUser(svc, 'revokes-own', ['Viewer']));
    const keyOf = async (client: typeof root) => {
      const { id, text } = await addKey(client, { scopes: ['Read'], projects: [project] });
      const program = svc.client(`Bearer ${text}`);
      return { id, use: async () => (await program.get(`${projects}/${project}`)).status };
    };
    const [key, kept, ofAnother] = [await keyOf(owner), await keyOf(owner), await keyOf(root)];
    expect(await key.use()).toBe(200);
    expect((await owner.delete(`/svc/api/api-keys/${key.id}`)).status).toBe(204);
    expect(await key.use()).toBe(401);
    expect((await owner.delete(`/svc/api/api-keys/${ofAnother.id}`)).status).toBe(404);
    expect((await root.delete(`/svc/api/api-keys/${kept.id}`)).status).toBe(404);
    expect([await kept.use(), await ofAnother.use()]).toEqual([200, 200]);
  },
);

scenario(
  [
    'ID-3.2-07',
    'ID-5.6-08',
    'ID-5.6-09',
    'ID-5.6-10',
    'ID-5.6-11',
    'ID-5.6-12',
    'ID-5.6-13',
    'ID-5.6-06',
    'ID-7-01',
    'RT-9-03',
  ],
  'every failure of a recognised key returns the same 401, and only the log contains the reason',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Refused');
    const cases = [
      ['revoked', 'update svc.api_keys set revoked_at = now() where id = $1'],
      ['expired', "update svc.api_keys set expires_at = now() - interval '1 second' where id = $1"],
      [
        'owner_disabled',
        'update svc.users set is_enabled = false where id = (select owner_user_id from svc.api_keys where id = $1)',
      ],
      [
        'owner_archived',
        'update svc.users set archived_at = now() where id = (select owner_user_id from svc.api_keys where id = $1)',
      ],
      ['owner_missing', 'update svc.api_keys set owner_user_id = null where id = $1'],
      [
        'owner_generation_changed',
        'update svc.users set api_key_generation = api_key_generation + 1 where id = (select owner_user_id from svc.api_keys where id = $1)',
      ],
      ['no valid scopes', "update svc.api_keys set scopes = '{Other}' where id = $1"],
    ] as const;
    const answers = new Set<string>();
    for (const [index, [reason, statement]] of cases.entries()) {
      const owner = await signIn(svc, await addUser(svc, `refused${index}`, ['Viewer']));
      const key = await addKey(owner, { scopes: ['Read'], projects: [project] });
      const program = svc.client(`Bearer ${key.text}`);
      expect([reason, (await program.get(projects)).status]).toEqual([reason, 200]);
      await svc.sql(statement, [key.id]);
      const answer = await program.get(projects);
      expect([reason, answer.status]).toEqual([reason, 401]);
      answers.add(JSON.stringify({ ...answer.read<object>(), traceId: null }));
      const logged = svc.log.filter(({ apiKeyId, reason: r }) => apiKeyId === key.id && r === reason);
      expect([reason, logged.length, logged[0]?.level]).toEqual([reason, 1, logLevel.warn]);
      expect(JSON.stringify(svc.log)).not.toContain(key.text.slice(16));
    }
    const unknown = await svc.client(`Bearer sk-sem_${randomBytes(24).toString('hex')}`).get(projects);
    answers.add(JSON.stringify({ ...unknown.read<object>(), traceId: null }));
    expect(answers.size).toBe(1);
    expect([...answers][0]).toContain('Invalid or expired API key');
    expect(unknown.headers.get('content-type')).toContain('application/problem+json');
  },
);

scenario(['ID-5.6-14'], 'the log contains neither a key nor its hash', async ({ svc, root }) => {
  const project = await addProject(root, 'Logged');
  const key = await addKey(root, { scopes: ['Read'], projects: [project] });
  const program = svc.client(`Bearer ${key.text}`);
  await program.get(projects);
  await program.post(projects, { name: 'No' });
  await root.delete(`/svc/api/api-keys/${key.id}`);
  await program.get(projects);
  const log = JSON.stringify(svc.log);
  const hash = createHash('sha256').update(key.text).digest();
  for (const secret of [key.text.slice(7), hash.toString('hex'), hash.toString('base64')])
    expect(log).not.toContain(secret);
});
