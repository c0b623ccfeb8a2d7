import type { BodyOf, createQuery, previewDraft, Query, QueryParameter } from '@svc/contract';
import { randomUuid } from '../../lib/random-uuid.ts';

/** One statement of a query that is being written. */
export type DraftStep = {
  /** Names the step through all versions of the query: a new step brings its own. */
  readonly key: string;
  readonly name: string;
  /** Not shown in the editor, and kept when it saves. */
  readonly description: string | null;
  readonly dataSourceId: number | null;
  readonly sql: string;
};

/** A query that is being written. */
export type Draft = {
  readonly projectId: number | null;
  /** The folder of the project that a new query goes into. */
  readonly folderId?: number | null;
  readonly name: string;
  readonly description: string;
  readonly steps: readonly DraftStep[];
  /** Runs over the results of the steps; null: the last step is the result. */
  readonly finalQuery: string | null;
  readonly parameters: readonly QueryParameter[];
};

export const newStep = (dataSourceId: number | null, sql = ''): DraftStep => ({
  key: randomUuid(),
  name: '',
  description: null,
  dataSourceId,
  sql,
});

export const emptyDraft = (projectId: number | null, dataSourceId: number | null): Draft => ({
  projectId,
  name: '',
  description: '',
  steps: [newStep(dataSourceId)],
  finalQuery: null,
  parameters: [],
});

/** A stored definition: of a query, or of one of its versions. */
type StoredDefinition = Pick<Query, 'projectId' | 'name' | 'description' | 'finalQuery' | 'parameters'> & {
  readonly steps: readonly Pick<
    Query['steps'][number],
    'key' | 'name' | 'description' | 'dataSourceId' | 'sql'
  >[];
};

export const draftOf = (query: StoredDefinition): Draft => ({
  projectId: query.projectId,
  name: query.name,
  description: query.description ?? '',
  steps:
    query.steps.length > 0
      ? query.steps.map(({ key, name, description, dataSourceId, sql }) => ({
          ...{ key, description, dataSourceId, sql },
          name: name ?? '',
        }))
      : [newStep(null)],
  finalQuery: query.finalQuery,
  parameters: query.parameters,
});

/** A placeholder; the first branch consumes an escaped one, `{{{{name}}}}`, which is the text `{{name}}`. */
const namePattern = /\{{4}\s*\w+\s*\}{4}|\{\{\s*([A-Za-z_]\w{0,63})\s*\}\}/g;

/** Names written as `{{name}}` in any text of the draft, in the order in which they appear. */
export function parameterNames(draft: Draft): readonly string[] {
  const texts = [...draft.steps.map((step) => step.sql), draft.finalQuery ?? ''];
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(namePattern)].flatMap(([, name]) => name ?? []))),
  ];
}

/** The declared parameters that the texts use; one that is not declared yet is text and required. */
export function usedParameters(draft: Draft): readonly QueryParameter[] {
  return parameterNames(draft).map(
    (name) => draft.parameters.find((parameter) => parameter.name === name) ?? { name, type: 'String' },
  );
}

type Steps = BodyOf<typeof previewDraft>['steps'];

const stepInput = (step: DraftStep): Steps[number] => ({
  ...(step.name.trim() !== '' && { name: step.name.trim() }),
  // A step without a data source is refused by the schema, at its field.
  dataSourceId: step.dataSourceId ?? 0,
  sql: step.sql,
});

/** A step with each of its members: one that is left out would be lost by a save. */
type WholeStep = { [Member in keyof Steps[number]]-?: Steps[number][Member] };

const wholeStep = (step: DraftStep): WholeStep => ({
  key: step.key,
  name: null,
  description: step.description,
  ...stepInput(step),
});

/** The definition as it is saved. */
export const definitionOf = (
  draft: Draft,
): Omit<BodyOf<typeof createQuery>, 'projectId'> & { steps: Steps } => ({
  name: draft.name.trim(),
  description: draft.description.trim() === '' ? null : draft.description.trim(),
  steps: draft.steps.map(wholeStep),
  finalQuery: draft.finalQuery === null || draft.finalQuery.trim() === '' ? null : draft.finalQuery,
  parameters: [...usedParameters(draft)],
});

/** What is run: one step, a selection in it, or everything. */
export type RunTarget =
  | { readonly kind: 'all' }
  | { readonly kind: 'step'; readonly key: string; readonly selection: string | null };

/** The request that runs a part of the draft. Parameters that the part does not use are left out. */
export function runOf(
  draft: Draft,
  target: RunTarget,
  values: Readonly<Record<string, string | number | boolean | null>>,
): BodyOf<typeof previewDraft> | undefined {
  if (draft.projectId === null) return undefined;
  const part: Draft =
    target.kind === 'all'
      ? draft
      : {
          ...draft,
          finalQuery: null,
          steps: draft.steps
            .filter((step) => step.key === target.key)
            .map((step) => ({ ...step, sql: target.selection ?? step.sql })),
        };
  const { finalQuery, parameters } = definitionOf(part);
  const used = new Set(parameters?.map((parameter) => parameter.name));
  return {
    projectId: draft.projectId,
    steps: part.steps.map(stepInput),
    finalQuery: finalQuery ?? null,
    parameters: parameters ?? [],
    values: Object.fromEntries(Object.entries(values).filter(([name]) => used.has(name))),
  };
}

/** What stands in the way of a run, in words; undefined when nothing does. */
export function whyNotRun(draft: Draft, target: RunTarget): string | undefined {
  if (draft.projectId === null) return 'Choose a project first.';
  const steps = target.kind === 'all' ? draft.steps : draft.steps.filter((step) => step.key === target.key);
  if (steps.some((step) => step.dataSourceId === null)) return 'Choose a data source first.';
  if (steps.some((step) => step.sql.trim() === '')) return 'Write a statement first.';
  return undefined;
}
