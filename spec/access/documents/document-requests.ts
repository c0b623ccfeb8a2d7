import type { Fixture } from '../fixture.ts';
import { fresh } from '../fresh.ts';

const documents = '/svc/api/projects/{id}/imported-documents';
const asBytes = { body: 'One line.', headers: { 'content-type': 'application/octet-stream' } };

/** Inserts a document as if a project admin had uploaded it. Returns its path. */
async function uploaded({ svc, project }: Fixture): Promise<string> {
  const [row] = await svc.sql<{ id: number }>(
    `insert into svc.imported_documents (project_id, is_uploaded, source, path, title, content, content_hash, byte_length)
      values ($1, true, 'upload', $2, 'Uploaded', 'One line.', '\\x00', 9) returning id`,
    [project, `${fresh('document')}.md`],
  );
  return `/svc/api/projects/${project}/imported-documents/${row?.id}`;
}

/** Requests about the documents of the fixture's project. */
export const documentRecipes = {
  [`GET ${documents}/{documentId}`]: async ({ svc, project }: Fixture) => {
    const [row] = await svc.sql<{ id: number }>(
      `insert into svc.imported_documents (project_id, source, path, title, content, content_hash, byte_length)
        values ($1, 'host', 'tables.md', 'Tables', 'One line.', '\\x00', 9)
        on conflict (project_id, is_uploaded, source, path) do update set title = excluded.title returning id`,
      [project],
    );
    return { path: `/svc/api/projects/${project}/imported-documents/${row?.id}` };
  },
  [`POST ${documents}`]: async ({ project }: Fixture) => ({
    path: `/svc/api/projects/${project}/imported-documents?name=${encodeURIComponent(fresh('document'))}.md`,
    ...asBytes,
  }),
  [`PUT ${documents}/{documentId}`]: async (fixture: Fixture) => ({
    path: await uploaded(fixture),
    ...asBytes,
  }),
  [`DELETE ${documents}/{documentId}`]: async (fixture: Fixture) => ({ path: await uploaded(fixture) }),
};
