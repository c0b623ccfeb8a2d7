import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

type Entry = {
  event: string;
  actorUserName: string;
  clientAddress: string;
  traceId: string;
  subjectId: number;
};

scenario(
  ['ID-6-01'],
  'an Auditor can read security events and export them as a file; other users cannot',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Audited');
    const key = await addKey(root, { scopes: ['Read'], projects: [project] });
    const auditor = await signIn(svc, await addUser(svc, 'an-auditor', ['Auditor']));
    const { items } = (await auditor.get(`/svc/api/mcp/audit?event=keys&subjectId=${key.id}`)).read<{
      items: Entry[];
    }>();
    expect(items).toMatchObject([
      {
        event: 'keys.api_key_created',
        actorUserName: 'root',
        clientAddress: root.address,
        subjectId: key.id,
      },
    ]);
    expect(items[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
    const file = await auditor.get(`/svc/api/mcp/audit/export?event=projects&projectId=${project}`);
    expect(file.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(file.text).toMatch(
      new RegExp(
        `,projects\\.project_created,user,\\d+,root,,,${root.address},project,${project},Audited,${project},Audited,`,
      ),
    );

    const admin = await signIn(svc, await addUser(svc, 'an-user-admin', ['UserAdmin', 'Editor']));
    for (const path of ['/svc/api/mcp/audit', '/svc/api/mcp/audit/export'])
      expect((await admin.get(path)).status).toBe(403);
  },
);
