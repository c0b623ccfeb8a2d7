import type { DefinitionKind } from '@svc/contract';

/** Location of a record: a folder, or the folder of its project. */
export type Place = {
  readonly kind: DefinitionKind;
  /** Null for kinds outside projects. */
  readonly project: string | null;
  readonly slug: string;
};

const slug = '[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?';
const settings = /^settings\/(service|mcp)\.ya?ml$/;
const top = new RegExp(`^(data-sources|recipients|migrations)/(${slug})\\.ya?ml$`);
const projectSettings = new RegExp(`^projects/(${slug})/mcp\\.ya?ml$`);
const project = new RegExp(`^projects/(${slug})/project\\.ya?ml$`);
const inProject = new RegExp(`^projects/(${slug})/(queries|contracts|subscriptions)/(${slug})\\.ya?ml$`);

const kindOf: Readonly<Record<string, DefinitionKind>> = {
  'data-sources': 'DataSource',
  recipients: 'Recipient',
  migrations: 'MigrationJob',
  queries: 'Query',
  contracts: 'Contract',
  subscriptions: 'Subscription',
};
const folderOf = Object.fromEntries(Object.entries(kindOf).map(([folder, kind]) => [kind, folder]));

/** Returns the record of a file; undefined for a path without a record. */
export function placeOf(path: string): Place | undefined {
  const [, settingsSlug] = settings.exec(path) ?? [];
  if (settingsSlug !== undefined)
    return { kind: settingsSlug === 'mcp' ? 'McpSettings' : 'Settings', project: null, slug: settingsSlug };
  const [, topFolder = '', topSlug = ''] = top.exec(path) ?? [];
  if (kindOf[topFolder]) return { kind: kindOf[topFolder], project: null, slug: topSlug };
  const [, projectSlug] = project.exec(path) ?? [];
  if (projectSlug !== undefined) return { kind: 'Project', project: null, slug: projectSlug };
  const [, settled] = projectSettings.exec(path) ?? [];
  if (settled !== undefined) return { kind: 'McpProjectSettings', project: settled, slug: 'mcp' };
  const [, owner = '', folder = '', name = ''] = inProject.exec(path) ?? [];
  return kindOf[folder] && { kind: kindOf[folder], project: owner, slug: name };
}

/** Returns the path of a record's file. */
export function pathOf({ kind, project, slug }: Place): string {
  if (kind === 'Project') return `projects/${slug}/project.yaml`;
  if (kind === 'Settings' || kind === 'McpSettings') return `settings/${slug}.yaml`;
  const folder = project === null ? '' : `projects/${project}/`;
  if (kind === 'McpProjectSettings') return `${folder}mcp.yaml`;
  return `${folder}${folderOf[kind]}/${slug}.yaml`;
}

/** Returns the unique key of a record. */
export const keyOf = ({ kind, project, slug }: Place): string => `${kind} ${project ?? ''} ${slug}`;
