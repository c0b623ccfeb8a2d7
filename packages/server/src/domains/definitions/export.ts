import type { BodyOf, DefinitionFile, DefinitionKind, exportDefinitions } from '@svc/contract';
import { definitionKinds } from '@svc/contract';
import { accessRefusal, type Caller } from '../../platform/access/index.ts';
import { notFound } from '../../platform/http/index.ts';
import type { JsonObject } from '../../platform/yaml/index.ts';
import { keyOf, type Place, pathOf } from './files/path.ts';
import { writeFile } from './files/write.ts';
import type { AnyKind, LiveRecord } from './kinds/kind.ts';
import { isInProject, openDirectory, targetOf } from './planning/directory.ts';
import { named, type PlanDeps } from './planning/plan.ts';
import { listManaged } from './store.ts';

/** A record that is visible to the caller but not fully readable. */
export type Omitted = Place & { readonly path: string; readonly reason: string };
export type Export = { files: DefinitionFile[]; omitted: Omitted[] };

/** Exports the records that a caller can read as files, ordered by path. */
export async function exportFiles(
  deps: PlanDeps,
  caller: Caller,
  { projects, kinds }: BodyOf<typeof exportDefinitions>,
): Promise<Export> {
  const directory = await openDirectory(deps, caller);
  const scope = projects
    ? directory.projects.filter(({ slug }) => projects.includes(slug))
    : directory.projects;
  if (projects && scope.length < new Set(projects).size) throw notFound();
  const managed = new Map((await listManaged(deps.database)).map((row) => [`${row.kind} ${row.id}`, row]));
  const candidates: { place: Place; kind: AnyKind; record: LiveRecord<JsonObject> }[] = [];
  // With selected projects, other kinds are also read, because exported records may refer to them.
  const listed = definitionKinds.filter((name) => projects || !kinds || kinds.includes(name));
  for (const name of listed) {
    const kind = deps.kindOf(name);
    for (const record of await kind.list(caller, scope, directory.slugOf)) {
      const place = directory.placeOf(name, record.id);
      if (place) candidates.push({ place, kind, record });
    }
  }
  const isMeant = meant(candidates, projects !== undefined, new Set(kinds ?? definitionKinds));
  const chosen = candidates.filter(isMeant).toSorted((a, b) => (pathOf(a.place) < pathOf(b.place) ? -1 : 1));
  return {
    files: chosen.flatMap(({ place, kind, record: { id, definition } }) =>
      definition === null
        ? []
        : [writeFile(place, named(kind, definition, managed.get(`${place.kind} ${id}`)))],
    ),
    omitted: chosen
      .filter(({ record }) => record.definition === null)
      .map(({ place, kind }) => ({ ...place, path: pathOf(place), reason: reasonOf(caller, kind) })),
  };
}

type Found = { readonly place: Place; readonly kind: AnyKind; readonly record: LiveRecord<JsonObject> };

/**
 * Returns the filter for exported records: the requested kinds and, with selected projects, only referenced records
 * outside projects.
 */
function meant(candidates: readonly Found[], isSome: boolean, kinds: ReadonlySet<DefinitionKind>) {
  const referred = new Set(
    candidates.flatMap(({ place, kind, record: { definition } }) =>
      definition === null
        ? []
        : kind.references(definition).map((each) => keyOf(targetOf(each, place.project))),
    ),
  );
  return ({ place }: Found): boolean =>
    kinds.has(place.kind) &&
    (!isSome || place.kind === 'Project' || isInProject(place.kind) || referred.has(keyOf(place)));
}

/** Returns the reason for an omission. Permission to create a record of a kind includes reading it completely. */
function reasonOf(caller: Caller, kind: AnyKind): string {
  const [endpoint] = kind.endpoints({ before: null, after: {}, members: [] }) ?? [];
  const refusal = endpoint && accessRefusal(endpoint.access, caller);
  return (
    refusal?.detail ??
    'Reading all of it needs the right to write in its project, and stored settings that open.'
  );
}
