import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { logLevel } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const projects = '/svc/api/projects';

scenario(
  ['ID-5.6-22', 'ID-5.6-23', 'ID-2.6-11'],
  'a key without expiry works and warns at its first use after a restart, until the maximum lifetime is enforced',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Endless');
    const key = await addKey(root, { scopes: ['Read'], projects: [project] });
    await svc.sql(
      "update svc.api_keys set expires_at = null, created_time = now() - interval '400 days' where id = $1",
      [key.id],
    );
    const restarted = await svc.replica();
    for (let use = 0; use < 3; use++)
      expect((await restarted.client(`Bearer ${key.text}`).get(projects)).status).toBe(200);
    const warnings = restarted.log.filter(
      ({ level, apiKeyId }) => level === logLevel.warn && apiKeyId === key.id,
    );
    expect(warnings).toHaveLength(1);
    const strict = await svc.replica({ 'Svc:ApiKeys:EnforceMaxLifetimeOnExistingKeys': true });
    expect((await strict.client(`Bearer ${key.text}`).get(projects)).status).toBe(401);
    await svc.sql("update svc.api_keys set created_time = now() - interval '300 days' where id = $1", [
      key.id,
    ]);
    expect((await strict.client(`Bearer ${key.text}`).get(projects)).status).toBe(200);
  },
);

scenario(
  [
    'ID-2.6-12',
    'ID-3.2-14',
    'ID-3.2-15',
    'ID-5.6-24',
    'ID-5.6-25',
    'ID-5.6-27',
    'ID-5.6-28',
    'ID-5.6-29',
    'ID-7-02',
    'RT-9-11',
  ],
  'with the inactivity rule on, a key is inactive until its owner signs in',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Inactive');
    const person = await addUser(svc, 'inactive', ['Viewer']);
    const key = await addKey(await signIn(svc, person), { scopes: ['Read'], projects: [project] });
    const strict = await svc.replica({ 'Svc:ApiKeys:MaxOwnerInactivityDays': 30 });
    const program = strict.client(`Bearer ${key.text}`);
    const age = (statement: string) =>
      svc.sql(`update svc.users set ${statement} where user_name = $1`, [person.userName]);
    expect((await program.get(projects)).status).toBe(200);
    await age("last_signed_in_at = now() - interval '31 days'");
    const resting = await program.get(projects);
    expect([resting.status, resting.text]).toEqual([401, expect.stringMatching(/30 days/)]);
    expect(resting.text).toMatch(/works again/i);
    expect(
      strict.log.some(({ reason, apiKeyId }) => reason === 'owner_inactive' && apiKeyId === key.id),
    ).toBe(true);
    expect((await svc.client(`Bearer ${key.text}`).get(projects)).status).toBe(200);
    await age("last_signed_in_at = now() - interval '4000 days'");
    expect((await svc.client(`Bearer ${key.text}`).get(projects)).status).toBe(200);
    expect((await program.get(projects)).status).toBe(401);
    await signIn(strict, person);
    expect((await program.get(projects)).status).toBe(200);
    await age("last_signed_in_at = null, created_time = now() - interval '31 days'");
    expect((await program.get(projects)).status).toBe(401);
    await age("last_signed_in_at = null, created_time = now() - interval '29 days'");
    expect((await program.get(projects)).status).toBe(200);
  },
);
