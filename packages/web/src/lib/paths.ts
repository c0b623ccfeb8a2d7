type Search = Readonly<Record<string, string | number | undefined>>;

function withSearch(path: string, search: Search = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Every address of the UI, below `/svc`. Pages use only these functions for links. */
export const paths = {
  login: (search?: Search) => withSearch('/login', search),
  logout: () => '/logout',
  error: (search?: Search) => withSearch('/error', search),
  setup: () => '/setup',
  home: () => '/home',
  about: () => '/about',
  settings: (search?: Search) => withSearch('/settings', search),
  controlTower: () => '/control-tower',
  dataSources: (search?: Search) => withSearch('/data-sources', search),
  dataSource: (id: number, search?: Search) => withSearch(`/data-sources/${id}`, search),
  dataSourceRelationships: (id: number) => `/data-sources/${id}/relationships`,
  projects: (search?: Search) => withSearch('/projects', search),
  newProject: () => '/projects/new',
  project: (id: number, search?: Search) => withSearch(`/projects/${id}`, search),
  dataQuality: (search?: Search) => withSearch('/data-quality', search),
  newContract: (search?: Search) => withSearch('/data-quality/new', search),
  contract: (id: number, search?: Search) => withSearch(`/data-quality/${id}`, search),
  editContract: (id: number) => `/data-quality/${id}/edit`,
  migrationJobs: (search?: Search) => withSearch('/migration-jobs', search),
  newMigrationJob: () => '/migration-jobs/new',
  migrationJob: (id: number, search?: Search) => withSearch(`/migration-jobs/${id}`, search),
  migrationHistory: (search?: Search) => withSearch('/migration-history', search),
  aiActors: (search?: Search) => withSearch('/ai-actors', search),
  aiActor: (id: number) => `/ai-actors/${id}`,
  editAiActor: (id: number) => `/ai-actors/${id}/edit`,
  newAiActor: () => '/ai-actors/new',
  aiPlan: (id: number) => `/ai-actors/plans/${id}`,
  queries: (search?: Search) => withSearch('/queries', search),
  newQuery: (search?: Search) => withSearch('/queries/new', search),
  query: (id: number, search?: Search) => withSearch(`/queries/${id}`, search),
  editQuery: (id: number, search?: Search) => withSearch(`/queries/${id}/edit`, search),
  queryVersions: (id: number) => `/queries/${id}/versions`,
  queryVersion: (id: number, versionId: number) => `/queries/${id}/versions/${versionId}`,
  subscriptions: (search?: Search) => withSearch('/subscriptions', search),
  subscription: (id: number, search?: Search) => withSearch(`/subscriptions/${id}`, search),
  notifications: (search?: Search) => withSearch('/notifications', search),
  notification: (id: number) => `/notifications/${id}`,
  recipients: (search?: Search) => withSearch('/recipients', search),
  tasks: (search?: Search) => withSearch('/tasks', search),
  task: (id: number) => `/tasks/${id}`,
  apiKeys: (search?: Search) => withSearch('/api-keys', search),
  mcpSettings: () => '/mcp-settings',
  mcpPlayground: (search?: Search) => withSearch('/mcp-playground', search),
  mcpLearning: (search?: Search) => withSearch('/mcp-learning', search),
  approvals: (search?: Search) => withSearch('/approvals', search),
  approval: (id: number) => `/approvals/${id}`,
  changeApproval: (id: number) => `/approvals/changes/${id}`,
  users: (search?: Search) => withSearch('/users', search),
  adminSettings: () => '/admin-settings',
  // Pages in addition to the table of the specification.
  firstAlert: (search?: Search) => withSearch('/first-alert', search),
  ask: (search?: Search) => withSearch('/ask', search),
  evaluation: (search?: Search) => withSearch('/evaluation', search),
  audit: (search?: Search) => withSearch('/audit', search),
} as const;

const knownPath = /^\/[\w\-/]*(\?[^#\s]*)?$/;

/** Returns the path from the address (`returnTo`) if it is a path of this UI, or else the home page. */
export const safePath = (path: string | undefined): string =>
  path !== undefined && knownPath.test(path) && !path.startsWith('//') && !path.startsWith('/login')
    ? path
    : paths.home();

/** Returns true for the dashboard of background jobs, which the host serves next to these pages. */
export const isBeside = (path: string): boolean => /^\/warp(\/|\?|$)/.test(path);

/** Returns the address on the site of a path from `safePath`. */
export const onSite = (path: string): string => (isBeside(path) ? path : `/svc${path}`);
