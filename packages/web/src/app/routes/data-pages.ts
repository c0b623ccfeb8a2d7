import { needs } from '../../access/rights.ts';
import type { PageRoute } from './page-route.ts';

const { migrations, project, projectOr } = needs;

/** Pages about data: sources, projects, queries, data quality and data migration. */
export const dataPages: readonly PageRoute[] = [
  {
    path: '/data-sources',
    load: () => import('../../features/data-sources/data-sources-page.tsx'),
    page: 'DataSourcesPage',
    need: projectOr('DataSourceAdmin'),
  },
  {
    path: '/data-sources/$id',
    load: () => import('../../features/data-sources/data-source-page.tsx'),
    page: 'DataSourcePage',
    need: project,
  },
  {
    path: '/data-sources/$id/relationships',
    load: () => import('../../features/relationships/relationships-page.tsx'),
    page: 'RelationshipsPage',
    need: project,
  },
  {
    path: '/projects',
    load: () => import('../../features/projects/projects-page.tsx'),
    page: 'ProjectsPage',
    need: project,
  },
  {
    path: '/projects/new',
    load: () => import('../../features/projects/new-project-page.tsx'),
    page: 'NewProjectPage',
    need: project,
  },
  {
    path: '/projects/$id',
    load: () => import('../../features/projects/project-page.tsx'),
    page: 'ProjectPage',
    need: project,
  },
  {
    path: '/queries',
    load: () => import('../../features/queries/queries-page.tsx'),
    page: 'QueriesPage',
    need: project,
  },
  {
    path: ['/queries/new', '/queries/$id/edit'],
    load: () => import('../../features/queries/query-editor-page.tsx'),
    page: 'QueryEditorPage',
    need: project,
  },
  {
    path: '/queries/$id',
    load: () => import('../../features/queries/query-page.tsx'),
    page: 'QueryPage',
    need: project,
  },
  {
    path: '/queries/$id/versions',
    load: () => import('../../features/queries/versions/query-versions-page.tsx'),
    page: 'QueryVersionsPage',
    need: project,
  },
  {
    path: '/queries/$id/versions/$versionId',
    load: () => import('../../features/queries/versions/query-version-page.tsx'),
    page: 'QueryVersionPage',
    need: project,
  },
  {
    path: '/data-quality',
    load: () => import('../../features/data-quality/contracts-page.tsx'),
    page: 'ContractsPage',
    need: project,
  },
  {
    path: ['/data-quality/new', '/data-quality/$id/edit'],
    load: () => import('../../features/data-quality/editor/contract-editor-page.tsx'),
    page: 'ContractEditorPage',
    need: project,
  },
  {
    path: '/data-quality/$id',
    load: () => import('../../features/data-quality/contract-page.tsx'),
    page: 'ContractPage',
    need: project,
  },
  {
    path: '/migration-jobs',
    load: () => import('../../features/data-migration/jobs-page.tsx'),
    page: 'JobsPage',
    need: migrations,
  },
  {
    path: '/migration-jobs/new',
    load: () => import('../../features/data-migration/new-job-page.tsx'),
    page: 'NewJobPage',
    need: migrations,
  },
  {
    path: '/migration-jobs/$id',
    load: () => import('../../features/data-migration/job-page.tsx'),
    page: 'JobPage',
    need: migrations,
  },
  {
    path: '/migration-history',
    load: () => import('../../features/data-migration/history-page.tsx'),
    page: 'HistoryPage',
    need: migrations,
  },
];
