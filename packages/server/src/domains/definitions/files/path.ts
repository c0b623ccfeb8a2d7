import type { DefinitionKind } from '@svc/contract';

/** Where a record stands: in a folder, or in the folder of its project. */
export type Place = {
  readonly kind: DefinitionKind;
  /** Null for kinds outside projects. */
  readonly project: string | null;
  readonly slug: string;
};

const slug = '[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?';
const top = new RegExp(`^(data-sources|recipients)/(${slug})\\.ya?ml$`);
const project = new RegExp(`^projects/(${slug})/project\\.ya?ml$`);
const inProject = new RegExp(`^projects/(${slug})/(queries|contracts|subscriptions)/(${slug})\\.ya?ml$`);

const kindOf: Readonly<Record<string, DefinitionKind>> = {
  'data-sources': 'DataSource',
  recipients: 'Recipient',
  queries: 'Query',
  contracts: 'Contract',
  subscriptions: 'Subscription',
};
const folderOf = Object.fromEntries(Object.entries(kindOf).map(([folder, kind]) => [kind, folder]));

/** The record of a file; undefined where no record belongs. */
export function placeOf(path: string): Place | undefined {
  const [, topFolder = '', topSlug = ''] = top.exec(path) ?? [];
  if (kindOf[topFolder]) return { kind: kindOf[topFolder], project: null, slug: topSlug };
  const [, projectSlug] = project.exec(path) ?? [];
  if (projectSlug !== undefined) return { kind: 'Project', project: null, slug: projectSlug };
  const [, owner = '', folder = '', name = ''] = inProject.exec(path) ?? [];
  return kindOf[folder] && { kind: kindOf[folder], project: owner, slug: name };
}

/** The file of a record. */
export function pathOf({ kind, project, slug }: Place): string {
  if (kind === 'Project') return `projects/${slug}/project.yaml`;
  const folder = project === null ? '' : `projects/${project}/`;
  return `${folder}${folderOf[kind]}/${slug}.yaml`;
}

/** Tells records apart: two with one key are one. */
export const keyOf = ({ kind, project, slug }: Place): string => `${kind} ${project ?? ''} ${slug}`;
