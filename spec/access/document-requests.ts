import type { Fixture } from './fixture.ts';

const document = '/svc/api/projects/{id}/imported-documents/{documentId}';

/** Requests about documents that the host brought into the fixture's project. */
export const documentRecipes = {
  [`GET ${document}`]: async ({ svc, project }: Fixture) => {
    const [row] = await svc.sql<{ id: number }>(
      `insert into svc.imported_documents (project_id, source, path, title, content, content_hash, byte_length)
        values ($1, 'host', 'tables.md', 'Tables', 'One line.', '\\x00', 9)
        on conflict (project_id, source, path) do update set title = excluded.title returning id`,
      [project],
    );
    return { path: `/svc/api/projects/${project}/imported-documents/${row?.id}` };
  },
};
